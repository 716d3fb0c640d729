import { describe, expect, test } from 'vitest';
import { explainJavaScript } from './javascript.ts';

/** A program with a beginner's mistake, and a word of the explanation that it should get. */
const MISTAKES: [code: string, word: string][] = [
  ['console.log(total);', 'never declared'],
  ['console.log(a); let a = 1;', 'above the line'],
  ['const a = 1; a = 2;', 'let'],
  ['let user; user.name;', 'undefined'],
  ['null.length;', 'null'],
  ['const { a } = undefined;', '"a"'],
  ['for (const x of 5) {}', 'list'],
  ['[1].map(5);', 'no function'],
  ['let s = "a"; s.push("b");', 's.push'],
  ['new (5)();', 'classes'],
  ['class A {} A();', 'new A'],
  ['[].reduce((a, b) => a + b);', 'begin with'],
  ['const a = {}; a.a = a; JSON.stringify(a);', 'contains itself'],
  ['function f() { f(); } f();', 'without end'],
  ['new Array(-1);', 'whole number'],
  ['document.title;', 'web page'],
  ['require("fs");', 'one file'],
  ['class A {} class B extends A { constructor() { this.x = 1; } } new B();', 'super'],
  ['JSON.parse("{a: 1}");', 'double quotes'],
  ['let a; let a;', 'declared twice'],
  ['const a;', 'needs its value'],
  ['console.log("a"', 'not closed'],
  ['function f() {', 'ends too early'],
  ['let s = "abc;', 'quote'],
  ['let s = “abc”;', 'curly'],
  ['console.log(Hello, World!);', 'Text needs quotes'],
  ['Hello, World!', 'Text needs quotes'],
  ['console.log("Good " + morning!);', 'Text needs quotes'],
  ["console.log('Hello, World!);", 'quote that ends'],
  ['console.log(365 days);', 'Text needs quotes'],
  ['console.log(value of drink);', 'Text needs quotes'],
  ['console.log(Good night);', 'Text needs quotes'],
  ['let a = 1 @ 2;', 'does not know'],
  ['5 = a;', '==='],
  ['let a = 1; }', 'too many'],
  ['if (true); {} else {}', 'no if'],
  ['if (true {}', '")" is missing'],
  ['Let a = 1;', 'lower case'],
  ['let a = b c;', 'missing right before'],
  ['let a = 1 "b";', 'text stands'],
  ['function f() { await g(); }', 'async'],
  ['return 5;', 'outside of any function'],
  ['break;', 'loop'],
  ['import x from "y";', 'single file'],
  ['export const x = 1;', 'single file'],
  ['let a = ;', 'does not fit'],
];

/** What this engine says; the judge's own is the same one. */
function thrownBy(code: string): Error | null {
  try {
    // biome-ignore lint/security/noGlobalEval: only an engine's own words can be tested against.
    globalThis.eval(code);
    return null;
  } catch (error) {
    return error as Error;
  }
}

describe('a mistake is explained', () => {
  test.each(MISTAKES)('%s', (code, word) => {
    const error = thrownBy(code);
    expect(error).not.toBeNull();
    expect(explainJavaScript(error!.name, error!.message, { code, line: 1 })).toContain(word);
  });
});

const NOWHERE = { code: '', line: null };

test('an uncommon error is left as it is', () => {
  expect(explainJavaScript('Error', 'my own', NOWHERE)).toBeNull();
  expect(explainJavaScript('TypeError', 'The flux is not compensated', NOWHERE)).toBeNull();
});

test('a long name in a message does not make a long explanation', () => {
  const text = explainJavaScript('ReferenceError', `${'x'.repeat(5_000)} is not defined`, NOWHERE);
  expect(text!.length).toBeLessThan(400);
});
