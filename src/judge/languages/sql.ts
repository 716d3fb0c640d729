import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isMainThread, Worker } from 'node:worker_threads';
import { timeLimitError } from '../limit-texts.ts';
import type { Artifacts, Observation, Program, RunLimits, Runner } from '../runner.ts';
import type { DatabaseParts } from './sql/connection.ts';
import { makeDataFolder } from './sql/data-folder.ts';
import { serveDatabase, type Told } from './sql/database-thread.ts';
import { placeIn } from './sql/statements.ts';

const DATA_FOLDER = 'sql-data.tar';
const PACKAGE = 'node_modules/@electric-sql/pglite/dist';
const LOOK_MS = 20;
/** A program that got so little of the processor that it has not had its time by then gets no verdict. */
const STARVED_AFTER_MS = 16_000;
/** What else a thread does, and how exactly a process's time is told. */
const SHARE = 0.9;
/** Submissions of one database. */
const MOST_RUNS = 2_000;

/** The machine had no time for a program; told by its name, see child.ts. */
class TooBusy extends Error {
  override name = 'TooBusy';
}

/** A database in a thread of its own, which can be ended whatever it does. */
class DatabaseThread {
  readonly ready: Promise<void>;
  readonly worker: Worker;
  runs = 0;

  constructor(parts: DatabaseParts) {
    // The bundle that this is, once more: it knows by its thread what it is to do.
    this.worker = new Worker(new URL(import.meta.url), { workerData: parts, stdout: true });
    this.ready = new Promise((done, fail) => {
      this.worker.once('message', () => done());
      this.worker.once('error', fail);
      this.worker.once('exit', (code) => fail(new Error(`the database's thread ended with ${code}`)));
    });
    // It is awaited when it is needed.
    this.ready.catch(() => {});
  }
}

let parts: DatabaseParts | null = null;
let current: DatabaseThread | null = null;

function database(): DatabaseThread {
  if (!parts) throw new Error('the SQL runner was not started');
  current ??= new DatabaseThread(parts);
  return current;
}

function spend(): void {
  void current?.worker.terminate();
  current = null;
}

const computedMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

type Ended = 'done' | 'spent' | 'broken' | 'time' | 'starved';

/** Has a database run a submission, and ends it where it takes too long. */
async function runIn(
  thread: DatabaseThread,
  program: Program,
  limits: RunLimits,
): Promise<{ observations: Observation[]; ended: Ended; at: number }> {
  const observations: Observation[] = [];
  let at = 0;
  const begun = { wall: performance.now(), computed: computedMs() };
  let test = { ...begun };
  const worker = thread.worker;
  return new Promise((settle) => {
    const finish = (ended: Ended) => {
      clearInterval(watch);
      worker.off('message', hear).off('error', fall).off('exit', fall);
      settle({ observations, ended, at });
    };
    const watch = setInterval(() => {
      const now = { wall: performance.now(), computed: computedMs() };
      const isOver = (since: typeof begun, limitMs: number) =>
        now.wall - since.wall > limitMs && now.computed - since.computed > limitMs * SHARE;
      if (isOver(test, limits.testMs) || isOver(begun, limits.totalMs)) finish('time');
      else if (now.wall - begun.wall > limits.totalMs + STARVED_AFTER_MS) finish('starved');
    }, LOOK_MS);
    const hear = (told: Told) => {
      if (told.type === 'at') at = told.at;
      else if (told.type === 'seen') {
        observations.push(told.observation);
        test = { wall: performance.now(), computed: computedMs() };
      } else if (told.type === 'done') finish(told.isSpent ? 'spent' : 'done');
      else if (told.type === 'broken') finish('broken');
    };
    const fall = () => finish('broken');
    worker.on('message', hear).on('error', fall).on('exit', fall);
    worker.postMessage({ program, outputBytes: limits.outputBytes });
  });
}

const ended = (kind: Observation['kind'], error: Observation['error']): Observation => ({
  kind,
  value: null,
  output: '',
  outputTruncated: false,
  error,
});

/**
 * SQL, in a PostgreSQL of its own: compiled for WebAssembly, it has no files, no network and no memory but what it is
 * given. Programs run as a role with few rights, in a transaction that is never committed (`sql/session.ts`). Where a
 * text could reach beyond that, its database is not used again.
 */
export const runner: Runner = {
  languages: ['sql'],
  pool: 'sql',

  async buildArtifacts() {
    return { [DATA_FOLDER]: await makeDataFolder() };
  },

  async start(artifacts: Artifacts) {
    const file = async (name: string) => new Uint8Array(await readFile(resolve(PACKAGE, name)));
    const [engine, bundle] = await Promise.all([
      file('pglite.wasm').then((code) => WebAssembly.compile(code)),
      file('pglite.data'),
    ]);
    const kept = artifacts.read(DATA_FOLDER);
    parts = { engine, bundle, data: kept ? new Uint8Array(kept) : await makeDataFolder() };
    await database().ready;
  },

  async run(program, limits) {
    const thread = database();
    await thread.ready;
    thread.runs += 1;
    const { observations, ended: how, at } = await runIn(thread, program, limits);
    if (how !== 'done' || thread.runs >= MOST_RUNS) spend();
    if (how === 'starved') throw new TooBusy('the machine gave the program too little time');
    if (how === 'time') {
      const { line } = placeIn(program.code, at);
      return [...observations, ended('time_limit', timeLimitError(limits, line))];
    }
    if (how === 'broken') {
      const error = {
        name: 'ConnectionEnded',
        message: 'The database ended the connection.',
        line: null,
        column: null,
        explanation:
          'One of your statements ended the session that they all run in, such as a function that calls itself without an end.',
      };
      const missing = Math.max(1, program.inputs.length) - observations.length;
      return [...observations, ...Array.from({ length: missing }, () => ended('runtime_error', error))];
    }
    return observations;
  },

  async refill() {
    await database().ready;
  },
};

if (!isMainThread) await serveDatabase();
