import {
  BOARD,
  BOARD_HEAD_BYTES,
  BOARD_WORDS,
  INTERRUPT,
  OUTPUT_BYTES,
  PHASES,
  type Phase,
} from '../agreement.ts';

let words: Int32Array = new Int32Array(BOARD_WORDS);
let interruptByte = new Uint8Array(words.buffer, BOARD.interrupt * 4, 1);

export function shareBoard(shared: SharedArrayBuffer): Uint8Array {
  words = new Int32Array(shared, 0, BOARD_WORDS);
  interruptByte = new Uint8Array(shared, BOARD.interrupt * 4, 1);
  return new Uint8Array(shared, BOARD_HEAD_BYTES, OUTPUT_BYTES);
}

export function signalBuffer(): Uint8Array {
  return interruptByte;
}

export function interruptProgram(): void {
  interruptByte[0] = INTERRUPT;
}

export function startBoard(test: number): void {
  words.fill(0);
  words[BOARD.test] = test;
}

export function boardOutput(end: number, isOver: boolean): void {
  words[BOARD.outputEnd] = end;
  words[BOARD.over] = isOver ? 1 : 0;
}

export function enter(phase: Phase): void {
  words[BOARD.phase] = PHASES.indexOf(phase);
}

export function phase(): Phase {
  return PHASES[words[BOARD.phase]!]!;
}
