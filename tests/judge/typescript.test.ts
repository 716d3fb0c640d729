import { afterAll, describe, expect, it, test } from 'vitest';
import { findingsIn } from '#src/judge/languages/typescript/check.ts';
import { GLOBALS } from '#src/judge/languages/typescript/globals.ts';
import type { JudgeTest, Submission } from '#src/judge/protocol.ts';
import { expectTrueVerdicts, PatientJudge, SMALL_LIMITS } from './controls.ts';
import { compilerSays } from './compiler-says.ts';
import { PROGRAMS } from './typescript-programs.ts';
import { TYPES } from './typescript-types.ts';

const judge = new PatientJudge();
afterAll(() => judge.stop());

const run = (code: string, tests: JudgeTest[] = [], part: Partial<Submission> = {}) =>
  judge.judge({ language: 'typescript', code, tests, ...part });
const asks = (input: string, expectedOutput: string): JudgeTest => ({ input, expectedOutput });

/** A program that prints, and what it prints. */
async function printed(code: string): Promise<string> {
  const { kind, output, error } = await run(code);
  expect([kind, error?.message ?? null]).toEqual(['pass', null]);
  return output.trimEnd();
}

describe('a program', () => {
  it('gets its true verdict', async () => {
    await expectTrueVerdicts(judge, 'typescript');
  });

  it('runs without its types, whatever form they have', async () => {
    const code = `interface Named { name: string }
type Pair<T> = [T, T];
abstract class Animal implements Named {
  static count: number = 0;
  #secret?: string;
  declare nothing: never;
  constructor(public readonly name: string, protected age = 3, private readonly kind?: string) { Animal.count++; }
  abstract sound(): string;
  toString(this: Animal): string { return \`\${this.name} \${this.age} \${this.sound()}\`; }
}
class Dog extends Animal {
  constructor(name: string, public tricks: string[] = []) { super(name); this.tricks.push('sit') }
  override sound(): string { return 'woof' as const; }
}
function pair(a: string): Pair<string>;
function pair(a: number): Pair<number>;
function pair<T>(a: T): Pair<T> { return [a, a]; }
enum Color { Red, Green = 5, Blue, Dark = 'dark' }
const enum Size { Small = 1 << 2 }
namespace Shapes {
  export const sides = 4;
  // A comment.
  export function area(a: number): number { return a * sides; }
}
const dog = new Dog('Rex');
const wide = <number>(dog.tricks.length as unknown);
let maybe: string | undefined = dog.tricks[0]!;
console.log(String(dog), pair(2), pair('a'), Color.Blue, Color[5], Color.Dark, Size.Small, Shapes.area(2), wide, maybe);
const typed = { a: 1 } satisfies Record<string, number>;
console.log(Object.keys(dog), typed, [1, 2].map<string>((n): string => String(n)));`;
    expect(await printed(code)).toBe(
      "Rex 3 woof [ 2, 2 ] [ 'a', 'a' ] 6 Green dark 4 8 1 sit\n[ 'name', 'age', 'kind', 'tricks' ] { a: 1 } [ '1', '2' ]",
    );
  });

  it('adds to what has the same name', async () => {
    const code = `class Album { label = new Album.Label(); }
namespace Album { export class Label { text = 'blue'; } }
function greet() { return greet.word; }
namespace greet { export const word = 'hi'; }
{
  enum Color { Red }
  enum Color { Green = 1 }
  console.log(Color.Red, Color.Green);
}
{
  enum Color { Blue }
  console.log(Object.keys(Color).length);
}
namespace Types { export interface Only { a: number } }
namespace Types { export const n = 3; }
namespace Types.Inner { export const m = n + 1; }
console.log(new Album().label.text, greet(), Types.n, Types.Inner.m);`;
    expect(await printed(code)).toBe('0 1\n2\nblue hi 3 4');
  });

  it('keeps what blocks have apart', async () => {
    const code = '{\n  enum A { X }\n}\n{\n  enum A { Y }\n  console.log(Object.keys(A).length);\n}';
    expect(await printed(code)).toBe('2');
  });

  it('reads lines, and prints in tests as JavaScript does', async () => {
    const code = `let sum: number = 0;
for (let line: string | null = readline(); line !== null; line = readline()) sum += Number(line);
console.log(sum);`;
    const tests: JudgeTest[] = [{ input: '1\n2\n39\n', expectedOutput: '42', mode: 'stdin' }];
    expect((await run(code, tests)).kind).toBe('pass');
  });

  it('is compared strictly where the test asks for it', async () => {
    const code = 'const give = (n: number): string => String(n);';
    const strict = (expectedOutput: string) => ({ ...asks('give(3)', expectedOutput), strict: true });
    const { tests } = await run(code, [strict('"3"'), strict('3'), strict('true')]);
    expect(tests.map(({ passed, typeDifference }) => [passed, typeDifference ?? null])).toEqual([
      [true, null],
      [false, 'Expected the number 3, got the text "3".'],
      [false, 'Expected the boolean true, got the text "3".'],
    ]);
  });

  it('takes types in the input of a test', async () => {
    const code = 'function first<T>(list: T[]): T | undefined { return list[0]; }';
    expect((await run(code, [asks('first<number>([1 as number, 2])', '1')])).kind).toBe('pass');
  });

  it('fails at the line and column of its text, whatever stood before', async () => {
    const code = `interface Item { name: string }
enum Kind {
  One,
  Two,
}
type Names = string[];
class Box { constructor(private items: Names) {} first(): string { return this.items[0]!.trim(); } }
const box: Box = new Box([]);
box.first();
console.log(Kind.Two);`;
    const { kind, error } = await run(code);
    expect([kind, error?.name, error?.line]).toEqual(['runtime_error', 'TypeError', 7]);
    const plain = await run('type A = number;\nconst a: A[] = [];\n  (a as any).b.c;');
    expect(plain.error).toMatchObject({
      line: 3,
      column: 16,
      explanation: expect.stringContaining('undefined'),
    });
  });

  it('that never ends is stopped and told its line', async () => {
    const code = 'let n: number = 0;\nwhile (true) {\n  n += 1;\n}';
    const verdict = await judge.judge(
      { language: 'typescript', code, tests: [] },
      { testMs: 250, totalMs: 600 },
    );
    expect(verdict.kind).toBe('time_limit');
  });

  it('is hinted at in words for its mistakes of JavaScript', async () => {
    const code = 'const both = (n: number) => [n, n * 2];';
    const js = await judge.judge({
      language: 'javascript',
      code: code.replace(': number', ''),
      tests: [asks('both(2)', '[4, 2]')],
    });
    const { kind, hint } = await run(code, [asks('both(2)', '[4, 2]')]);
    expect([kind, hint?.message]).toEqual(['wrong_answer', js.hint?.message]);
    expect(hint).not.toBeNull();
  });
});

describe('a type error', () => {
  it('is the verdict, and nothing runs', async () => {
    const { kind, output, error, tests } = await run(
      'console.log("ran");\nconst n: number = "three";\nconst m: string = 3;',
      [asks('n', '3'), asks('must not compile: n.x', 'error')],
    );
    expect([kind, output]).toEqual(['syntax_error', '']);
    expect(error).toEqual({
      name: 'TypeScript error TS2322',
      message: "Type 'string' is not assignable to type 'number'.",
      line: 2,
      column: 7,
      explanation: expect.stringContaining('a number belongs'),
    });
    expect(tests.map((one) => one.kind)).toEqual(['syntax_error', 'syntax_error']);
  });

  it('is one for what the sandbox does not have, and for nothing that it has', async () => {
    expect((await run('document.title;')).error).toMatchObject({
      name: expect.stringContaining('2584'),
      explanation: expect.stringContaining('web page'),
    });
    const names = [...GLOBALS.matchAll(/^declare (?:var|function) (\w+)/gm)].map(([, name]) => name!);
    expect(await printed(`console.log(${names.map((name) => `typeof ${name}`).join(', ')});`)).toBe(
      names.map((name) => (/console|performance/.test(name) ? 'object' : 'function')).join(' '),
    );
    const methods = [...GLOBALS.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name!);
    expect(await printed(`console.log(Object.keys(console).sort().join());`)).toBe(methods.sort().join());
    expect(
      await printed(
        'console.log(Object.groupBy([1, 2], (n) => n % 2 ? "odd" : "even").odd, new Set([1]).union(new Set([2])).size);',
      ),
    ).toBe('[ 1 ] 2');
  });

  it('reads no file and no other library', async () => {
    for (const code of [
      'import { readFileSync } from "node:fs";',
      'import data from "../../package.json";',
      '/// <reference lib="dom" />\nconst page: HTMLElement = 1;',
      '/// <reference path="/etc/passwd" />\n/// <reference types="node" />\nconst b: Buffer = 1;',
    ]) {
      expect((await run(code)).error?.name, code).toMatch(
        /^TypeScript error TS(?:2307|2304|2591|2882|6053|6231)$/,
      );
    }
  });
});

describe('tests of types', () => {
  const code = `type Pet = { name: string; age?: number };
function rename<T extends Pet>(pet: T, name: string): T { return { ...pet, name }; }
const pets: Pet[] = [{ name: 'Rex' }];
const ids = new Map<string, number[]>();
// The last line is a comment`;

  it('say whether a line compiles', async () => {
    const { kind, tests } = await run(code, [
      asks('must not compile: rename({ age: 3 }, "A")', 'error'),
      asks('must not compile: rename({ name: "B" }, "A")', 'error'),
      asks('must not compile: pets.push({ name: "B" })', 'compiles'),
      asks('must not compile: const pets = 1', 'error'),
      asks('must not compile: )', 'error'),
      asks('pets.length', '1'),
    ]);
    expect(kind).toBe('wrong_answer');
    expect(tests.map(({ got, passed }) => [got, passed])).toEqual([
      ['error', true],
      ['compiles', false],
      ['compiles', true],
      ['error', true],
      ['error', true],
      ['1', true],
    ]);
  });

  it('say the type of an expression', async () => {
    const { tests } = await run(code, [
      asks('type of pets', 'Pet[]'),
      asks('type of pets.map((pet) => pet.age)', '(number | undefined)[]'),
      asks('type of rename', '<T extends Pet>(pet: T, name: string) => T'),
      asks('type of ids', 'Map<string, number[]>'),
      asks('type of { a: 1, b: "x" }', '{ a: number; b: string; }'),
      asks('type of rename(pets[0]!, "A").name', 'string'),
      { ...asks('type of 1 + 1', 'number'), strict: true },
      asks('type of missing', 'number'),
      asks('type of 1 +', 'number'),
    ]);
    expect(tests.map(({ got }) => got)).toEqual([
      'Pet[]',
      '(number | undefined)[]',
      '<T extends Pet>(pet: T, name: string) => T',
      'Map<string, number[]>',
      '{ a: number; b: string; }',
      'string',
      'number',
      null,
      null,
    ]);
    expect(tests.map(({ passed }) => passed)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(tests[7]!.error).toMatchObject({ name: 'TypeScript error TS2304', line: null });
  });

  it('have a hint of their own, which tells nothing of a hidden line', async () => {
    const { hint, error } = await run('function f(a: any) { return a; }', [
      { ...asks('must not compile: f("secret")', 'error'), hidden: true },
    ]);
    expect(hint?.message).toContain('compiles');
    expect(JSON.stringify([hint, error])).not.toContain('secret');
  });

  it('come in any order with the others, where one of them runs out of time', async () => {
    const verdict = await judge.judge(
      {
        language: 'typescript',
        code: 'function spin(): number { for (;;) {} }\nconst a = 1;',
        tests: [asks('type of a', '1'), asks('spin()', '1'), asks('type of spin', '() => number')],
      },
      { testMs: 400, totalMs: 900 },
    );
    expect(verdict.tests.map(({ kind }) => kind)).toEqual(['pass', 'time_limit', 'time_limit']);
  });
});

/** Programs that are stopped by what stops those of JavaScript. */
const JAVASCRIPT_BOMBS: [what: string, code: string, kind: RegExp][] = [
  ['a loop', 'for (;;) {}', /time_limit/],
  ['a growing list', 'const a: number[][] = []; for (;;) a.push([a.length]);', /memory_limit|time_limit/],
  ['a huge number', 'let n = 3n; for (;;) n *= n;', /time_limit/],
  ['a regular expression', '/^(a+)+$/.test("a".repeat(45) + "b");', /time_limit/],
  ['promises', 'const f = async (): Promise<void> => { for (;;) await null; }; void f();', /time_limit/],
];

/** Types that give the checker more to do than there is time, or that it gives up on by itself. */
const BOMBS: [what: string, code: string][] = [
  [
    'a union of many texts',
    `type D = '0'|'1'|'2'|'3'|'4'|'5'|'6'|'7'|'8'|'9';
type Four = \`\${D}\${D}\${D}\${D}\`;
type Pairs = { [K in Four]: { [L in Four]: [K, L] }[Four] }[Four];
const a: Pairs = ['0000', '0001'];`,
  ],
  [
    'a type that calls itself in two places',
    `type Tree<N extends number, A extends unknown[] = []> = A['length'] extends N ? [A] : [Tree<N, [...A, 1]>, Tree<N, [...A, 2]>];
const t: Tree<40> = 1 as any as Tree<40>;
const u: Tree<39> = t;`,
  ],
  [
    'counting with tuples',
    `type Build<N extends number, A extends unknown[] = []> = A['length'] extends N ? A : Build<N, [...A, unknown]>;
type Times<A extends number, B extends number> = [...Build<A>, ...Build<B>];
const x: Times<9999, 9999>['length'] = 1;`,
  ],
  ['deep nesting', `const a: number = ${'('.repeat(20_000)}1${')'.repeat(20_000)};`],
  ['a long chain', `const a: number = ${Array(20_000).fill('1').join(' + ')};`],
  ['a long chain of texts', `const a: string = ${Array(40_000).fill('"a"').join('+')};`],
  ['many members', `const a: any = {}; a${'.b'.repeat(60_000)};`],
  [
    'overloads and inference without end',
    `declare function f<A, B, C>(a: (x: A) => B, b: (x: B) => C): (x: A) => C;
const g = ${'f((x) => x, '.repeat(24)}(x) => x${')'.repeat(24)};`,
  ],
];

describe('a bomb of types', () => {
  it.each(BOMBS)('%s ends, and others are judged', async (_, code) => {
    const [verdict] = await Promise.all([
      judge.judge(
        { language: 'typescript', code, tests: [asks('1', '1')], owner: 'hostile' },
        {
          testMs: 500,
          totalMs: 900,
        },
      ),
      expectTrueVerdicts(judge, 'typescript'),
    ]);
    expect(['syntax_error', 'time_limit', 'memory_limit', 'runtime_error', 'pass']).toContain(verdict.kind);
    await expectTrueVerdicts(judge, 'typescript');
  });
});

it.each(JAVASCRIPT_BOMBS)('%s is stopped in an engine with compilers too', async (_, code, kind) => {
  const verdict = await judge.judge({ language: 'typescript', code, tests: [] }, SMALL_LIMITS);
  expect(verdict.kind).toMatch(kind);
  await expectTrueVerdicts(judge, 'typescript');
});

test('ten runs one after the other are judged alike, in the same process', async () => {
  await run('const a = 1;');
  const before = judge.processIds('typescript');
  for (let n = 0; n < 10; n += 1) {
    const { kind } = await run(
      `interface Array<T> { own${n}: T }\nconst add = (a: number, b: number) => a + b + ${n};`,
      [asks('add(1, 2)', String(3 + n)), asks('type of add', '(a: number, b: number) => number')],
    );
    expect(kind).toBe('pass');
  }
  expect(judge.processIds('typescript')).toEqual(before);
  // What one program adds to the library, the next does not see.
  expect((await run('declare global { interface Array<T> { own: T } }\nexport {};')).error?.message).toMatch(
    /export/i,
  );
  expect((await run('console.log([1].own);')).error?.name).toBe('TypeScript error TS2339');
});

test.each(PROGRAMS)('the checker says of %s what the compiler says', (_, code) => {
  const ours = findingsIn(code, Number.POSITIVE_INFINITY).map(
    ({ code: number, line }) => `TS${number} at ${line}`,
  );
  expect(ours).toEqual(compilerSays(code));
});

const TYPE_PROGRAMS = TYPES.flatMap(([what, declared, right, wrong]) => [
  { what, code: `${declared}\n${right}\n`, isRight: true },
  { what: `${what}, wrong`, code: `${declared}\n${wrong}\n`, isRight: false },
]);

test('there are enough programs about types', () => {
  expect(TYPE_PROGRAMS.length).toBeGreaterThanOrEqual(200);
  expect(new Set(TYPE_PROGRAMS.map(({ code }) => code)).size).toBe(TYPE_PROGRAMS.length);
});

test.each(TYPE_PROGRAMS)('$what: the verdict is the compiler’s', async ({ code, isRight }) => {
  const [first] = compilerSays(code);
  expect(first === undefined).toBe(isRight);
  const { kind, error } = await run(code, [asks('1', '1')]);
  const said = kind === 'syntax_error' ? `${error!.name.split(' ').at(-1)} at ${error!.line}` : undefined;
  expect(said).toBe(first);
});
