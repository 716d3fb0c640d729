import { describe, expect, it } from 'vitest';
import { lint } from './lint.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';

const RIGHT: [CodingLanguage, string][] = [
  ['javascript', 'const add = (a, b) => a + b;\nconsole.log(add(1, 2));\n'],
  ['javascript', 'const answer = await Promise.resolve(42);'],
  ['javascript', 'with (Math) { console.log(max(1, 2)); }'],
  ['python', 'def add(a, b):\n    return a + b\n\nprint(add(1, 2))\n'],
  ['python', 'match 3:\n    case 3:\n        print(f"{1 + 2}")\n'],
  ['html', '<h1>Title</h1>\n<p>Text<br>and more</p>\n<ul><li>One</ul>'],
  ['html', '<!-- </b> --><script>const a = "</i>";</script><textarea></b></textarea><b><i>x</i></b>'],
  ['html', '<table><tr><td>1<td>2</table><svg viewBox="0 0 1 1"><path d="M0 0"/></svg><p>One<p>Two'],
  ['html', '<!doctype html><html lang="en"><title>x</title><body><img src="a.png" alt=""></body></html>'],
  ['css', ':root { --gap: 4px; }\n.card { padding: var(--gap); color: #1a2947; display: grid; }'],
  ['css', '@media (min-width: 40rem) { a:hover { color: color-mix(in srgb, red, blue); } }'],
  ['react', 'export default function App() { return <p className="x">{1 + 1}</p>; }'],
  ['react', ''],
];

const WRONG: [CodingLanguage, string, number, RegExp][] = [
  ['javascript', 'const a = 1;\nconst b = ;\n', 2, /does not fit here/],
  ['javascript', 'function f() {\n  return 1;\n', 3, /does not fit here/],
  ['javascript', "console.log('Tea);", 1, /quote that ends this text/],
  ['javascript', 'console.log(`Tea);', 1, /backtick that ends this text/],
  ['python', 'def add(a, b)\n    return a + b\n', 1, /colon/],
  ['python', 'print("a"\nprint("b")\n', 2, /bracket, quote or comma/],
  ['python', 'if a = 1:\n    pass\n', 1, /==/],
  ['html', '<p>One</b></p>', 1, /no open <b>/],
  ['html', '<div>\n<ul>\n<li>One</li>\n</div>', 2, /<ul> is never closed/],
  ['html', '<h1>Title\n<p>Text</p>', 1, /<h1> is never closed/],
  ['html', '<p>\n<a href="x" href="y">z</a></p>', 2, /same attribute twice/],
  ['css', 'a {\n  colr: red;\n}', 2, /no property "colr"/],
  ['css', 'a { color: redd; }', 1, /cannot be "redd"/],
  ['css', 'a { color: }', 1, /"color" has no value/],
  ['css', 'a { color red; }', 1, /CSS cannot read this/],
  ['react', 'function App() {\n  return <p>one</div>;\n}', 2, /closing|Expected/i],
];

describe('the check while typing', () => {
  it.each(RIGHT)('finds nothing in right %s: %s', async (language, code) => {
    expect(await lint(language, code)).toEqual([]);
  });

  it.each(WRONG)('finds the mistake in %s: %s', async (language, code, line, message) => {
    const [finding] = await lint(language, code);
    expect(finding).toMatchObject({ line, message: expect.stringMatching(message) });
    expect(finding!.column).toBeGreaterThanOrEqual(1);
    const { line: from, column, endLine, endColumn } = finding!;
    expect(endLine > from || (endLine === from && endColumn > column)).toBe(true);
  });
});
