import { OWN_FOLDERS } from './folders.ts';
import type { FileNode, FileSystem } from './module.ts';

const FILE_BYTES = 16 * 1024 * 1024;
const FILE_NODES = 4_096;
const ENOSPC = 51;
const EROFS = 69;

let filesSealed = false;
let fileBytes = 0;
let fileNodes = 0;
let folders: FileNode[] | null = null;

/** From here on files are bounded, and what lies outside the program's own folders stays as it is. */
export function sealFiles(): void {
  filesSealed = true;
}

export function forgetFiles(): void {
  fileBytes = fileNodes = 0;
}

function refuseElsewhere(FS: FileSystem, node: FileNode): void {
  if (!filesSealed) return;
  // What lies elsewhere is the same for every test: nothing there has to be put back.
  folders ??= OWN_FOLDERS.map((path) => FS.lookupPath(path).node);
  for (let at = node; !folders.includes(at); at = at.parent)
    if (at.parent === at) throw new FS.ErrnoError(EROFS);
}

function refuseFolders(FS: FileSystem, target: () => FileNode): void {
  if (!filesSealed) return;
  if (folders!.includes(target())) throw new FS.ErrnoError(EROFS);
}

function boundSizes(FS: FileSystem): void {
  const { MEMFS } = FS.filesystems;
  const bounded = <Result>(node: FileNode, size: number, change: () => Result): Result => {
    const before = node.contents?.length ?? 0;
    if (filesSealed && size > before && fileBytes + (size - before) > FILE_BYTES)
      throw new FS.ErrnoError(ENOSPC);
    const result = change();
    fileBytes += (node.contents?.length ?? 0) - before;
    return result;
  };
  const fileOperations = MEMFS.ops_table.file.stream;
  const write = fileOperations.write;
  fileOperations.write = (stream, buffer, offset, length, position, canOwn) => {
    refuseElsewhere(FS, stream.node);
    return bounded(stream.node, position + length, () =>
      write(stream, buffer, offset, length, position, canOwn),
    );
  };
  const resize = MEMFS.resizeFileStorage;
  MEMFS.resizeFileStorage = (node, size) => bounded(node, size, () => resize(node, size));
}

const GUARDED = { mknod: [0], symlink: [0], unlink: [0], rmdir: [0], rename: [0, 1], setattr: [0] };

function guardFolders(FS: FileSystem): void {
  for (const { node: operations } of Object.values(FS.filesystems.MEMFS.ops_table)) {
    for (const [name, places] of Object.entries(GUARDED)) {
      const original = operations[name];
      if (!original) continue;
      operations[name] = (...values) => {
        for (const place of places) refuseElsewhere(FS, values[place] as FileNode);
        const [node, second] = values as [FileNode, string];
        if (name === 'rename') refuseFolders(FS, () => node);
        if (name === 'rmdir') refuseFolders(FS, () => FS.lookupNode(node, second));
        return original(...values);
      };
    }
  }
}

function boundNumber(FS: FileSystem): void {
  const createNode = FS.createNode;
  FS.createNode = (...parts) => {
    if (++fileNodes > FILE_NODES) throw new FS.ErrnoError(ENOSPC);
    return createNode(...parts);
  };
}

export function boundFiles(FS: FileSystem): void {
  boundSizes(FS);
  guardFolders(FS);
  boundNumber(FS);
}
