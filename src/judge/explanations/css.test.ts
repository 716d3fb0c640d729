import { describe, expect, test } from 'vitest';
import { cssSyntaxError, explainCss } from './css.ts';

describe('mistakes that are no CSS', () => {
  test.each<[what: string, source: string, line: number, message: RegExp, explanation: RegExp]>([
    [
      'a missing semicolon',
      'p {\n  color: red\n  top: 0;\n}',
      2,
      /semicolon is missing/,
      /ends with a semicolon/,
    ],
    ['a missing colon', 'p {\n  color red;\n}', 2, /colon is missing/, /property, a colon and a value/],
    ['a rule that is not closed', 'p { top: 0;\nb { top: 0 }', 1, /no }/, /ends with }/],
    ['a missing {', 'p\n  color: red; }', 1, /{ is missing/, /selector { property/],
    ['an open quote', 'p { content: "x; }\nb { top: 0 }', 1, /not closed/, /closing "/],
    ['an open comment', 'p { top: 0 } /* b { top: 0 }', 1, /comment is not closed/, /\*\//],
    ['a name with a digit first', '.1a { top: 0 }', 1, /begins with a digit/, /letter/],
    ['two dots', '..card { top: 0 }', 1, /"\.\."/, /One dot/],
    ['not without its colon', 'li not(:last-child) { top: 0 }', 1, /colon is missing before "not"/, /:not/],
    ['an open bracket', 'p { color: rgb(1, 2, 3; }', 1, /\) is missing/, /needs its \)/],
  ])('%s', (_, source, line, message, explanation) => {
    expect(cssSyntaxError(source)).toMatchObject({
      name: 'SyntaxError',
      line,
      message: expect.stringMatching(message),
      explanation: expect.stringMatching(explanation),
    });
  });
});

describe('mistakes that browsers ignore', () => {
  test.each<[what: string, source: string, message: RegExp, explanation: RegExp]>([
    ['a misspelled property', 'p { colour: red }', /no property "colour"/, /Did you mean color\?/],
    ['a misspelled color', 'p { color: bleu }', /"bleu"/, /Did you mean blue\?/],
    ['a color with wrong digits', 'p { color: #ggg }', /no color/, /3 or 6 digits/],
    ['a property without a value', 'p { color: ; }', /no value/, /after the colon/],
    ['a class without its dot', 'card { top: 0 }', /no element "card"/, /\.card/],
    ['a misspelled rule', '@medai print { p { top: 0 } }', /"@medai"/, /@media/],
  ])('%s', (_, source, message, explanation) => {
    expect(explainCss(source)[0]).toMatchObject({
      name: 'Hint',
      line: 1,
      message: expect.stringMatching(message),
      explanation: expect.stringMatching(explanation),
    });
    expect(cssSyntaxError(source)).toBeNull();
  });
});

test.each([
  'p { margin: 0 auto; padding: 1rem 2px; font: bold 12px/1.5 Arial; content: "x"; width: calc(100% - (2px * 3)) }',
  '.a { .b & { top: 0 } &:hover { top: 0 } .c { top: 0 } > i { top: 0 } }',
  '@layer a, b; @layer a { p { top: 0 } } @container (width > 400px) { p { top: 0 } }',
  '@media (400px <= width <= 700px) and (prefers-color-scheme: dark) { p { top: 0 } }',
  '@font-face { font-family: x; src: url(x) } @property --x { syntax: "<color>"; inherits: false; initial-value: red }',
  '@keyframes a { from { top: 0 } 50% { top: 1px } to { top: 2px } }',
  ':root { --a: { b: c }; --e: ; } p { color: var(--a, red); *zoom: 1; -webkit-user-select: none; user-select: none }',
  'p:is(.a, .b):not(:has(> i))::before, a[href^="x" i] ~ p:nth-child(2n + 1 of .b) { color: color-mix(in srgb, red, blue) }',
  '/* x */ @import url("x.css"); my-element, svg circle { fill: red; top: 0 }',
  '',
])('%s is correct', (source) => {
  expect(explainCss(source)).toEqual([]);
});

test('long and deep texts are not searched', () => {
  expect(explainCss('card { top: 0 }\n'.repeat(10_000))).toEqual([]);
  expect(explainCss(`p { width: ${'('.repeat(9_000)} }`)).toBeInstanceOf(Array);
});

test.each([
  [
    'an id for a class',
    'main .card > p:first-child { top: 0 }\n#card { top: 0 }',
    2,
    /Did you mean "\.card"/,
  ],
  ['a class misspelt', '* { top: 0 } .crad + p::before { top: 0 }', 1, /Did you mean "\.card"/],
  ['an element that is not there', '@media print { main p, h2 { top: 0 } }', 1, /styles nothing here/],
])('%s is told where the page is known', (_, source, line, explanation) => {
  const page = '<main id="top"><p class="card big">a</p></main>';
  expect(explainCss(source, page)).toMatchObject([
    { line, explanation: expect.stringMatching(explanation) as string },
  ]);
  expect(explainCss(source)).toEqual([]);
});

test('what styles nothing comes after what has no effect', () => {
  const [first, second] = explainCss('h2 { top: 0 }\np { colr: red }', '<p>a</p>');
  expect(first!.explanation).toBe('Did you mean color?');
  expect(second!.message).toBe('There is no h2 in the page.');
});
