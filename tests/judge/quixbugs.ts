/**
 * How often a replay points to the place of a fault, tried with the QuixBugs programs (Python): 40 programs, each with a
 * fault in one line and a correct version beside it. None of them is kept here. With a copy of the repository
 * `jkoppel/QuixBugs`, from the project's folder:
 *
 *     QUIXBUGS=/path/to/QuixBugs npx node tests/judge/quixbugs.ts [NAME …]
 *
 * For each program the first test that the correct version passes and the faulty one fails is run with both, recorded,
 * and the records are handed to the product's own comparison. What counts as found, strictly: a step is shown, and it is
 * the first step of the faulty program's record that differs in anything from the correct one's (kind, function,
 * variables, value, or line, the lines of both texts being numbered alike), or the step before it, whose line has led
 * there. Nothing of a fault can be seen earlier, and a later one has passed it by. As that is the rule by which programs
 * of much the same text are compared too, two further figures say more of it: how many are shown at a step on the faulty
 * line or right after one, and how many would be found by values alone, without the programs' texts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diffArrays } from 'diff';
import { divergence } from '#src/features/practice/replay/divergence.ts';
import type { Recorded } from '#src/features/practice/replay/telling.ts';
import { ensurePool } from '#src/judge/artifacts.ts';
import type { Submission, Verdict } from '#src/judge/protocol.ts';
import { PatientJudge } from './controls.ts';

const folder = process.env.QUIXBUGS;
if (!folder) throw new Error('QUIXBUGS: the folder of a copy of the repository');
const { problem } = await ensurePool('python');
if (problem) throw new Error(problem);

const LIMITS = { testMs: 1_500, totalMs: 60_000 };
const judge = new PatientJudge();
const text = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');

/** The program without what follows it, which is its description or other ways to write it. */
const programOf = (source: string) => source.split(/^"""/m)[0]!.trimEnd();

const ask = (code: string, more: Partial<Submission>): Promise<Verdict> =>
  judge.judge({ language: 'python', code, tests: [], ...more }, LIMITS);

/** A number as the file writes it: 3.0 is another value than 3 in Python. */
class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  return value instanceof Digits ? value.text : JSON.stringify(value);
}

/** The arguments of a line that holds them and what they give. */
function argumentsIn(line: string): string {
  const read = (_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' ? new Digits(source!) : value;
  // The third parameter is newer than the compiler's library.
  const [given] = JSON.parse(line, read as (key: string, value: unknown) => unknown) as [unknown];
  return (Array.isArray(given) ? given : [given]).map(literal).join(', ');
}

/** What is appended to both programs, and the inputs of their tests. */
function testsOf(name: string): { driver: string; inputs: string[] } {
  const graphs = !readdirSync(join(folder!, 'json_testcases')).includes(`${name}.json`);
  if (!graphs) {
    const lines = text('json_testcases', `${name}.json`)
      .split('\n')
      .filter((line) => line.trim());
    const whole = `(lambda r: list(r) if hasattr(r, "__next__") else r)`;
    return { driver: '', inputs: lines.map((line) => `${whole}(${name}(${argumentsIn(line)}))`) };
  }
  const tests = text('python_testcases', `test_${name}.py`)
    .replace(/^(?:import pytest|from node import Node)$/gm, '')
    .replace(/^if pytest[\s\S]*?^else:\n.*\n/m, '');
  const inputs = [...tests.matchAll(/^def (test\d+)/gm)].map(([, test]) => `${test}()`);
  return { driver: `\n\n\n${text('python_testcases', 'node.py')}\n\n${tests}`, inputs };
}

const codeLines = (program: string) =>
  program
    .split('\n')
    .map((raw, index) => ({ text: raw.replace(/#.*/, '').trim(), line: index + 1 }))
    .filter((one) => one.text !== '');

/** The lines of the faulty text that differ, or that stand around one that is missing; and the lines of both in pairs. */
function faultOf(faulty: string, correct: string) {
  const [mine, theirs] = [codeLines(faulty), codeLines(correct)];
  const lines: number[] = [];
  const pairs = new Map<number, number>();
  let [at, to] = [0, 0];
  const changes = diffArrays(
    mine.map((one) => one.text),
    theirs.map((one) => one.text),
  );
  for (const [index, { added, removed, value }] of changes.entries()) {
    if (removed) {
      for (let k = 0; k < value.length; k += 1) {
        lines.push(mine[at + k]!.line);
        if (changes[index + 1]?.added && theirs[to + k]) pairs.set(theirs[to + k]!.line, mine[at + k]!.line);
      }
      at += value.length;
    } else if (added) {
      if (!changes[index - 1]?.removed) lines.push(...mine.slice(at - 1, at + 1).map(({ line }) => line));
      to += value.length;
    } else {
      for (let k = 0; k < value.length; k += 1) pairs.set(theirs[to + k]!.line, mine[at + k]!.line);
      at += value.length;
      to += value.length;
    }
  }
  return { lines, pairs };
}

/** The first step that differs in anything. */
function firstDifference(faulty: Recorded, correct: Recorded, pairs: Map<number, number>): number {
  const told = (run: Recorded, lineOf: (line: number) => number | undefined) =>
    run.steps.map(({ kind, fn, line, vars, value }) =>
      JSON.stringify([kind, fn, kind === 'return' ? 0 : lineOf(line), vars, value]),
    );
  const mine = told(faulty, (line) => line);
  const theirs = told(correct, (line) => pairs.get(line));
  const at = mine.findIndex((one, index) => one !== theirs[index]);
  return at < 0 ? mine.length - 1 : at;
}

const names = readdirSync(join(folder, 'correct_python_programs'))
  .filter((file) => file.endsWith('.py') && !/_test\.py$|^node\.py$/.test(file))
  .map((file) => file.slice(0, -3))
  .filter((name) => process.argv.length <= 2 || process.argv.includes(name));

const seen = { found: 0, onLine: 0, shown: 0, failing: 0, byValues: 0 };
for (const name of names) {
  const own = programOf(text('python_programs', `${name}.py`));
  const fixed = programOf(text('correct_python_programs', `${name}.py`));
  const fault = faultOf(own, fixed);
  const { driver, inputs } = testsOf(name);
  // The driver stands in both at the same lines.
  const height = Math.max(own.split('\n').length, fixed.split('\n').length);
  const whole = (program: string) => program + '\n'.repeat(height - program.split('\n').length) + driver;
  for (let line = height + 1; driver && line < height + 2_000; line += 1) fault.pairs.set(line, line);
  let report = 'no test that the correct version passes and the faulty one fails';
  for (const input of inputs) {
    const right = await ask(whole(fixed), { tests: [{ input, expectedOutput: '' }] });
    const got = right.tests[0]!.got;
    if (right.kind !== 'pass' && right.kind !== 'wrong_answer') continue;
    const test = { input, expectedOutput: got ?? '' };
    const recorded = async (code: string): Promise<[Verdict, Recorded]> => {
      const verdict = await ask(code, { tests: [test], traced: true });
      return [
        verdict,
        {
          ...(verdict.trace ?? { steps: [], asked: 0, isWhole: false }),
          output: verdict.output,
          error: verdict.error?.name ?? null,
        },
      ];
    };
    const [verdict, faulty] = await recorded(whole(own));
    if (verdict.kind === 'pass') continue;
    const [, correct] = await recorded(whole(fixed));
    const { step, says } = divergence(faulty, correct, { learners: whole(own), authors: whole(fixed) });
    const first = firstDifference(faulty, correct, fault.pairs);
    const isThere = (shown: number | null) => shown !== null && (shown === first || shown === first - 1);
    const isFound = isThere(step);
    seen.byValues += isThere(divergence(faulty, correct).step) ? 1 : 0;
    const near = step === null ? [] : [faulty.steps[step - 1], faulty.steps[step]];
    const isOnLine = near.some((one) => one && fault.lines.includes(one.line));
    seen.failing += 1;
    seen.shown += step === null ? 0 : 1;
    seen.found += isFound ? 1 : 0;
    seen.onLine += isOnLine ? 1 : 0;
    const line = step === null ? '-' : faulty.steps[step]?.line;
    report = `${isFound ? 'found' : 'LATE '} ${isOnLine ? 'on the line' : '           '} step ${step} of ${faulty.steps.length}, first ${first}, line ${line}, fault ${fault.lines}: ${says} [${verdict.kind}]`;
    break;
  }
  console.log(`${name}: ${report}`);
}
console.log(
  `${names.length} programs, ${seen.failing} with a failing test: ${seen.found} found, ${seen.onLine} on the faulty line or right after it, ${seen.shown} with a step shown; without the programs' texts ${seen.byValues} found`,
);
await judge.stop();
