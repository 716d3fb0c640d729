import type ivm from 'isolated-vm';
import type { Look, Seen } from '../../fair-clock.ts';
import { TOO_DEEP, timeLimitError } from '../../limit-texts.ts';
import { explainReact } from '../../explanations/react.ts';
import type { LearnerError } from '../../protocol.ts';
import type { Observation, Program, RunLimits } from '../../runner.ts';
import { interruptedLine } from '../javascript/interrupted-line.ts';
import {
  eachInput,
  ended,
  failure,
  invalidInput,
  NOTHING,
  observationOf,
  type Result,
  stopped,
} from './observations.ts';
import { InvalidInput, parseReactInput, type Query, type ReactInput } from './query.ts';
import { PROGRAM_FILE, type ReactSource, reactSource } from './react-source.ts';
import { unpack } from './readings.ts';
import {
  type Called,
  callSandbox,
  close,
  isStopped,
  openSandbox,
  renew,
  type Sandbox,
  takeSandbox,
} from './sandboxes.ts';

const TESTS_PER_ISOLATE = 4;

/** The sandbox takes a part of it. */
const STUCK_AFTER_MS = 400;

const COLLECT_MS = 500;

export async function runReact(program: Program, limits: RunLimits): Promise<Observation[]> {
  let sandbox: Sandbox | null = null;
  let tests = 0;
  const next = async (): Promise<Sandbox> => {
    tests += 1;
    if (sandbox && !sandbox.isolate.isDisposed) {
      // A third of the time of a new isolate.
      if (tests % TESTS_PER_ISOLATE !== 1) return renew(sandbox);
      close(sandbox);
    }
    return takeSandbox(limits.memoryMb, Math.min(TESTS_PER_ISOLATE, program.inputs.length));
  };
  try {
    return await eachInput(program, limits, async (input, look) => {
      let asked: ReactInput;
      let source: ReactSource;
      try {
        asked = parseReactInput(input ?? '');
        source = reactSource(program.code, asked.element);
      } catch (error) {
        const invalid = error instanceof InvalidInput ? error : new InvalidInput((error as Error).message);
        return ended(invalidInput(invalid));
      }
      if (!source.ok) return ended(failure('syntax_error', explained(source.error, program.code)));
      sandbox = await next();
      return runOnce(sandbox, program, source, asked, limits, look);
    });
  } finally {
    if (sandbox) close(sandbox);
  }
}

async function runOnce(
  sandbox: Sandbox,
  program: Program,
  source: ReactSource & { ok: true },
  asked: ReactInput,
  limits: RunLimits,
  { wallMs }: Look,
): Promise<Seen<Result>> {
  const { isolate, context, entry } = sandbox;
  let factory: ivm.Reference;
  try {
    // By itself first: with a comment that the two parsers read differently it could close the function around it.
    (await isolate.compileScript(source.program, { filename: PROGRAM_FILE })).release();
    const compiled = await isolate.compileScript(source.script, { filename: PROGRAM_FILE, lineOffset: -1 });
    factory = (await compiled.run(context, { reference: true })) as ivm.Reference;
  } catch (error) {
    return ended(
      failure('syntax_error', explained(compileError(error as Error, program.code), program.code)),
    );
  }
  const plan = {
    name: source.name,
    steps: asked.steps,
    query: asked.query,
    outputLimit: limits.outputBytes,
    epochMs: Date.now(),
    file: PROGRAM_FILE,
    lines: program.code.split('\n').length,
  };
  const called = await callSandbox(
    sandbox,
    'startProgram',
    [factory.derefInto(), JSON.stringify(plan)],
    wallMs,
  );
  let collected: unknown = null;
  if (!isolate.isDisposed) {
    collected = await entry.collectResult.apply(undefined, [], { timeout: COLLECT_MS }).catch(() => null);
  }
  const text = typeof collected === 'string' ? collected : null;
  // Not even that was possible in so long: what came of it is not known.
  const isLost = text === null && !isolate.isDisposed;
  // Something of the program may still be on its way there.
  if (isStopped(called) || isLost) close(sandbox);
  const observation = outcome(called, text, asked.query, program, limits);
  if (observation.kind !== 'time_limit') return ended(observation);
  if (!isStopped(called)) return { result: { observation }, isOutOfTime: isLost };
  observation.error = timeLimitError(limits, null);
  const findLine = () => stuckLine(program.code, source, plan, limits);
  return {
    result: called.isDisposed ? { observation } : { observation, findLine },
    isOutOfTime: true,
  };
}

async function stuckLine(
  code: string,
  source: ReactSource & { ok: true },
  plan: object,
  limits: RunLimits,
): Promise<number | null> {
  const sandbox = await openSandbox(limits.memoryMb, true);
  try {
    const { isolate, context } = sandbox;
    const compiled = await isolate.compileScript(source.script, { filename: PROGRAM_FILE, lineOffset: -1 });
    const factory = (await compiled.run(context, { reference: true })) as ivm.Reference;
    const run = () =>
      callSandbox(sandbox, 'startProgram', [factory.derefInto(), JSON.stringify(plan)], limits.testMs);
    const afterMs = Math.min(STUCK_AFTER_MS, limits.testMs / 2);
    const line = await interruptedLine(isolate, run, PROGRAM_FILE, afterMs);
    return line !== null && line <= code.split('\n').length ? line : null;
  } finally {
    close(sandbox);
  }
}

function compileError(error: Error, code: string): Omit<LearnerError, 'explanation'> {
  if (error.name === 'RangeError') return TOO_DEEP;
  const place = new RegExp(`${PROGRAM_FILE}:(\\d+):(\\d+)`).exec(`${error.message}\n${error.stack}`);
  const line = Number(place?.[1] ?? 0);
  return {
    name: 'SyntaxError',
    message: error.message.replace(/\s*\[.*\]\s*$/, ''),
    line: place && line <= code.split('\n').length ? line : null,
    column: null,
  };
}

/** React prints it again and again: the flood is its sign. */
const ENDLESS_EFFECT = /Maximum update depth exceeded\.[^\n]{0,300}/;

/** The judge's own names are not a program's. */
const OF_THE_JUDGE =
  /Limit$|^(?:NotRun|Hint|NoMatch|NoAttribute|NoProperty|NoComponent|TestError|PageError)$/;

const ownName = (name: string): string => (OF_THE_JUDGE.test(name) ? 'Error' : name);

const explained = (error: Omit<LearnerError, 'explanation'>, code: string): LearnerError =>
  error.message === TOO_DEEP.message
    ? TOO_DEEP
    : { ...error, explanation: explainReact(error.name, error.message, error.line, code) };

/** Inside React, the line of the rendered component. */
function lineIn(stack: string, code: string): number | null {
  const lines = code.split('\n');
  for (const match of stack.matchAll(new RegExp(`${PROGRAM_FILE}:(\\d+):\\d+`, 'g'))) {
    const line = Number(match[1]);
    if (line >= 1 && line <= lines.length) return line;
  }
  for (const match of stack.matchAll(/^\s+at ([A-Z]\w*)(?= |$)/gm)) {
    const declared = new RegExp(`\\b(?:function|class|const|let|var)\\s+${match[1]}\\b`);
    const at = lines.findIndex((line) => declared.test(line));
    if (at >= 0) return at + 1;
  }
  return null;
}

function outcome(
  called: Called,
  collected: string | null,
  query: Query,
  program: Program,
  limits: RunLimits,
): Observation {
  const [
    state = '',
    kind = 'none',
    name = '',
    message = '',
    stack = '',
    output = '',
    more = '',
    found = '',
    detail = '',
  ] = collected === null ? [] : unpack(collected);
  const printed = { output, outputTruncated: more !== '' };
  const endless = more === '' ? null : ENDLESS_EFFECT.exec(output);
  if (endless) {
    const error = explained({ name: 'Error', message: endless[0], line: null, column: null }, program.code);
    return { ...NOTHING, output: endless[0], outputTruncated: false, kind: 'runtime_error', error };
  }
  if (more !== '') return { ...NOTHING, ...printed, kind: 'output_limit' };
  if (isStopped(called)) return { ...stopped(called.stopped), ...printed };
  const { code } = program;
  if (kind === 'missed' || kind === 'no-component') {
    return {
      ...NOTHING,
      ...printed,
      kind: 'runtime_error',
      error: explained({ name, message, line: null, column: null }, code),
    };
  }
  if (kind === 'error') {
    const error = { name: ownName(name), message, line: lineIn(stack, code), column: null };
    return { ...NOTHING, ...printed, kind: 'runtime_error', error: explained(error, code) };
  }
  if ('thrown' in called) {
    // A promise was rejected and nobody looked.
    const { name: type, message: text, stack: trace } = called.thrown;
    const error = {
      name: ownName(String(type ?? 'Error').slice(0, 200)),
      message: String(text ?? '').slice(0, 2_000),
      line: lineIn(String(trace ?? ''), code),
      column: null,
    };
    return { ...NOTHING, ...printed, kind: 'runtime_error', error: explained(error, code) };
  }
  if (state !== 'over' || found === 'none' || collected === null)
    return { ...stopped('time_limit'), ...printed };
  return { ...observationOf(found, detail, query, limits), ...printed };
}
