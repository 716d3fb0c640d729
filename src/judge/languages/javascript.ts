import ivm from 'isolated-vm';
import { die, dieOfEngine, foresee } from '#src/judge/comparing/answers.ts';
import { explainJavaScript } from '../explanations/javascript.ts';
import { isBeyondParser } from '../explanations/script.ts';
import { endIsolate, FairClock, type Guard, guardOf, type Look, type Seen } from '../fair-clock.ts';
import { TOO_DEEP, timeLimitError } from '../limit-texts.ts';
import type { LearnerError, Trace } from '../protocol.ts';
import { readTrace } from '../trace.ts';
import type { Artifacts, Observation, Program, RunLimits, Runner } from '../runner.ts';
import { type Instrumented, instrument } from './javascript/instrument.ts';
import { interruptedLine } from './javascript/interrupted-line.ts';

const SANDBOX_SCRIPT = 'javascript-sandbox.js';
const SNAPSHOT = 'javascript.snapshot';
const POOL_SIZE = 4;
const MOST_PREPARED = 10;
const NEEDS_KEPT = 4;
const POOL_MEMORY_MB = 64;
const REPORT_MS = 100;
const GIVE_UP_AFTER_MS = 500;
/** After so long an endless program is most likely where it stays. */
const STUCK_AFTER_MS = 300;
const REPORT_GROWTH = 14;
const TAKE_HARNESS =
  '(() => { const harness = globalThis.$harness; delete globalThis.$harness; return harness; })()';
const FORMS_KEPT = 2_000;
const COMPILED_HERE = 8_000;
const LEAVES_PROMISES = /Promise|[Aa]sync|await|then|queueMicrotask|import|\\u/;

const REHEARSAL = [
  [
    'start',
    `console.log("a", 1, true, [1, "b", { c: null }], new Map([[1, 2]]), new Set([1]), class A {}, () => 1, -0, undefined);
console.log({ a: { b: { c: [] } } }, "%s", [[1, 2, 3, 4, 5, 6, 7]], new Date(0), new Error("x"), 12n, Symbol("s"));
console.error("x"); console.table([{ a: 1 }]); console.group("g"); console.groupEnd();
setTimeout(() => {}, 1); clearTimeout(0); Math.random(); Date.now(); prompt();`,
    'one\ntwo\n',
    65_536,
  ],
  ['ask', '([{ a: [1, "x", null, true, -0, undefined] }])'],
  ['ask', '(new Map([["k", { a: 1 }]]))'],
  ['ask', '(Promise.resolve("x"))'],
  ['step'],
  ['step'],
  ['report'],
];

type Harness = ivm.Reference<(command: string, ...values: unknown[]) => unknown>;

interface Sandbox {
  context: ivm.Context;
  harness: Harness;
}

interface Warm {
  isolate: ivm.Isolate;
  sandboxes: Sandbox[];
}

let script = '';
let snapshot: ivm.ExternalCopy<ArrayBuffer> | undefined;
const pool: Warm[] = [];
const needed = [1];
/** Lessons ask the same inputs again and again. */
const forms = new Map<string, string | null>();

/** On this thread: another thread costs more. */
function makeSandbox(isolate: ivm.Isolate, inspector = false): Sandbox {
  const context = isolate.createContextSync({ inspector });
  if (!snapshot) context.evalSync(script, { filename: 'sandbox.js' });
  const harness = context.evalSync(TAKE_HARNESS, { reference: true }) as Harness;
  return { context, harness };
}

function makeIsolate(memoryMb: number, tests: number, inspector = false): Warm {
  const isolate = new ivm.Isolate({
    memoryLimit: memoryMb,
    inspector,
    ...(snapshot ? { snapshot } : {}),
    onCatastrophicError: dieOfEngine,
  });
  return { isolate, sandboxes: Array.from({ length: tests }, () => makeSandbox(isolate, inspector)) };
}

function placeIn(stack: string, code: string): { line: number | null; column: number | null } {
  const match = /program\.js:(\d+):(\d+)/.exec(stack);
  const line = match ? Number(match[1]) : null;
  // The harness adds lines of its own below the program's.
  if (line === null || line > code.split('\n').length) return { line: null, column: null };
  return { line, column: Number(match![2]) };
}

function learnerError(name: string, message: string, stack: string, code: string): LearnerError {
  const { line, column } = placeIn(stack, code);
  return { name, message, line, column, explanation: explainJavaScript(name, message, { code, line }) };
}

/** A short one on this thread, as another costs more. @throws {SyntaxError} */
async function compile(isolate: ivm.Isolate, text: string, filename?: string): Promise<void> {
  const options = filename ? { filename } : {};
  if (text.length <= COMPILED_HERE) {
    try {
      isolate.compileScriptSync(text, options).release();
      return;
    } catch (error) {
      if ((error as Error).name === 'SyntaxError') throw error;
      // The stack here is not the one that the program will have.
    }
  }
  (await isolate.compileScript(text, options)).release();
}

async function syntaxError(isolate: ivm.Isolate, code: string): Promise<LearnerError | null> {
  if (isBeyondParser(code)) return TOO_DEEP;
  try {
    await compile(isolate, code, 'program.js');
    return null;
  } catch (thrown) {
    const { name, message } = thrown as Error;
    if (name === 'RangeError') return TOO_DEEP;
    const match = /^(.*) \[program\.js:(\d+):(\d+)\]$/s.exec(message);
    if (!match) throw thrown;
    const lines = code.split('\n');
    // At the end of the input: the last line with something on it.
    let line = Math.min(Number(match[2]), lines.length);
    let column = Number(match[3]);
    while (line > 1 && lines[line - 1]!.trim() === '') {
      line -= 1;
      column = lines[line - 1]!.trimEnd().length + 1;
    }
    const text = match[1]!;
    return {
      name,
      message: text,
      line,
      column,
      explanation: explainJavaScript(name, text, { code, line }),
    };
  }
}

async function recordable(isolate: ivm.Isolate, code: string): Promise<Instrumented | null> {
  const made = instrument(code);
  try {
    if (made) await compile(isolate, made.code);
    return made;
  } catch {
    // Such as a function and a variable of one name, which a block does not allow.
    return null;
  }
}

async function formOf(isolate: ivm.Isolate, input: string): Promise<string | null> {
  const known = forms.get(input);
  if (known !== undefined) return known;
  const awaiting = `(async () => (${input}\n))()`;
  const candidates = [`(${input}\n)`, input];
  if (/\bawait\b/.test(input)) candidates.unshift(awaiting);
  let form: string | null = null;
  for (const candidate of candidates) {
    try {
      await compile(isolate, candidate);
      form = candidate;
      break;
    } catch (error) {
      if ((error as Error).name !== 'SyntaxError') throw error;
    }
  }
  if (forms.size >= FORMS_KEPT) forms.clear();
  forms.set(input, form);
  return form;
}

function plain(kind: Observation['kind'], error: LearnerError | null = null): Observation {
  return { kind, value: null, output: '', outputTruncated: false, error };
}

function reasonOf(thrown: unknown): 'time' | 'memory' | 'disposed' | 'rejection' {
  const message = thrown instanceof Error ? thrown.message : '';
  if (message === 'Script execution timed out.') return 'time';
  if (message === 'Isolate was disposed during execution due to memory limit') return 'memory';
  if (/^Isolate (was|is) disposed/.test(message)) return 'disposed';
  // Nobody handled a promise's rejection; isolated-vm hands it out as it would a thrown error.
  return 'rejection';
}

function rejectionError(thrown: unknown, code: string): LearnerError {
  if (!(thrown instanceof Error)) {
    return learnerError('Uncaught', `${String(thrown)} (in a promise)`.slice(0, 2_000), '', code);
  }
  const isNoError = thrown.message.startsWith('An object was thrown from supplied code');
  const message = isNoError ? 'A promise was rejected with an object that is no error.' : thrown.message;
  // Learners call a module that they cannot load by its statement.
  const text = message === 'Not supported' ? 'import() is not available here.' : message;
  return learnerError(String(thrown.name).slice(0, 200), text.slice(0, 2_000), String(thrown.stack), code);
}

interface Report {
  kind: string;
  value: string | null;
  returned: NonNullable<Observation['returned']>;
  output: string;
  trace?: Trace | undefined;
  error?: { name: string; message: string; stack: string };
}

/** Only texts of limited length come of a sandbox's string, whatever it is. */
function readReport(text: unknown, limits: RunLimits): Report | null {
  if (typeof text !== 'string' || text.length > limits.outputBytes * REPORT_GROWTH + 100_000) return null;
  try {
    const { kind, value, returned, output, error, trace } = JSON.parse(text) as Report;
    return {
      kind,
      value: typeof value === 'string' ? value : null,
      returned: returned === 'text' || returned === 'nothing' ? returned : 'value',
      output: typeof output === 'string' ? output.slice(0, limits.outputBytes) : '',
      trace: readTrace(trace),
      ...(error
        ? {
            error: {
              name: String(error.name).slice(0, 200),
              message: String(error.message).slice(0, 8_000),
              stack: String(error.stack).slice(0, 8_000),
            },
          }
        : {}),
    };
  } catch {
    return null;
  }
}

function observationOf(report: Report, mode: 'call' | 'printed', code: string): Observation {
  const { kind, output, error } = report;
  const value = mode === 'call' ? report.value : output;
  if (kind === 'runtime_error' && error) {
    const { name, message, stack } = error;
    // The allocator's own refusals.
    const isMemory = name === 'RangeError' && /^Array buffer allocation failed/.test(message);
    if (isMemory) return { ...plain('memory_limit'), output };
    return { ...plain('runtime_error', learnerError(name, message, stack, code)), output };
  }
  if (kind === 'output_limit') return { ...plain('output_limit'), output, outputTruncated: true };
  if (kind === 'time_limit') {
    const message = 'The program waits for timers for more than 60 seconds.';
    const explanation = 'An interval that is never cleared keeps a program running for ever.';
    return {
      ...plain('time_limit', { name: 'TimeLimit', message, line: null, column: null, explanation }),
      output,
    };
  }
  const given = mode === 'call' ? { returned: report.returned } : {};
  return { kind: 'value', value, ...given, output, outputTruncated: false, error: null };
}

const modeOf = (test: { mode: 'call' | 'stdin' } | null) => (test?.mode === 'call' ? 'call' : 'printed');

const linesOf = (input: string) => input.replace(/\r\n?/g, '\n');

type Tell = (command: string, ...values: (string | number | null)[]) => Promise<unknown>;

async function drive(
  tell: Tell,
  code: string,
  lines: string,
  form: string | null,
  limits: RunLimits,
): Promise<unknown> {
  let answer: unknown;
  if (LEAVES_PROMISES.test(code)) {
    // The engine works promises off whenever it is left.
    await tell('start', code, lines, limits.outputBytes);
    if (form !== null) await tell('ask', form);
    answer = await tell('step');
  } else answer = await tell('all', code, lines, limits.outputBytes, form);
  while (answer === true) answer = await tell('step');
  return answer;
}

async function stuckLine(
  code: string,
  lines: string,
  form: string | null,
  limits: RunLimits,
): Promise<number | null> {
  const { isolate, sandboxes } = makeIsolate(limits.memoryMb, 1, true);
  const giveUp = setTimeout(() => die('time'), limits.testMs + GIVE_UP_AFTER_MS);
  const tell: Tell = (command, ...values) =>
    sandboxes[0]!.harness.apply(undefined, [command, ...values], { timeout: limits.testMs });
  const run = () => drive(tell, code, lines, form, limits);
  try {
    const afterMs = Math.min(STUCK_AFTER_MS, limits.testMs / 2);
    const line = await interruptedLine(isolate, run, 'program.js', afterMs);
    return line !== null && line <= code.split('\n').length ? line : null;
  } finally {
    clearTimeout(giveUp);
    endIsolate(isolate);
  }
}

interface Result {
  observation: Observation;
  findLine?: () => Promise<number | null>;
}

async function observe(
  isolate: ivm.Isolate,
  guard: Guard,
  { harness }: Sandbox,
  { code, traced }: Program,
  test: { input: string; mode: 'call' | 'stdin' } | null,
  limits: RunLimits,
  { wallMs }: Look,
): Promise<Seen<Result>> {
  const deadline = performance.now() + wallMs;
  guard.begin(wallMs);
  const tell: Tell = (command, ...values) =>
    harness.apply(undefined, [command, ...values], {
      timeout: Math.max(1, Math.ceil(deadline - performance.now())),
    });
  const mode = modeOf(test);
  const lines = test?.mode === 'stdin' ? linesOf(test.input) : '';
  let form: string | null = null;
  const salvage = async (): Promise<Report> => {
    const text = await harness.apply(undefined, ['report'], { timeout: REPORT_MS }).catch(() => null);
    return readReport(text, limits) ?? { kind: 'value', value: null, returned: 'value', output: '' };
  };
  let recorded: Instrumented | null = null;
  const ended = (observation: Observation, trace?: Trace): Seen<Result> => {
    const { error } = observation;
    // Errors are told by the lines of the learner's text, which are the same in both; columns are not.
    if (recorded && error) error.column = null;
    return { result: { observation: trace ? { ...observation, trace } : observation }, isOutOfTime: false };
  };
  try {
    if (traced) recorded = await recordable(isolate, code);
    const text = recorded?.code ?? code;
    if (recorded) await tell('record', recorded.recorder);
    form = test?.mode === 'call' ? await formOf(isolate, test.input) : null;
    if (test?.mode === 'call' && form === null) {
      const message = "The test's input is not a JavaScript expression.";
      return ended(plain('runtime_error', learnerError('SyntaxError', message, '', code)));
    }
    const report = readReport(await drive(tell, text, lines, form, limits), limits);
    return ended(report ? observationOf(report, mode, code) : plain('output_limit'), report?.trace);
  } catch (thrown) {
    const reason = reasonOf(thrown);
    if (reason === 'memory') return ended(plain('memory_limit'));
    if (reason === 'disposed') return { result: { observation: plain('time_limit') }, isOutOfTime: true };
    const report = await salvage();
    // A flood of output is what filled the time.
    if (report.kind === 'output_limit') return ended(observationOf(report, mode, code), report.trace);
    if (reason === 'time') {
      const error = timeLimitError(limits, null);
      const observation = { ...plain('time_limit', error), output: report.output };
      if (report.trace)
        return { result: { observation: { ...observation, trace: report.trace } }, isOutOfTime: true };
      const findLine = () => stuckLine(code, lines, form, limits);
      return { result: { observation, findLine }, isOutOfTime: true };
    }
    return ended(
      { ...plain('runtime_error', rejectionError(thrown, code)), output: report.output },
      report.trace,
    );
  } finally {
    guard.rest();
  }
}

function noteNeed(contexts: number): void {
  needed.push(contexts);
  if (needed.length > NEEDS_KEPT) needed.shift();
}

async function runAll(
  warm: Warm,
  program: Program,
  limits: RunLimits,
  known: ReadonlyMap<number, Observation>,
): Promise<Observation[]> {
  const { code } = program;
  const wrong = await syntaxError(warm.isolate, code);
  const tests = program.inputs.length > 0 ? program.inputs : [null];
  if (wrong) return tests.map(() => plain('syntax_error', wrong));
  noteNeed(tests.length - known.size);
  const observations: Observation[] = [];
  const clock = new FairClock(limits);
  const guard = guardOf(() => endIsolate(warm.isolate));
  const see = async (test: (typeof tests)[number], look: Look) => {
    // Given up by an earlier look, or ended by what an earlier test had left to do.
    if (warm.isolate.isDisposed) Object.assign(warm, makeIsolate(limits.memoryMb, 1));
    const { isolate, sandboxes } = warm;
    const sandbox = sandboxes.pop() ?? makeSandbox(isolate);
    const seen = await observe(isolate, guard, sandbox, program, test, limits, look);
    if (seen.isOutOfTime) endIsolate(isolate);
    else if (!isolate.isDisposed) {
      sandbox.harness.release();
      sandbox.context.release();
    }
    return seen;
  };
  const outOfTime = () => ({ observation: plain('time_limit', timeLimitError(limits, null)) });
  try {
    for (const [at, test] of tests.entries()) {
      if (clock.leftMs <= 0) {
        observations.push(plain('time_limit'));
        break;
      }
      const told = known.get(at);
      const result: Result = told
        ? { observation: told }
        : await clock.observe((look) => see(test, look), { outOfTime });
      const { observation } = result;
      observations.push(observation);
      if (result.findLine && !program.search) {
        // Run once more, a program may do something else: what it did first counts.
        foresee(observations);
        observation.error = timeLimitError(limits, await result.findLine());
      }
      if (observation.kind === 'time_limit' || observation.kind === 'memory_limit') break;
    }
  } finally {
    guard.stop();
  }
  return observations;
}

export async function runJavaScript(
  program: Program,
  limits: RunLimits,
  known: ReadonlyMap<number, Observation> = new Map(),
): Promise<Observation[]> {
  const isUsual = limits.memoryMb === POOL_MEMORY_MB;
  const warm = (isUsual ? pool.pop() : undefined) ?? makeIsolate(limits.memoryMb, 1);
  try {
    return await runAll(warm, program, limits, known);
  } finally {
    endIsolate(warm.isolate);
  }
}

export const runner: Runner = {
  languages: ['javascript'],
  pool: 'web',

  async buildArtifacts(folder) {
    const { readFile } = await import('node:fs/promises');
    const { join } = await import('node:path');
    const code = await readFile(join(folder, SANDBOX_SCRIPT), 'utf8');
    // What it compiles stays, what it leaves behind does not.
    const rehearsal = REHEARSAL.map(
      (values) => `$harness(${values.map((value) => JSON.stringify(value)).join()});`,
    );
    const made = ivm.Isolate.createSnapshot([{ code, filename: 'sandbox.js' }], rehearsal.join(''));
    return { [SNAPSHOT]: new Uint8Array(made.copy()) };
  },

  async start(artifacts: Artifacts) {
    const sandboxScript = artifacts.read(SANDBOX_SCRIPT);
    if (!sandboxScript) throw new Error(`${SANDBOX_SCRIPT} is missing: run "npm run build"`);
    script = new TextDecoder().decode(sandboxScript);
    const made = artifacts.read(SNAPSHOT);
    snapshot = made
      ? new ivm.ExternalCopy(
          made.buffer.slice(made.byteOffset, made.byteOffset + made.byteLength) as ArrayBuffer,
        )
      : undefined;
    await this.refill();
  },

  run: (program, limits) => runJavaScript(program, limits),

  async refill() {
    while (pool.length < POOL_SIZE) {
      pool.push(makeIsolate(POOL_MEMORY_MB, Math.min(MOST_PREPARED, ...needed)));
      // A submission that has come meanwhile goes first.
      await new Promise((done) => setImmediate(done));
    }
  },
};
