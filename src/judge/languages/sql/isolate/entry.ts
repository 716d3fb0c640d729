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
/** Words without which a program draws no random numbers. */
const DRAWS = /random|sample|shuffle/i;
/** Libraries that the engine loads before a program comes; afterwards it loads none. */
const LIBRARIES = ['plpgsql', 'dict_snowball'];

let engine: Engine;
let memory: Memory;
let files: Files;
let sizeAtFirst = 0;
let board: Int32Array = new Int32Array(1);
let failure: unknown = null;
let names: ReadonlySet<string> = new Set();
/** The lesson's tables that are behind the newest mark. */
let made: { fixture: string; problem: string } | null = null;
let seed = 0;
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

function toFirst(): void {
  memory.toFirst();
  files.toFirst();
  made = null;
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
 * Makes a lesson's tables, which each test of the submission begins with. Those of the submission before are taken where
 * they are the same.
 *
 * @param key random numbers of this submission's own
 * @returns what failed, or an empty text
 */
function begin(fixture: string, key: number[]): string {
  progress(NOWHERE);
  keyRandom(key);
  seed = (key[0]! >>> 0) / 2 ** 32;
  if (made?.fixture === fixture) return made.problem;
  if (made) toFirst();
  names = namesIn(fixture);
  const problem = makeTables(engine, fixture) ?? '';
  mark();
  made = { fixture, problem };
  return problem;
}

/** One test, or a plain run where `input` is null; gives its observation as JSON. */
function test(code: string, input: string | null, outputBytes: number): string {
  if (isUsed) back();
  isUsed = true;
  progress(NOWHERE);
  // The engine's own random numbers went back with its memory.
  if (DRAWS.test(code)) engine.run(`SELECT pg_catalog.setseed(${seed})`);
  const around = { names, outputBytes, progress };
  return JSON.stringify(
    input === null ? plainRun(engine, code, around) : runTest(engine, code, input, around),
  );
}

/**
 * Everything is as it was before the submission's first test; false where this isolate is not worth keeping.
 *
 * @param isBrokenOff the engine was stopped in the middle of something
 */
function end(isBrokenOff: boolean): boolean {
  if (isBrokenOff) {
    // It may have been stopped while it made the tables or a mark: what is certain is the first mark.
    files.mend();
    toFirst();
  } else back();
  isUsed = false;
  return !engine.hasFallen() && memory.size <= sizeAtFirst + WORTH_KEEPING;
}

const entries = { boot, trouble, begin, test, end };

/** The functions that the host calls. */
export type Entries = typeof entries;

Object.defineProperty(globalThis, 'sqlEntries', { value: entries, configurable: true });
