/** Emscripten's MEMFS: bytes, or children by name. */
interface FileNode {
  name: string;
  parent: FileNode;
  mode: number;
  contents: Uint8Array | Record<string, FileNode>;
  usedBytes: number;
}

interface Stream {
  fd: number | null;
  position: number;
  node: FileNode;
}

type NodeOperations = Record<string, (...values: never[]) => unknown>;

/** Only the used parts. */
export interface FileSystem {
  ErrnoError: new (errno: number) => Error;
  streams: (Stream | null)[];
  lookupPath(path: string, options: object): { node: { mount: { type: MemoryFiles } } };
  root: FileNode;
  nameTable: (FileNode | undefined)[];
  isFile(mode: number): boolean;
  isDir(mode: number): boolean;
  hashAddNode(node: FileNode): void;
  hashRemoveNode(node: FileNode): void;
}

interface MemoryFiles {
  ops_table: {
    dir: { node: NodeOperations };
    file: {
      node: NodeOperations;
      stream: {
        write(stream: Stream, buffer: Uint8Array, offset: number, length: number, at: number): number;
      };
    };
  };
}

interface Before {
  nodes: Map<FileNode, { contents: FileNode['contents']; usedBytes: number; mode: number }>;
  streams: { stream: Stream | null; position: number }[];
  room: number;
}

const NO_SPACE = 51;
/** By operation, the nodes it changes. */
const CHANGES = { mknod: [0], symlink: [0], unlink: [0], rmdir: [0], rename: [0, 1], setattr: [0] };

/** An engine's files: reset to a mark, and bounded growth after the first one. */
export class Files {
  #system: FileSystem;
  #marks: Before[] = [];
  #room = Number.POSITIVE_INFINITY;

  constructor(system: FileSystem) {
    this.#system = system;
    const { dir, file } = system.lookupPath('/', {}).node.mount.type.ops_table;
    for (const operations of [dir.node, file.node]) this.#watch(operations);
    const write = file.stream.write;
    file.stream.write = (stream, buffer, offset, length, at) => {
      const { node } = stream;
      return this.#within(node, at + length, () => {
        this.#keep(node);
        // Writes are in place: the mark needs a copy.
        if (this.#marks.at(-1)?.nodes.get(node)?.contents === node.contents)
          node.contents = (node.contents as Uint8Array).slice();
        return write(stream, buffer, offset, length, at);
      });
    };
  }

  /** Bytes of growth from here. */
  bound(bytes: number): void {
    this.#room = bytes;
  }

  /** A rename that was stopped may have lost the hash entry: rebuilt from the folders. */
  mend(): void {
    const { nameTable } = this.#system;
    nameTable.fill(undefined);
    const add = (folder: FileNode) => {
      for (const [name, node] of Object.entries(folder.contents as Record<string, FileNode>)) {
        Object.assign(node, { parent: folder, name });
        this.#system.hashAddNode(node);
        if (this.#system.isDir(node.mode)) add(node);
      }
    };
    add(this.#system.root);
  }

  /** For `back`, until `toFirst`. */
  mark(): void {
    const streams = this.#system.streams.map((stream) => ({ stream, position: stream?.position ?? 0 }));
    this.#marks.push({ nodes: new Map(), streams, room: this.#room });
  }

  /** To the newest mark. */
  back(): void {
    const before = this.#marks.at(-1);
    if (!before) throw new Error('there is no mark to go back to');
    const { folders, files } = this.#parted(before);
    // New names go first: a moved node has one hash entry.
    for (const [folder, was] of folders) {
      for (const [name, node] of Object.entries(folder.contents as Record<string, FileNode>)) {
        if (was[name] !== node) this.#system.hashRemoveNode(node);
      }
    }
    for (const [folder, was] of folders) {
      const now = folder.contents as Record<string, FileNode>;
      folder.contents = was;
      for (const [name, node] of Object.entries(was)) {
        if (now[name] === node) continue;
        node.parent = folder;
        node.name = name;
        this.#system.hashAddNode(node);
      }
    }
    for (const [file, { contents, usedBytes, mode }] of files)
      Object.assign(file, { contents, usedBytes, mode });
    before.nodes.clear();
    this.#room = before.room;
    const { streams } = this.#system;
    streams.length = before.streams.length;
    for (const [at, { stream, position }] of before.streams.entries()) {
      streams[at] = stream;
      // A closed stream has lost its number.
      if (stream) Object.assign(stream, { fd: at, position });
    }
  }

  /** Forgets the other marks. */
  toFirst(): void {
    for (; this.#marks.length > 1; this.#marks.pop()) this.back();
    this.back();
  }

  #parted({ nodes }: Before) {
    const all = [...nodes];
    const isFile = (node: FileNode) => this.#system.isFile(node.mode);
    return {
      folders: all
        .filter(([node]) => !isFile(node))
        .map(([node, { contents }]) => [node, contents as Record<string, FileNode>] as const),
      files: all.filter(([node]) => isFile(node)),
    };
  }

  /** Records a node for the newest mark. */
  #keep(node: FileNode): void {
    const before = this.#marks.at(-1);
    if (!before || before.nodes.has(node)) return;
    const { contents, usedBytes, mode } = node;
    before.nodes.set(node, { contents, usedBytes, mode });
    if (!this.#system.isFile(mode)) node.contents = { ...(contents as Record<string, FileNode>) };
  }

  #watch(operations: NodeOperations): void {
    for (const [name, places] of Object.entries(CHANGES)) {
      const original = operations[name];
      if (!original) continue;
      operations[name] = (...values: never[]) => {
        for (const place of places) {
          const node: FileNode = values[place]!;
          // A rename changes both folders.
          this.#keep(name === 'rename' && place === 0 ? node.parent : node);
        }
        const size = name === 'setattr' ? (values[1]! as { size?: number }).size : undefined;
        return size === undefined
          ? original(...values)
          : this.#within(values[0]!, size, () => original(...values));
      };
    }
  }

  /** Resizes within the bound. */
  #within<Result>(node: FileNode, size: number, change: () => Result): Result {
    const before = (node.contents as Uint8Array).length;
    if (size - before > this.#room) throw new this.#system.ErrnoError(NO_SPACE);
    const result = change();
    this.#room -= Math.max(0, (node.contents as Uint8Array).length - before);
    return result;
  }
}
