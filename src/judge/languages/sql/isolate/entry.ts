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

// Runs in an isolate, never in Node. From the host it has only its own board, where it writes the current statement.

/** Growth of files; beyond it "no space left". */
const FILES_BYTES = 64 * 1_048_576;
/** Bytes of memory growth after which a new isolate is cheaper. */
const WORTH_KEEPING = 16 * 1_048_576;
/** No statement runs. */
const NOWHERE = -1;
/** Only these words draw random numbers. */
const DRAWS = /random|sample|shuffle/i;
/** Loaded before a program comes; none afterwards. */
const LIBRARIES = ['plpgsql', 'dict_snowball'];

let engine: Engine;
let memory: Memory;
let files: Files;
let sizeAtFirst = 0;
let board: Int32Array = new Int32Array(1);
let failure: unknown = null;
let names: ReadonlySet<string> = new Set();
/** Tables behind the newest mark. */
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

/** '' where the engine works. */
function trouble(): string {
  if (failure) return String((failure as Error).stack ?? failure);
  return sizeAtFirst > 0 ? '' : `not started: ${noted()}`;
}

/**
 * Makes a lesson's tables; equal ones stay.
 * @param key seeds random numbers
 * @returns the failure, or ''
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

/** A plain run where `input` is null; returns JSON. */
function test(code: string, input: string | null, outputBytes: number): string {
  if (isUsed) back();
  isUsed = true;
  progress(NOWHERE);
  // Random state was reset with the memory.
  if (DRAWS.test(code)) engine.run(`SELECT pg_catalog.setseed(${seed})`);
  const around = { names, outputBytes, progress };
  return JSON.stringify(
    input === null ? plainRun(engine, code, around) : runTest(engine, code, input, around),
  );
}

/**
 * Resets to before the submission; false where the isolate is used up.
 * @param isBrokenOff stopped in the middle
 */
function end(isBrokenOff: boolean): boolean {
  if (isBrokenOff) {
    // The stop may have hit tables or a mark: only the first mark is certain.
    files.mend();
    toFirst();
    if (!engine.answersAgain()) return false;
  }
  back();
  isUsed = false;
  return !engine.hasFallen() && memory.size <= sizeAtFirst + WORTH_KEEPING;
}

const entries = { boot, trouble, begin, test, end };

export type Entries = typeof entries;

Object.defineProperty(globalThis, 'sqlEntries', { value: entries, configurable: true });
