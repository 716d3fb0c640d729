import { closeRealm } from '../../surroundings/realm.ts';
import { signalBuffer } from './board.ts';
import { forgetFiles, sealFiles } from './bounds.ts';
import { interpreter } from './running.ts';

export function heedInterrupts(): void {
  interpreter.HEAP8[interpreter._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
}

/** A program that broke out would find an empty JavaScript world. */
export function seal(): void {
  sealFiles();
  forgetFiles();
  interpreter.Py_EmscriptenSignalBuffer = signalBuffer();
  heedInterrupts();
  closeRealm(['createPyodideModule']);
}
