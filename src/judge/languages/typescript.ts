import { explainTypeScript } from './typescript/explain.ts';
import { TOO_DEEP, seconds } from '../limit-texts.ts';
import type { LearnerError } from '../protocol.ts';
import type { Observation, Program, RunLimits, Runner } from '../runner.ts';
import { runner as javascript, runJavaScript } from './javascript.ts';
import { breaksWith, CheckTooLong, findingsIn, type TypeFinding, typeOf } from './typescript/check.ts';
import { stripTypes } from './typescript/strip.ts';

/** Tests that ask the checker (decision 135). */
const MUST_NOT_COMPILE = /^\s*must not compile:([\s\S]*)$/;
const TYPE_OF = /^\s*type of\s([\s\S]*)$/;
const INPUTS_KEPT = 2_000;

const REHEARSAL = `interface Item { name: string; price: number; tags?: string[] }
type Found<T> = T extends { name: infer N } ? N : never;
class Cart<T extends Item> {
  private items: T[] = [];
  constructor(readonly owner: string) {}
  add(item: T): this { this.items.push(item); return this; }
  total(): number { return this.items.reduce((sum, { price }) => sum + price, 0); }
}
const byName = new Map<string, Item>();
const names: Found<Item>[] = [...byName.values()].filter((item) => item.price > 1).map(({ name }) => name);
async function load(id: number | string): Promise<Item | null> {
  return typeof id === 'number' ? null : (byName.get(id) ?? null);
}
console.log(new Cart<Item>('Ada').add({ name: 'Tea', price: 3 }).total(), names, load, Object.entries({ a: 1 }));
`;

const inputs = new Map<string, string>();

function plainInput(input: string): string {
  let plain = inputs.get(input);
  if (plain === undefined) {
    plain = stripTypes(input);
    if (inputs.size >= INPUTS_KEPT) inputs.clear();
    inputs.set(input, plain);
  }
  return plain;
}

const seen = (kind: Observation['kind'], value: string | null, error: LearnerError | null): Observation => ({
  kind,
  value,
  output: '',
  outputTruncated: false,
  error,
});

function learnerError({ code, message, line, column }: TypeFinding): LearnerError {
  const name = `TypeScript error TS${code}`;
  // Learners cannot change the compiler's options.
  const said = message.replace(/ (?:Do you need to (?:change|install)|Try changing the 'lib') [\s\S]*$/, '');
  return { name, message: said, line, column, explanation: explainTypeScript(code, message) };
}

/** Inputs may be hidden. */
function hint(message: string, explanation: string): LearnerError {
  return { name: 'Hint', message, line: null, column: null, explanation };
}
const HINTS = {
  compiles: hint(
    'Your types allow what they should not: a line that the test adds to your program compiles.',
    'Look at types that are wider than they need be, such as any, string or a property that may be missing.',
  ),
  error: hint(
    'Your types refuse what they should allow: a line that the test adds to your program does not compile.',
    'Look at types that are narrower than they should be, and at the names that the task asks for.',
  ),
  type: hint(
    'The type is another one than the test asks for.',
    'Types are compared as the compiler writes them. Say the type of parameters and results where it is not the right one.',
  ),
};

function brokenOff(error: unknown, limits: RunLimits): Observation {
  const place = { line: null, column: null };
  if (error instanceof CheckTooLong) {
    return seen('time_limit', null, {
      ...place,
      name: 'TimeLimit',
      message: `Checking the types took longer than ${seconds(limits.testMs)} and was stopped.`,
      explanation: 'Look for a type that is made of itself again and again, or of very many parts.',
    });
  }
  // The compiler calls itself for what is nested.
  if (!(error instanceof RangeError)) throw error;
  return seen('syntax_error', null, { ...TOO_DEEP, name: 'TypeScript error' });
}

function askChecker(code: string, input: string, budgetMs: number): Observation | null {
  const call = MUST_NOT_COMPILE.exec(input)?.[1];
  if (call !== undefined) {
    const came = breaksWith(code, call.trim(), budgetMs) ? 'error' : 'compiles';
    return { ...seen('value', came, null), hint: HINTS[came] };
  }
  const expression = TYPE_OF.exec(input)?.[1];
  if (expression === undefined) return null;
  const answer = typeOf(code, expression.trim(), budgetMs);
  if ('type' in answer) return { ...seen('value', answer.type, null), hint: HINTS.type };
  // The line is the test's own.
  return seen('value', null, { ...learnerError(answer.wrong), line: null, column: null });
}

class Budget {
  #leftMs: number;
  readonly #testMs: number;

  constructor({ totalMs, testMs }: RunLimits) {
    this.#leftMs = totalMs;
    this.#testMs = testMs;
  }

  get leftMs(): number {
    return Math.max(1, this.#leftMs);
  }

  spend<T>(check: (budgetMs: number) => T): T {
    const before = process.threadCpuUsage();
    try {
      return check(Math.min(this.#testMs, this.leftMs));
    } finally {
      const { user, system } = process.threadCpuUsage(before);
      this.#leftMs -= (user + system) / 1_000;
    }
  }
}

function checkedTests(program: Program, limits: RunLimits, budget: Budget): Map<number, Observation> {
  const observations = new Map<number, Observation>();
  for (const [at, { input, mode }] of program.inputs.entries()) {
    if (mode !== 'call') continue;
    try {
      const observation = budget.spend((budgetMs) => askChecker(program.code, input, budgetMs));
      if (observation) observations.set(at, observation);
    } catch (error) {
      const observation = brokenOff(error, limits);
      observations.set(at, observation);
      if (observation.kind === 'time_limit') break;
    }
  }
  return observations;
}

function withoutTypes(program: Program): Program {
  return {
    ...program,
    code: stripTypes(program.code),
    inputs: program.inputs.map((test) =>
      test.mode === 'call' ? { ...test, input: plainInput(test.input) } : test,
    ),
  };
}

export const runner: Runner = {
  ...javascript,
  languages: ['typescript'],
  pool: 'typescript',

  async start(artifacts) {
    findingsIn(REHEARSAL, Number.POSITIVE_INFINITY);
    typeOf(REHEARSAL, 'names', Number.POSITIVE_INFINITY);
    stripTypes(REHEARSAL);
    await javascript.start(artifacts);
  },

  /** Where the types are wrong, nothing runs. */
  async run(program, limits) {
    const budget = new Budget(limits);
    const nothingRuns = (observation: Observation) =>
      Array.from({ length: Math.max(1, program.inputs.length) }, () => observation);
    let plain: Program;
    try {
      const [first] = budget.spend((budgetMs) => findingsIn(program.code, budgetMs));
      if (first) return nothingRuns(seen('syntax_error', null, learnerError(first)));
      plain = withoutTypes(program);
    } catch (error) {
      const observation = brokenOff(error, limits);
      return observation.kind === 'time_limit' ? [observation] : nothingRuns(observation);
    }
    const known = checkedTests(program, limits, budget);
    return runJavaScript(plain, { ...limits, totalMs: budget.leftMs }, known);
  },
};
