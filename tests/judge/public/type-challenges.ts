import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compilerSays } from '../compiler-says.ts';
import { PatientJudge } from '../controls.ts';

/**
 * The questions of type-challenges (github.com/type-challenges/type-challenges) in the judge:
 * `TYPE_CHALLENGES=folder npx node tests/judge/public/type-challenges.ts`, with a clone of that repository.
 *
 * The template of each question and its cases are one program, with the few types that the cases need before them: programs
 * that most people would call hard, and most of them wrong, since a template is no solution. It proves that the judge finds
 * in each what the compiler itself finds with the same options: nothing, or the same first error in the same line.
 */

/** Our own, by the names that the cases import. */
const UTILITIES = `type Expect<T extends true> = T;
type ExpectTrue<T extends true> = T;
type ExpectFalse<T extends false> = T;
type IsTrue<T extends true> = T;
type IsFalse<T extends false> = T;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type NotEqual<A, B> = Equal<A, B> extends true ? false : true;
type IsAny<T> = 0 extends 1 & T ? true : false;
type NotAny<T> = IsAny<T> extends true ? false : true;
type Debug<T> = { [K in keyof T]: T[K] };
type Merged<T> = T extends object ? { [K in keyof T]: Merged<T[K]> } : T;
type Alike<A, B> = Equal<Merged<A>, Merged<B>>;
type ExpectExtends<A, B> = B extends A ? true : false;
type ExpectValidArgs<F extends (...args: any[]) => any, A extends any[]> = A extends Parameters<F> ? true : false;
`;

const folder = process.env.TYPE_CHALLENGES;
if (!folder) throw new Error('TYPE_CHALLENGES names no folder');
const judge = new PatientJudge();
// The judge's own processes and timers keep no script alive.
const awake = setInterval(() => {}, 1_000);

const programOf = async (question: string): Promise<string> => {
  const [template, cases] = await Promise.all(
    ['template.ts', 'test-cases.ts'].map((file) =>
      readFile(join(folder, 'questions', question, file), 'utf8'),
    ),
  );
  // A lesson has no modules.
  const own = cases!.replace(/^import type \{[^}]*\} from '@type-challenges\/utils';?$/gm, '');
  return `${UTILITIES}${template}\n${own}`;
};

const questions = (await readdir(join(folder, 'questions'))).sort();
const wrong: string[] = [];
let right = 0;
let sound = 0;
try {
  for (const question of questions) {
    const code = await programOf(question);
    const [first] = compilerSays(code);
    // Of a sound program what it does when it runs is no matter here.
    const { kind, error } = await judge.judge(
      { language: 'typescript', code, tests: [] },
      { testMs: 20_000, totalMs: 40_000 },
    );
    const isOfTypes = kind === 'syntax_error' && error!.name.startsWith('TypeScript error TS');
    const said = isOfTypes ? `${error!.name.split(' ').at(-1)} at ${error!.line}` : undefined;
    const isChecked = isOfTypes || kind === 'pass' || kind === 'runtime_error';
    if (said === first && isChecked) right += 1;
    else
      wrong.push(
        `${question}: the compiler says ${first ?? 'nothing'}, the judge ${said ?? `${kind} ${error?.message}`}`,
      );
    if (first === undefined) sound += 1;
  }
  console.log(`${questions.length} questions, ${questions.length - sound} with an error`);
  console.log(`as the compiler: ${right} of ${questions.length}`);
  for (const line of wrong) console.log(`- ${line}`);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  judge.stop();
  clearInterval(awake);
}
