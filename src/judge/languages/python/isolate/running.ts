import type { Pointers } from '../agreement.ts';
import type { Interpreter } from './module.ts';

/** The isolate's one interpreter; nothing that needs it is called before `boot` has brought it. */
export let interpreter: Interpreter;

/** Addresses of the harness's functions, once they are known. */
export const pointers: Pointers = {};

/** Makes this the isolate's interpreter. */
export function setInterpreter(made: Interpreter): void {
  interpreter = made;
}
