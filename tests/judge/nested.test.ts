import { afterAll, describe, expect, test } from 'vitest';
import type { Language } from '#src/judge/protocol.ts';
import { PatientJudge } from './controls.ts';

// Programs with more levels than a parser can follow get a verdict, whichever parser it is that gives up.
const judge = new PatientJudge();
afterAll(() => judge.stop());

const LEVELS = 20_000;
const times = (text: string, levels = LEVELS) => text.repeat(levels);
const around = (before: string, middle: string, after: string) => times(before) + middle + times(after);

/** Shapes by what is nested; each declares `a` or nothing. */
const SCRIPT: Record<string, string> = {
  calls: `const f = (x) => x; const a = ${around('f(', '1', ')')};`,
  'calls that are not closed': times('f('),
  arrays: `const a = ${around('[', '', ']')};`,
  parentheses: `const a = ${around('(', '1', ')')};`,
  objects: `const a = ${around('{a:', '1', '}')};`,
  blocks: around('{', '', '}'),
  'blocks of if': around('if (1) {', '', '}'),
  'branches of if': `if (0); ${times('else if(0);')}`,
  'template literals': `const a = ${around('`${', '1', '}`')};`,
  'unary operators': `const a = ${times('!')}1;`,
  sums: `const a = ${times('1 + ')}1;`,
  conditions: `const a = ${times('1 ? 1 : ')}1;`,
  arrows: `const a = ${times('() => ')}1;`,
  classes: `const a = ${around('class { a=', '1', '}')};`,
  'patterns of arrays': `const ${around('[', 'a', ']')} = 1;`,
  'patterns that are assigned': `let a; ${around('[', 'a', ']')} = [];`,
  'patterns of objects': `const ${around('{a:', 'a', '}')} = 1;`,
  chains: `const a = f${times('()')};`,
};

const SHAPES = {
  javascript: SCRIPT,
  typescript: {
    ...SCRIPT,
    'generic types': `type A = ${around('Array<', 'number', '>')};`,
    'types of arrays': `type A = number${times('[]')};`,
    'types of objects': `type A = ${around('{a:', '1', '}')};`,
    'types of functions': `type A = ${times('() => ')}void;`,
  },
  react: {
    ...SCRIPT,
    elements: `export default function App() { return ${around('<p>', '', '</p>')}; }`,
    'elements in attributes': `export default function App() { return ${around('<A b=', '"1"', ' />')}; }`,
    expressions: `export default function App() { return ${around('<p>{', '1', '}</p>')}; }`,
  },
  html: {
    elements: around('<div>', '', '</div>'),
    'elements that are not closed': times('<p><b>'),
    lists: times('<ul><li>'),
    templates: times('<template>'),
    'drawn groups': `<svg>${times('<g>')}`,
  },
  css: {
    rules: around('h1 {', '', '}'),
    'rules of media': around('@media all {', '', '}'),
    functions: `h1 { width: ${around('calc(', '1px', ')')}; }`,
    selectors: `${around(':is(', 'h1', ')')} { color: red }`,
    brackets: `h1 { --a: ${around('[', '', ']')}; color: var(--a) }`,
  },
  python: {
    calls: `def f(x): return x\na = ${around('f(', '1', ')')}`,
    lists: `a = ${around('[', '', ']')}`,
    chains: `a = f${times('()')}`,
    indents: Array.from({ length: 600 }, (_, level) => `${' '.repeat(level)}if 1:`).join('\n'),
    'unary operators': `a = ${times('not ')}1`,
    conditions: `a = ${times('1 if 1 else ')}1`,
    lambdas: `a = ${times('lambda: ')}1`,
    branches: `if 0: pass\n${times('elif 0: pass\n')}`,
    'formatted strings': `a = ${around("f'{", '1', "}'")}`,
  },
} satisfies Partial<Record<Language, Record<string, string>>>;
const INPUTS = {
  javascript: 'a',
  typescript: 'a',
  react: '<App /> | text',
  html: 'h1',
  css: 'h1 | color',
  python: 'a',
} satisfies Record<keyof typeof SHAPES, string>;

describe.each(Object.keys(SHAPES) as (keyof typeof SHAPES)[])('%s', (language) => {
  test.each(Object.entries(SHAPES[language]))(
    'very many %s in each other get a verdict in plain words',
    async (_, code) => {
      const { kind, tests, error } = await judge.judge({
        language,
        code,
        fixture: '<h1>Hello</h1>',
        tests: [{ input: INPUTS[language], expectedOutput: 'something else' }],
      });
      const { message = '', explanation } = tests[0]?.error ?? error ?? {};
      expect(kind).not.toBe('memory_limit');
      expect(message).not.toMatch(/stack/i);
      if (message.includes('nested too deeply')) expect(explanation).toContain('chains');
      expect((await judge.health()).counters).toMatchObject({ unavailable: 0, deaths: 0 });
    },
    20_000,
  );
});
