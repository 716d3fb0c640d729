import type { Pointers } from '../agreement.ts';
import type { Interpreter } from './module.ts';

export let interpreter: Interpreter;

export const pointers: Pointers = {};

export function setInterpreter(made: Interpreter): void {
  interpreter = made;
}
