import {
  BOARD,
  BOARD_HEAD_BYTES,
  BOARD_WORDS,
  INTERRUPT,
  OUTPUT_BYTES,
  PHASES,
  type Phase,
} from '../agreement.ts';

/** Until the host gives the one that both see. */
let words: Int32Array = new Int32Array(BOARD_WORDS);
let interruptByte = new Uint8Array(words.buffer, BOARD.interrupt * 4, 1);

/** Takes the host's memory for the board; gives the part of it that is for the output. */
export function shareBoard(shared: SharedArrayBuffer): Uint8Array {
  words = new Int32Array(shared, 0, BOARD_WORDS);
  interruptByte = new Uint8Array(shared, BOARD.interrupt * 4, 1);
  return new Uint8Array(shared, BOARD_HEAD_BYTES, OUTPUT_BYTES);
}

/** Where the interpreter looks for the interrupt. */
export function signalBuffer(): Uint8Array {
  return interruptByte;
}

/** Stops the program, as the host would. */
export function interruptProgram(): void {
  interruptByte[0] = INTERRUPT;
}

/** Wipes the board for the test of this number. */
export function startBoard(test: number): void {
  words.fill(0);
  words[BOARD.test] = test;
}

/** Writes down what a program has printed. */
export function boardOutput(end: number, isOver: boolean): void {
  words[BOARD.outputEnd] = end;
  words[BOARD.over] = isOver ? 1 : 0;
}

/** Writes down how far the test has come. */
export function enter(phase: Phase): void {
  words[BOARD.phase] = PHASES.indexOf(phase);
}

/** How far the test has come. */
export function phase(): Phase {
  return PHASES[words[BOARD.phase]!]!;
}
