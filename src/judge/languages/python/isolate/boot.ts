import type { SnapshotRest } from '../agreement.ts';
import { shareBoard } from './board.ts';
import { boundFiles } from './bounds.ts';
import { makeDevices } from './devices.ts';
import { HOME, makeFolders } from './folders.ts';
import { narrow } from './imports.ts';
import type { Interpreter, Settings } from './module.ts';
import { note, noted } from '../../surroundings/notes.ts';
import { shareOutput } from './output.ts';
import { restore } from './restore.ts';
import { interpreter, setInterpreter } from './running.ts';

declare const createPyodideModule: (settings: Settings) => Promise<Interpreter>;

let failed: unknown = null;

function preRun(Module: Interpreter, stdlib: SharedArrayBuffer): void {
  // A copy: the buffer that came in is shared by all isolates of the process.
  makeFolders(Module.FS, new Uint8Array(stdlib).slice());
  makeDevices(Module.FS);
  boundFiles(Module.FS);
  Object.assign(Module.ENV, {
    HOME,
    USER: 'learner',
    LOGNAME: 'learner',
    PATH: '/usr/bin',
    PWD: HOME,
  });
  Object.assign(Module.ENV, { PYTHONHASHSEED: '0', NO_COLOR: '1', LANG: 'C.UTF-8' });
}

export function boot(
  module: WebAssembly.Module,
  stdlib: SharedArrayBuffer,
  shared: SharedArrayBuffer,
  pages?: SharedArrayBuffer,
  data?: SharedArrayBuffer,
  rest?: SnapshotRest,
): void {
  const snapshot = pages && data && rest ? { pages, data, rest } : undefined;
  shareOutput(shareBoard(shared));
  const settings: Settings = {
    noImageDecoding: true,
    noAudioDecoding: true,
    noWasmDecoding: true,
    noInitialRun: snapshot !== undefined,
    API: { config: {}, runtimeEnv: {} },
    thisProgram: 'python',
    arguments: [],
    print: note,
    printErr: note,
    preRun: [(Module) => preRun(Module, stdlib)],
    instantiateWasm(imports, receive) {
      narrow(imports);
      receive(new WebAssembly.Instance(module, imports), module);
      return {};
    },
  };
  createPyodideModule(settings).then(
    (Module) => {
      try {
        setInterpreter(Module);
        if (snapshot) restore(new Uint32Array(snapshot.pages), new Uint8Array(snapshot.data), snapshot.rest);
      } catch (error) {
        failed = error;
      }
    },
    (error) => {
      failed = error;
    },
  );
}

export function trouble(): string {
  if (failed) return String((failed as Error).stack ?? failed);
  return interpreter ? '' : `not started: ${noted()}`;
}
