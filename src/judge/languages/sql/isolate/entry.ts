import './surroundings.ts';
import { closeRealm } from '../../surroundings/realm.ts';
import { noted } from '../../surroundings/notes.ts';
import { keyRandom } from '../../surroundings/random.ts';
import { namesIn } from '../explain.ts';
import { type Engine, engineOf } from './engine.ts';
import { Files, type FileSystem } from './files.ts';
import { Memory } from './memory.ts';
import { rehearse } from './rehearsal.ts';
import { makeTables, plainRun, runTest } from './session.ts';
import { becomeLearner } from './session-user.ts';
import { closeLoader, start } from './start.ts';

// Runs inside an isolate, never in Node. Nothing of the host is reachable from here: no callback, no module, and of
// memory only a board of this isolate's own, on which it writes which statement it is at.

/** Bytes that a program may add to the files: more is "no space left", as on a full disk. */
const FILES_BYTES = 64 * 1_048_576;
/** Growth of the memory that is given back by a new isolate alone. */
const WORTH_KEEPING = 16 * 1_048_576;
/** On the board, where no statement of the program runs. */
const NOWHERE = -1;
/** Libraries that the engine loads before a program comes; afterwards it loads none. */
const LIBRARIES = ['plpgsql', 'dict_snowball'];

let engine: Engine;
let memory: Memory;
let files: Files;
let sizeAtFirst = 0;
let board: Int32Array = new Int32Array(1);
let failure: unknown = null;
let names: ReadonlySet<string> = new Set();
let isBegun = false;
let isUsed = false;

const progress = (at: number) => {
  board[0] = at;
};

function mark(): void {
  memory.mark();
  files.mark();
}

function back(): void {
  memory.back();
  files.back();
}

async function boot(
  module: WebAssembly.Module,
  bundle: ArrayBuffer,
  data: ArrayBuffer,
  shared: SharedArrayBuffer,
) {
  try {
    board = new Int32Array(shared);
    const started = await start(module, bundle, data);
    engine = engineOf(started);
    memory = new Memory(started.exports, () => started.database.Module.HEAPU8 as Uint8Array<ArrayBuffer>);
    files = new Files(started.database.Module.FS as unknown as FileSystem);
    for (const name of LIBRARIES) engine.run(`LOAD '${name}'`);
    becomeLearner(engine, started.database.Module.HEAPU8.buffer as ArrayBuffer, started.exports);
    rehearse(engine);
    closeLoader();
    closeRealm();
    sizeAtFirst = memory.size;
    files.bound(FILES_BYTES);
    mark();
  } catch (error) {
    failure = error;
  }
}

/** Why there is no engine; empty where there is one. */
function trouble(): string {
  if (failure) return String((failure as Error).stack ?? failure);
  return sizeAtFirst > 0 ? '' : `not started: ${noted()}`;
}

/**
 * Makes a lesson's tables, which each test of the submission begins with.
 *
 * @param key random numbers of this submission's own
 * @returns what failed, or an empty text
 */
function begin(fixture: string, key: number[]): string {
  isBegun = true;
  progress(NOWHERE);
  keyRandom(key);
  names = namesIn(fixture);
  // The engine's own random numbers go back with its memory.
  engine.run(`SELECT pg_catalog.setseed(${(key[0]! >>> 0) / 2 ** 32})`);
  const failed = makeTables(engine, fixture);
  mark();
  isUsed = false;
  return failed ?? '';
}

/** One test, or a plain run where `input` is null; gives its observation as JSON. */
function test(code: string, input: string | null, outputBytes: number): string {
  if (isUsed) back();
  isUsed = true;
  progress(NOWHERE);
  const around = { names, outputBytes, progress };
  return JSON.stringify(
    input === null ? plainRun(engine, code, around) : runTest(engine, code, input, around),
  );
}

/** Whether the engine answers: the glue around its memory is not put back, and may be left in the middle of a message. */
function answers(): boolean {
  try {
    return engine.run('SELECT 1').failure === null;
  } catch {
    return false;
  } finally {
    back();
  }
}

/**
 * Everything is as before the first submission; false where this isolate is not worth keeping.
 *
 * @param isBrokenOff the engine was stopped in the middle of something
 */
function end(isBrokenOff: boolean): boolean {
  if (isBrokenOff) files.mend();
  // Where it was stopped while the lesson's tables were made, they have no mark of their own yet.
  if (isBegun) {
    memory.toFirst();
    files.toFirst();
  }
  const isSound = !isBegun || answers();
  isBegun = false;
  return isSound && memory.size <= sizeAtFirst + WORTH_KEEPING;
}

const entries = { boot, trouble, begin, test, end };

/** The functions that the host calls. */
export type Entries = typeof entries;

Object.defineProperty(globalThis, 'sqlEntries', { value: entries, configurable: true });
