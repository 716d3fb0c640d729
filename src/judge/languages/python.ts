import ivm from 'isolated-vm';
import { artifactsIn } from '../artifact-files.ts';
import { explainPython } from '../explanations/python.ts';
import { computedMs, endIsolate, FairClock, guardOf, type Look, type Seen as Looked } from '../fair-clock.ts';
import { TOO_DEEP, timeLimitError } from '../limit-texts.ts';
import type { LearnerError, TestMode, Trace } from '../protocol.ts';
import type { Artifacts, Observation, Program, RunLimits, Runner } from '../runner.ts';
import { readTrace } from '../trace.ts';
import { type GivenTest, OUTPUT_BYTES, type RawError, type Report } from './python/agreement.ts';
import {
  makeCodeCache,
  readInterpreter,
  repackStdlib,
  sharedSnapshot,
  takeSnapshot,
} from './python/build.ts';
import {
  compiled,
  interrupt,
  makeSandbox,
  type Parts,
  readBoard,
  type Sandbox,
  shared,
} from './python/sandbox.ts';

/** Each takes 27 MB. */
const POOL_SIZE = 2;
const RETRY_AFTER_MS = 100;
/** Tests follow each other inside the isolate for so long. */
const SLICE_MS = 40;
/** The engine compiles, and makes interpreters, on other threads. */
const OTHER_THREADS_MS = 150;
const WATCH_MS = 5;
/** A program may catch the interrupt. */
const INTERRUPT_MS = 250;
/** JSON may write one character as six. */
const REPORT_LIMIT = 2_000_000;

const ISOLATE_SCRIPT = 'python-isolate.js';

const FILES = {
  script: 'python-sandbox.script',
  wasm: 'python.wasm',
  stdlib: 'python-stdlib.zip',
  pages: 'python-snapshot.pages',
  data: 'python-snapshot.data',
  rest: 'python-snapshot.json',
  codeCache: 'python-sandbox.cache',
};

const REHEARSALS = [
  'print("a", 1, 2.5, [1], (2,), {"k": {3}})\nfor i in range(30):\n  print(f"{i:>3}", end=" ")',
  'name = input("?")\nprint(name.upper().split(), sorted("cab"), sum([1, 2]), max(1, 2), len("abc"))',
  'class A:\n  def __init__(self, x):\n    self.x = x\n  def __repr__(self):\n    return f"A({self.x!r})"\nprint([A(i) for i in range(3)])',
  'import math, random, json, re, datetime, collections\nprint(math.sqrt(2), random.randint(1, 6), json.dumps([1]), re.findall("a+", "aab"), collections.Counter("aab"))',
  'def f(n):\n  return 1 if n < 2 else n * f(n - 1)\ntry:\n  f(30) / 0\nexcept ZeroDivisionError as error:\n  print(error)\nx = [1, 2]\nprint(x[5])',
  'if True:\nprint(1)',
  'print(undefined)',
];

/** A plain one (see `harness.py`), so that nothing has to be restored. */
const WARM_UP = {
  code: 'def f(items):\n  found = {}\n  for item in items.split():\n    found[item] = found.get(item, 0) + 1\n  return [f"{n:>2}" for n in sorted(found)]\nprint(f("b a b"))',
  tests: [{ input: 'len(f("a b"))', mode: 'call' as const }],
};

let parts: Parts | null = null;
const pool: Sandbox[] = [];
const spent: Sandbox[] = [];
let making: Promise<void> | null = null;

function copied(bytes: Uint8Array): ivm.ExternalCopy<ArrayBuffer> {
  return new ivm.ExternalCopy(new Uint8Array(bytes).buffer);
}

function readParts(artifacts: Artifacts): Parts | null {
  const [script, wasm, stdlib, pages, data, rest, codeCache] = Object.values(FILES).map((name) =>
    artifacts.read(name),
  );
  if (!script || !wasm || !stdlib || !pages || !data || !rest) return null;
  const { differing, length, stack, functions } = JSON.parse(Buffer.from(rest).toString('utf8'));
  return {
    script: Buffer.from(script).toString('utf8'),
    codeCache: codeCache ? copied(codeCache) : null,
    module: compiled(wasm),
    stdlib: shared(stdlib),
    snapshot: sharedSnapshot({ pages, data, differing, length, stack, functions }),
  };
}

async function makeArtifacts(bundled: Artifacts): Promise<Record<string, Uint8Array>> {
  const bundle = bundled.read(ISOLATE_SCRIPT);
  if (!bundle) throw new Error(`${ISOLATE_SCRIPT} is missing: run "npm run build"`);
  const original = readInterpreter(process.cwd(), Buffer.from(bundle).toString('utf8'));
  const interpreter = { ...original, stdlib: await repackStdlib(original) };
  const snapshot = await takeSnapshot(interpreter);
  const { pages, data, ...rest } = snapshot;
  const text = (content: string) => new Uint8Array(Buffer.from(content));
  const files: Record<string, Uint8Array> = {
    [FILES.script]: text(interpreter.script),
    [FILES.wasm]: interpreter.wasm,
    [FILES.stdlib]: interpreter.stdlib,
    [FILES.pages]: pages,
    [FILES.data]: data,
    [FILES.rest]: text(JSON.stringify(rest)),
  };
  const whole = readParts({ read: (name) => files[name] ?? null })!;
  files[FILES.codeCache] = await makeCodeCache(whole, REHEARSALS);
  // What was built must be what a child will find: a sandbox of it, with the cache taken.
  const check = await makeSandbox({ ...whole, codeCache: copied(files[FILES.codeCache]!) });
  const [answer] = await tell(check, 'print(6 * 7)', [{ input: '', mode: 'stdin' }], 5_000);
  check.isolate.dispose();
  if (check.cacheRejected) throw new Error("the engine does not take python's code cache");
  if (answer?.value !== '42\n') throw new Error(`python's snapshot does not work: ${JSON.stringify(answer)}`);
  return files;
}

// One test

/** Only texts of limited length come of an isolate's string, whatever it is. */
function readReports(text: unknown, most: number): Report[] {
  try {
    if (typeof text !== 'string' || text.length > REPORT_LIMIT) throw new Error('not a report');
    const reports = JSON.parse(text) as Report[];
    if (reports.length < 1 || reports.length > most) throw new Error('not the reports of these tests');
    return reports.map(boundReport);
  } catch {
    // Only a program that got at the JavaScript around its interpreter can bring this about.
    return [{ phase: 'end', over: false, output: '', crash: 'no report' }];
  }
}

function boundReport(report: Report): Report {
  const { phase, over, output, value, returned, withoutPrompts, error, crash } = report;
  const text = (raw: unknown, limit: number) => (typeof raw === 'string' ? raw.slice(0, limit) : '');
  return {
    phase: phase === 'start' || phase === 'program' || phase === 'call' ? phase : 'end',
    over: over === true,
    output: text(output, OUTPUT_BYTES),
    ...(typeof value === 'string' ? { value: text(value, OUTPUT_BYTES) } : {}),
    ...(returned === 'text' || returned === 'nothing' || returned === 'value' ? { returned } : {}),
    ...(typeof withoutPrompts === 'string' ? { withoutPrompts: text(withoutPrompts, OUTPUT_BYTES) } : {}),
    ...(typeof crash === 'string' ? { crash: text(crash, 200) } : {}),
    ...(error
      ? {
          error: {
            name: text(error.name, 200),
            message: text(error.message, 2_000),
            line: text(error.line, 20),
            column: text(error.column, 20),
          },
        }
      : {}),
    ...(typeof report.trace === 'string' ? { trace: report.trace } : {}),
  };
}

function traceOf({ trace }: Report): Trace | undefined {
  try {
    return trace === undefined ? undefined : readTrace(JSON.parse(trace));
  } catch {
    return undefined;
  }
}

interface Test {
  input: string;
  mode: TestMode;
}

async function tell(
  { entries }: Sandbox,
  code: string,
  tests: readonly Test[],
  timeout: number,
  sliceMs = 0,
  isRecorded = false,
): Promise<Report[]> {
  // The snapshot would otherwise freeze entropy and `random`.
  const given = tests.map(({ input, mode }): GivenTest => {
    const [seed = 0, ...key] = crypto.getRandomValues(new Uint32Array(5));
    return [mode === 'stdin' ? input.replace(/\r\n?/g, '\n') : input, mode, key, seed];
  });
  const text = await entries.run.apply(undefined, [code, JSON.stringify(given), sliceMs, isRecorded], {
    timeout: Math.ceil(timeout),
  });
  return readReports(text, tests.length);
}

const NOTHING = { value: null, output: '', outputTruncated: false, error: null };

interface Seen {
  observation: Observation;
  /** Not fit for another test. */
  isSpoiled: boolean;
  /** It came before any input was used. */
  isForAll: boolean;
}

function place(text: string): number | null {
  const number = Number(text);
  return text !== '' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

function learnerError(code: string, raw: RawError): LearnerError {
  const line = place(raw.line);
  const source = line === null ? null : (code.split('\n')[line - 1] ?? null);
  return {
    name: raw.name || 'Error',
    message: raw.message,
    line,
    column: line === null ? null : place(raw.column),
    explanation: explainPython(raw.name, raw.message, source),
  };
}

const SYNTAX_ERRORS = ['SyntaxError', 'IndentationError', 'TabError'];

function crashError(crash: string): RawError {
  const nowhere = { line: '', column: '' };
  if (/Maximum call stack|stack/i.test(crash))
    return { name: 'RecursionError', message: 'maximum recursion depth exceeded', ...nowhere };
  if (/ExitStatus|exit\(/.test(crash))
    return { name: 'SystemExit', message: 'the program ended its own process', ...nowhere };
  return { name: 'SystemError', message: 'the program made the interpreter crash', ...nowhere };
}

function limitError(
  kind: Observation['kind'],
  report: Report | null,
  limits: RunLimits,
): LearnerError | null {
  const line = place(report?.error?.line ?? '');
  if (line === null) return null;
  const at = { line, column: null };
  if (kind === 'time_limit')
    return {
      ...timeLimitError(limits, line),
      explanation:
        'Does every loop come to an end? Something in it must change what its condition looks at, and while True needs a break. If they all end, the program does more work than fits into its time.',
    };
  if (kind === 'memory_limit')
    return {
      ...at,
      name: 'MemoryError',
      message: `The program needed more than ${limits.memoryMb} MB of memory at line ${line}.`,
      explanation: 'Look for a list, a text or a number that keeps growing.',
    };
  return {
    ...at,
    name: 'OutputLimit',
    message: `The program printed more than ${Math.floor(limits.outputBytes / 1024)} KB and was stopped at line ${line}.`,
    explanation: 'Look for a print inside a loop that runs too often or never ends.',
  };
}

function observationOf(code: string, report: Report, wasInterrupted: boolean, limits: RunLimits): Seen {
  const { output, error, crash, phase } = report;
  const trace = traceOf(report);
  const base = {
    value: null,
    output,
    outputTruncated: report.over,
    error: null,
    ...(trace ? { trace } : {}),
  };
  const isForAll = phase === 'start' || phase === 'program';
  const limit = (kind: 'time_limit' | 'memory_limit' | 'output_limit'): Seen => ({
    observation: { ...base, kind, error: limitError(kind, report, limits) },
    isSpoiled: true,
    isForAll,
  });
  if (report.over) return limit('output_limit');
  if (wasInterrupted) return limit('time_limit');
  const raw = error ?? (crash === undefined ? null : crashError(crash));
  // The parser and the compiler say so of what is nested too deeply; nothing of the program has run.
  if (phase === 'start' && raw && /^(?:Memory|Recursion)Error$/.test(raw.name)) {
    return {
      observation: { ...base, kind: 'syntax_error', error: TOO_DEEP },
      isSpoiled: true,
      isForAll,
    };
  }
  if (error?.name === 'MemoryError') return limit('memory_limit');
  if (raw) {
    const isSyntax = phase === 'start' && SYNTAX_ERRORS.includes(raw.name);
    return {
      observation: {
        ...base,
        kind: isSyntax ? 'syntax_error' : 'runtime_error',
        error: learnerError(code, raw),
      },
      isSpoiled: crash !== undefined,
      isForAll,
    };
  }
  const { value = '', returned, withoutPrompts } = report;
  return {
    observation: {
      ...base,
      kind: 'value',
      value,
      ...(returned ? { returned } : {}),
      ...(withoutPrompts !== undefined && withoutPrompts !== value ? { withoutPrompts } : {}),
    },
    isSpoiled: false,
    isForAll: false,
  };
}

function stopped(sandbox: Sandbox, thrown: unknown, code: string, limits: RunLimits): Seen {
  const message = thrown instanceof Error ? thrown.message : '';
  const known: Report = readBoard(sandbox);
  if (/memory limit/.test(message)) {
    const { output } = known;
    const observation: Observation = { ...NOTHING, kind: 'memory_limit', output };
    return { observation, isSpoiled: true, isForAll: false };
  }
  if (/timed out|[Ii]solate (was|is) disposed/.test(message)) return observationOf(code, known, true, limits);
  throw thrown;
}

/** Calls `onEnd` after `cpuMs` of processor time or `wallMs`. */
function watch(cpuMs: number, wallMs: number, onEnd: () => void): () => void {
  const before = computedMs();
  const deadline = performance.now() + wallMs;
  const leftMs = () => Math.min(cpuMs - (computedMs() - before), deadline - performance.now());
  const look = () => {
    const left = leftMs();
    if (left > 1) timer = setTimeout(look, Math.max(WATCH_MS, left));
    else onEnd();
  };
  let timer = setTimeout(look, Math.min(cpuMs, wallMs));
  return () => clearTimeout(timer);
}

interface Observed {
  seen: Seen[];
  lost: number;
}

/** A broken-off call tells only of its current test: earlier ones are lost. */
async function observe(
  sandbox: Sandbox,
  { code, traced }: Program,
  tests: readonly Test[],
  limits: RunLimits,
  { budgetMs, wallMs }: Look,
): Promise<Looked<Observed>> {
  const { isolate } = sandbox;
  let wasInterrupted = false;
  // Near the end it must be known which test the interrupt hits.
  const isTogether = tests.length > 1 && budgetMs > 4 * SLICE_MS;
  const sliceMs = isTogether ? SLICE_MS : 0;
  const guard = guardOf(() => endIsolate(isolate));
  const unwatch = watch(budgetMs + sliceMs + OTHER_THREADS_MS, wallMs, () => {
    wasInterrupted = true;
    interrupt(sandbox);
    guard.begin(0);
  });
  const together = isTogether ? tests : tests.slice(0, 1);
  try {
    const reports = await tell(sandbox, code, together, wallMs + INTERRUPT_MS, sliceMs, traced === true);
    const last = reports.length - 1;
    const seen = reports.map((report, at) =>
      observationOf(code, report, wasInterrupted && at === last, limits),
    );
    return { result: { seen, lost: 0 }, isOutOfTime: seen[last]!.observation.kind === 'time_limit' };
  } catch (thrown) {
    const { test } = readBoard(sandbox);
    const seen = stopped(sandbox, thrown, code, limits);
    const lost = Math.min(Math.max(0, test), together.length - 1);
    return { result: { seen: [seen], lost }, isOutOfTime: seen.observation.kind === 'time_limit' };
  } finally {
    unwatch();
    guard.stop();
  }
}

// The pool

/** Programs of one search for a hint are one learner's: memory is restored between them as between tests. */
let kept: { search: number; sandbox: Sandbox } | null = null;

async function take(search?: number): Promise<Sandbox> {
  const last = kept;
  kept = null;
  if (last && last.search === search) return last.sandbox;
  if (last) spent.push(last.sandbox);
  if (!parts) throw new Error('python has not been started');
  // One that fails to start here is tried again below.
  if (pool.length === 0) await making?.catch(() => {});
  const ready = pool.pop();
  if (ready) return ready;
  try {
    return await makeSandbox(parts);
  } catch {
    // What earlier ones held is given back late where there is much to do.
    await new Promise((done) => setTimeout(done, RETRY_AFTER_MS));
    return await makeSandbox(parts);
  }
}

async function makeWarm(from: Parts): Promise<Sandbox> {
  const sandbox = await makeSandbox(from);
  const [report] = await tell(sandbox, WARM_UP.code, WARM_UP.tests, 5_000);
  if (report?.value === '2') return sandbox;
  endIsolate(sandbox.isolate);
  throw new Error(`a new python interpreter does not work: ${JSON.stringify(report)}`);
}

async function fill(): Promise<void> {
  for (const sandbox of spent.splice(0)) endIsolate(sandbox.isolate);
  while (parts && pool.length < POOL_SIZE) pool.push(await makeWarm(parts));
}

async function runAll(program: Program, limits: RunLimits): Promise<Observation[]> {
  const tests = program.inputs.length > 0 ? program.inputs : [{ input: '', mode: 'stdin' as const }];
  return runTests(program, tests, limits);
}

async function runTests(program: Program, tests: readonly Test[], limits: RunLimits): Promise<Observation[]> {
  // The processor time of a test is watched here, so that it has all of the wall clock's at its first look.
  const clock = new FairClock(limits, { slackMs: OTHER_THREADS_MS, isWatched: true });
  const observations: Observation[] = [];
  let sandbox: Sandbox | null = null;
  let forAllCalls: Observation | null = null;
  const prepare = async () => {
    sandbox ??= await take(program.search);
  };
  const see = async (rest: readonly Test[], look: Look) => {
    const looked = await observe(sandbox!, program, rest, limits, look);
    if (looked.result.seen.at(-1)!.isSpoiled) {
      // At once: it may hold all the memory that a program is allowed.
      endIsolate(sandbox!.isolate);
      sandbox = null;
    }
    return looked;
  };
  try {
    while (observations.length < tests.length) {
      const test = tests[observations.length]!;
      if (forAllCalls && test.mode === 'call') {
        observations.push(forAllCalls);
        continue;
      }
      if (clock.leftMs <= 0) {
        observations.push({ ...NOTHING, kind: 'time_limit' });
        break;
      }
      const rest = tests.slice(observations.length);
      const { seen, lost } = await clock.observe((look) => see(rest, look), { prepare });
      const last = seen.at(-1)!;
      const { kind } = last.observation;
      if (lost > 0) {
        const again = await runTests(program, rest.slice(0, lost), { ...limits, totalMs: limits.testMs });
        observations.push(...again);
        if (again.length < lost) break;
      }
      for (const { observation } of seen) {
        // The first test read the same text: a later failure to read it is the program's own doing.
        if (observation.kind === 'syntax_error' && observations.length > 0)
          observation.kind = 'runtime_error';
        observations.push(observation);
      }
      if (last.observation.kind === 'syntax_error') return tests.map(() => last.observation);
      if (kind === 'time_limit' || kind === 'memory_limit') break;
      if (last.isForAll && rest[lost + seen.length - 1]!.mode === 'call') forAllCalls = last.observation;
    }
  } finally {
    if (sandbox && program.search) kept = { search: program.search, sandbox };
    else if (sandbox) spent.push(sandbox);
  }
  return observations;
}

/** CPython 3.14, by Pyodide, in an isolate (decision 46). */
export const runner: Runner = {
  languages: ['python'],
  pool: 'python',

  buildArtifacts: (folder) => makeArtifacts(artifactsIn(folder, true)),

  async start(artifacts) {
    parts = readParts(artifacts);
    if (!parts) {
      const files = await makeArtifacts(artifacts);
      parts = readParts({ read: (name) => files[name] ?? null })!;
    }
    const first = await makeSandbox(parts);
    if (first.cacheRejected) {
      console.error("python: the engine does not take the build's code cache; sandboxes start slower");
      parts = { ...parts, codeCache: null };
    }
    for (const code of REHEARSALS) {
      await tell(first, code, [{ input: 'a b', mode: 'stdin' }], 5_000);
      await tell(first, code, [{ input: 'str(1)', mode: 'call' }], 5_000);
    }
    endIsolate(first.isolate);
    await fill();
  },

  run: runAll,

  async refill() {
    making ??= fill().finally(() => {
      making = null;
    });
    if (pool.length === 0) await making;
  },
};
