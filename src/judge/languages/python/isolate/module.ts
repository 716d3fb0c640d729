/** The parts of the interpreter's glue that are used here; `glue.ts` names the exports that are kept for it. */

export interface FileNode {
  parent: FileNode;
  contents?: { length: number } | null;
}

export interface Stream {
  node: FileNode;
  seekable: boolean;
}

type Transfer = (stream: Stream, buffer: Uint8Array, offset: number, length: number) => number;

export interface DeviceOperations {
  read?: Transfer;
  write?: Transfer;
}

export type NodeOperations = Record<string, ((...values: unknown[]) => unknown) | undefined>;

type Write = (
  stream: Stream,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
  canOwn?: boolean,
) => number;

export interface MemoryFiles {
  ops_table: Record<'dir' | 'link' | 'chrdev', { node: NodeOperations }> & {
    file: { node: NodeOperations; stream: { write: Write } };
  };
  resizeFileStorage(node: FileNode, size: number): unknown;
}

export interface FileSystem {
  ErrnoError: new (errno: number) => Error;
  filesystems: { MEMFS: MemoryFiles };
  streams: (Stream | null | undefined)[];
  makedev(major: number, minor: number): number;
  registerDevice(
    id: number,
    operations: Required<DeviceOperations> & { open(stream: Stream): void; close(): void },
  ): void;
  mkdev(path: string, id: number): void;
  mkdirTree(path: string): void;
  writeFile(path: string, data: Uint8Array, options: { canOwn: boolean }): void;
  readFile(path: string): Uint8Array<ArrayBuffer>;
  createStandardStreams(): void;
  createNode(...parts: unknown[]): FileNode;
  lookupPath(path: string): { node: FileNode };
  lookupNode(parent: FileNode, name: string): FileNode;
  open(path: string, flags: number): unknown;
  close(stream: Stream): void;
  chdir(path: string): void;
  chmod(path: string, mode: number): void;
  readdir(path: string): string[];
  lstat(path: string): { mode: number };
  isDir(mode: number): boolean;
  rmdir(path: string): void;
  unlink(path: string): void;
}

/** Addresses are in its own memory; 0 is none. */
export interface Interpreter {
  FS: FileSystem;
  ENV: Record<string, string>;
  HEAPU8: Uint8Array<ArrayBuffer>;
  HEAP8: Int8Array;
  HEAP32: Int32Array;
  Py_EmscriptenSignalBuffer: Uint8Array;
  growMemory(size: number): unknown;
  stackSave(): number;
  stackRestore(stack: number): void;
  stringToNewUTF8(text: string): number;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _Py_EMSCRIPTEN_SIGNAL_HANDLING: number;
  __Py_NoneStruct: number;
  _Py_IncRef(object: number): void;
  _Py_DecRef(object: number): void;
  _PyUnicode_FromStringAndSize(text: number, bytes: number): number;
  _PyUnicode_AsUTF8AndSize(object: number, size: number): number;
  _PyTuple_New(length: number): number;
  _PyTuple_Size(tuple: number): number;
  _PyTuple_GetItem(tuple: number, index: number): number;
  _PyTuple_SetItem(tuple: number, index: number, object: number): number;
  _PyObject_CallNoArgs(callable: number): number;
  _PyObject_CallOneArg(callable: number, object: number): number;
  _PyEval_EvalCode(code: number, globals: number, locals: number): number;
  _PyErr_Clear(): void;
  _PyErr_GetRaisedException(): number;
  _PyRun_SimpleString(source: number): number;
}

export type Imports = Record<string, Record<string, WebAssembly.ImportValue>>;

export interface Settings {
  noImageDecoding: boolean;
  noAudioDecoding: boolean;
  noWasmDecoding: boolean;
  noInitialRun: boolean;
  API: { config: object; runtimeEnv: object };
  thisProgram: string;
  arguments: string[];
  print(...parts: unknown[]): void;
  printErr(...parts: unknown[]): void;
  preRun: ((made: Interpreter) => void)[];
  instantiateWasm(
    imports: Imports,
    receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
}
