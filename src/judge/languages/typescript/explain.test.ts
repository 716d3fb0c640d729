import { expect, test } from 'vitest';
import { findingsIn } from './check.ts';
import { explainTypeScript } from './explain.ts';

/** A program with a mistake, the number of its first error, and a word of the explanation that it should get. */
const MISTAKES: [code: number, program: string, word: string][] = [
  [2304, 'console.log(total);', '"total" is used but was never declared'],
  [2584, 'document.title;', 'web page'],
  [2591, 'process.exit();', 'Node.js'],
  [2552, 'const total = 3;\ntotl;', '"total" was'],
  [2322, 'const a: number = "x";', 'a number belongs'],
  [2322, 'const a: number = null;', 'number | null'],
  [2322, 'declare let b: string | undefined;\nconst a: string = b;', 'may be missing'],
  [2345, '((n: number) => n)("x");', 'asks for a number'],
  [2339, '({ a: 1 }).b;', 'has no "b"'],
  [2339, 'declare let a: { x: 1 } | { y: 1 };\na.x;', 'which one it is'],
  [2551, '[1].lenght;', 'there is "length"'],
  [2554, '((n: number) => n)();', 'passes 0 values'],
  [2555, '((n: number, ...m: number[]) => n)();', 'takes 1'],
  [18047, 'declare let a: string | null;\na.length;', 'may be null'],
  [18048, 'declare let a: string | undefined;\na.length;', 'may be undefined'],
  [2531, 'declare function f(): string | null;\nf().length;', 'may be null'],
  [2532, 'declare function f(): string | undefined;\nf().length;', 'may be undefined'],
  [18049, 'declare let a: string | undefined | null;\na.length;', 'null or undefined'],
  [18046, 'declare let a: unknown;\na.length;', 'typeof'],
  [7006, 'function f(n) {}', '$1: number'.replace('$1', 'n')],
  [7031, 'function f({ n }) {}', 'has to be written'],
  [7034, 'const a = [];\nfunction f() { return a; }', 'where it is declared'],
  [7053, 'const a = { x: 1 };\nfunction f(k: string) { return a[k]; }', 'keyof'],
  [2741, 'const a: { x: number } = {};', 'asks for: x.'],
  [2739, 'const a: { x: number; y: number } = {};', 'asks for: x, y.'],
  [2353, 'const a: { x: number } = { x: 1, y: 2 };', 'has no "y"'],
  [2362, '"a" - 1;', 'Only numbers'],
  [2365, '1 + {} > 2;', 'does not go between'],
  [2367, 'declare let a: "x";\na === "y";', 'never the same'],
  [2300, 'type A = 1;\ntype A = 2;', 'declared twice'],
  [2451, 'let a = 1;\nlet a = 2;', 'declared twice'],
  [2393, 'function f() {}\nfunction f() {}', 'two functions'],
  [2588, 'const a = 1;\na = 2;', 'with let'],
  [2540, 'const a: { readonly x: number } = { x: 1 };\na.x = 2;', 'readonly'],
  [2542, 'const a: readonly number[] = [];\na[0] = 1;', 'readonly'],
  [2564, 'class A { name: string }', 'constructor'],
  [2454, 'let a: number;\na.toFixed();', 'before it has been given'],
  [2769, '[1].reduce((a: string, n) => a + n, 0);', 'several ways'],
  [2366, 'function f(n: number): string { if (n) return ""; }', 'one way'],
  [2355, 'function f(): string {}', 'promises'],
  [2420, 'interface A { f(): void }\nclass B implements A {}', 'says that it implements A'],
  [2416, 'class A { f() { return 1; } }\nclass B extends A { f() { return ""; } }', 'another type'],
  [2515, 'abstract class A { abstract f(): void }\nclass B extends A {}', 'abstract'],
  [2511, 'abstract class A {}\nnew A();', 'no objects'],
  [2341, 'class A { private x = 1 }\nnew A().x;', 'inside its class'],
  [2314, 'let a: Array;', 'Array<string>'],
  [2344, 'type A<T extends string> = T;\nlet a: A<1>;', 'extends'],
  [2349, 'const a = 1;\na();', 'no function'],
  [2352, '"1" as number;', 'nothing in common'],
  [2307, 'import a from "./a";', 'one file'],
  [2693, 'interface A {}\nA;', 'Types are gone'],
  [2749, 'const a = 1;\nlet b: a;', 'typeof a'],
  [2578, '// @ts-expect-error\n1;', 'comment'],
  [1005, 'const a = (1;', 'missing'],
  [1109, 'const a = ;', 'does not fit'],
  [1002, 'const a = "x;', 'quote'],
  [1160, 'const a = `x;', 'backtick'],
];

test.each(MISTAKES)('TS%i of %j is explained', (code, program, word) => {
  const [first] = findingsIn(program, Number.POSITIVE_INFINITY);
  expect(first?.code).toBe(code);
  const explanation = explainTypeScript(code, first!.message);
  expect(explanation).toContain(word);
  expect(explanation).not.toMatch(/\$\d/);
});

test('what learners seldom see is not explained', () => {
  expect(
    explainTypeScript(2590, 'Expression produces a union type that is too complex to represent.'),
  ).toBeNull();
});
