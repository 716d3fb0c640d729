import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import ivm from 'isolated-vm';
import { artifactsIn } from '../artifact-files.ts';
import { endIsolate, FairClock, guardOf, type Look, type Seen } from '../fair-clock.ts';
import { timeLimitError } from '../limit-texts.ts';
import type { LearnerError } from '../protocol.ts';
import type { Artifacts, Observation, Program, RunLimits, Runner } from '../runner.ts';
import { makeDataFolder } from './sql/data-folder.ts';
import { makeSandbox, type Parts, type Sandbox } from './sql/sandbox.ts';
import { placeIn } from '../explanations/place.ts';

const ISOLATE_SCRIPT = 'sql-isolate.js';
const DATA_FOLDER = 'sql-data.tar';
const CODE_CACHE = 'sql-isolate.cache';
const PACKAGE = 'node_modules/@electric-sql/pglite/dist';
/** Milliseconds of the engine's own threads. */
const OTHER_THREADS_MS = 100;
/** Submissions of an isolate. */
const MOST_RUNS = 2_000;
/** JSON may write a character as six. */
const REPORT_LIMIT = 8_000_000;

let parts: Parts | null = null;
/** For the next submission, perhaps under construction. */
let next: Promise<Sandbox> | null = null;

function take(): Promise<Sandbox> {
  if (!parts) throw new Error('the SQL runner was not started');
  const taken = next ?? makeSandbox(parts);
  next = null;
  return taken;
}

async function partsOf(artifacts: Artifacts): Promise<Parts> {
  const file = async (name: string) => new Uint8Array(await readFile(resolve(PACKAGE, name)));
  const [engine, bundle] = await Promise.all([file('pglite.wasm'), file('pglite.data')]);
  const script = artifacts.read(ISOLATE_SCRIPT);
  if (!script) throw new Error(`${ISOLATE_SCRIPT} is missing: run "npm run build"`);
  const codeCache = artifacts.read(CODE_CACHE);
  return {
    script: Buffer.from(script).toString('utf8'),
    codeCache: codeCache ? new ivm.ExternalCopy(new Uint8Array(codeCache).buffer) : null,
    module: new ivm.ExternalCopy(new WebAssembly.Module(engine)),
    bundle,
    data: artifacts.read(DATA_FOLDER) ?? (await makeDataFolder()),
  };
}

const ended = (kind: Observation['kind'], error: LearnerError | null = null): Observation => ({
  kind,
  value: null,
  output: '',
  outputTruncated: false,
  error,
});

const FELL: LearnerError = {
  name: 'ConnectionEnded',
  message: 'The database ended the connection.',
  line: null,
  column: null,
  explanation:
    'One of your statements ended the session that they all run in, such as a function that calls itself without an end.',
};

/** The supervisor checks its content. */
function readObservation(text: unknown): Observation {
  if (typeof text !== 'string' || text.length > REPORT_LIMIT) throw new Error('no observation');
  return JSON.parse(text) as Observation;
}

interface Place {
  sandbox: Sandbox | null;
  /** Null until they were tried. */
  problem: string | null;
}

/** Makes the tables once, and runs one test. */
async function observe(
  place: Place,
  { code, fixture }: Program,
  input: string | null,
  limits: RunLimits,
  { wallMs }: Look,
): Promise<Seen<Observation>> {
  const sandbox = place.sandbox!;
  const deadline = performance.now() + wallMs;
  const timeout = () => Math.max(1, Math.ceil(deadline - performance.now()));
  const guard = guardOf(() => endIsolate(sandbox.isolate));
  const spoil = (result: Observation): Seen<Observation> => {
    endIsolate(sandbox.isolate);
    Object.assign(place, { sandbox: null, problem: null });
    return { result, isOutOfTime: false };
  };
  guard.begin(wallMs);
  try {
    if (place.problem === null) {
      const key = new ivm.ExternalCopy([...crypto.getRandomValues(new Uint32Array(4))]).copyInto();
      const begun = await sandbox.entries.begin.apply(undefined, [fixture, key], { timeout: timeout() });
      place.problem = String(begun);
    }
    if (place.problem !== '') {
      const message = `The tables of this lesson could not be made: ${place.problem}`;
      const error = { ...FELL, name: 'LessonError', message, explanation: null };
      return { result: ended('runtime_error', error), isOutOfTime: false };
    }
    const { test } = sandbox.entries;
    const text = await test.apply(undefined, [code, input, limits.outputBytes], { timeout: timeout() });
    return { result: readObservation(text), isOutOfTime: false };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    if (/timed out|[Ii]solate (was|is) disposed/.test(message)) {
      const at = sandbox.at();
      const line = at < 0 ? null : placeIn(code, at).line;
      if (!(await clean(sandbox, true))) endIsolate(sandbox.isolate);
      Object.assign(place, { sandbox: sandbox.isolate.isDisposed ? null : sandbox, problem: null });
      return { result: ended('time_limit', timeLimitError(limits, line)), isOutOfTime: true };
    }
    if (/memory limit|Array buffer allocation failed/.test(message)) return spoil(ended('memory_limit'));
    return spoil(ended('runtime_error', FELL));
  } finally {
    guard.stop();
  }
}

async function runAll(program: Program, limits: RunLimits): Promise<Observation[]> {
  const inputs = program.inputs.length > 0 ? program.inputs.map(({ input }) => input) : [null];
  const clock = new FairClock(limits, { slackMs: OTHER_THREADS_MS });
  const place: Place = { sandbox: null, problem: null };
  const observations: Observation[] = [];
  const prepare = async () => {
    place.sandbox ??= await take();
  };
  try {
    for (const input of inputs) {
      if (clock.leftMs <= 0) {
        observations.push(ended('time_limit'));
        break;
      }
      const outOfTime = () => ended('time_limit', timeLimitError(limits, null));
      const see = (look: Look) => observe(place, program, input, limits, look);
      const observation = await clock.observe(see, { prepare, outOfTime });
      observations.push(observation);
      if (observation.kind === 'time_limit') break;
    }
  } finally {
    if (place.sandbox) next = reuse(place.sandbox);
  }
  return observations;
}

/** Resets a sandbox; false where that fails or does not pay. */
async function clean(sandbox: Sandbox, isBrokenOff: boolean): Promise<boolean> {
  return (await sandbox.entries.end.apply(undefined, [isBrokenOff]).catch(() => false)) === true;
}

/** Resets the sandbox, or makes another. */
async function reuse(sandbox: Sandbox): Promise<Sandbox> {
  sandbox.runs += 1;
  if (sandbox.runs < MOST_RUNS && (await clean(sandbox, false))) return sandbox;
  endIsolate(sandbox.isolate);
  return makeSandbox(parts!);
}

/**
 * PostgreSQL in WebAssembly in an isolate, without files or network. Programs run as a role that owns only the lesson's tables;
 * each test starts from the engine's state behind them (decision 134).
 */
export const runner: Runner = {
  languages: ['sql'],
  pool: 'sql',

  async buildArtifacts(folder) {
    const bundled = artifactsIn(folder, true);
    const data = await makeDataFolder();
    const made = await partsOf({ read: (name) => (name === DATA_FOLDER ? data : bundled.read(name)) });
    const sandbox = await makeSandbox(made);
    const again = await sandbox.isolate.compileScript(made.script, {
      filename: 'sql-isolate.js',
      produceCachedData: true,
    });
    const { cachedData } = again as unknown as { cachedData?: { copy(): ArrayBuffer } };
    if (!cachedData) throw new Error('the engine made no code cache');
    const codeCache = new Uint8Array(cachedData.copy());
    // No disposal: an isolate disposed of at exit crashes V8.
    return { [DATA_FOLDER]: data, [CODE_CACHE]: codeCache };
  },

  async start(artifacts: Artifacts) {
    parts = await partsOf(artifacts);
    const first = await makeSandbox(parts);
    if (first.cacheRejected) {
      console.error("sql: the engine does not take the build's code cache; sandboxes start slower");
      parts = { ...parts, codeCache: null };
    }
    next = Promise.resolve(first);
  },

  run: runAll,

  async refill() {
    if (!parts) return;
    next ??= makeSandbox(parts);
    await next.catch(() => {
      next = null;
    });
  },
};
