import { afterAll, describe, expect, test } from 'vitest';
import { editsOf, sayingOf } from '#src/judge/edits/edits.ts';
import type { Language, Submission } from '#src/judge/protocol.ts';
import { PatientJudge } from './controls.ts';
import { wrongPrograms } from './wrong-programs.ts';

const judge = new PatientJudge({ children: { web: 1, python: 1, sql: 1, typescript: 1 } });
afterAll(() => judge.stop());

const TABLES = `CREATE TABLE people (id int, name text, city text, points int);
INSERT INTO people VALUES (1, 'Ada', 'London', 3), (2, 'Bob', NULL, 5), (3, 'Cy', 'London', 8), (4, 'Di', 'Paris', 8);
CREATE TABLE visits (person_id int, hours int);
INSERT INTO visits VALUES (1, 2), (1, 3), (3, 4);`;
const PAGE = '<main><h1 class="head">Title</h1><p id="lead">One</p><p>Two</p></main>';

const FIXTURES: Partial<Record<Language, string>> = { sql: TABLES, css: PAGE };
const SCRIPT_SUM = ['sum([1, 2, 3]) → 6', 'sum([]) → 0'];
const LOOP = (head: string) =>
  `function sum(list) {\n  let total = 0;\n  ${head}\n    total += list[i];\n  }\n  return total;\n}`;
const PYTHON_SUM = (lines: string) => `def sum_of(items):\n    total = 0\n${lines}\n`;
const APP = (state: string, body: string) =>
  `import { useState } from 'react';\nexport default function App() {\n  const [n, setN] = useState(${state});\n  return ${body};\n}`;

const WRONG: [Language, string, tests: string[], said: RegExp][] = [
  ['javascript', LOOP('for (let i = 0; i <= list.length - 2; i++) {'), SCRIPT_SUM, /numbers in line 3/],
  ['javascript', LOOP('for (let i = 1; i < list.length; i++) {'), SCRIPT_SUM, /numbers in line 3/],
  [
    'javascript',
    'function sum(list) {\n  let total = 0;\n  for (const n in list) total += n;\n  return total;\n}',
    ['sum([1, 2]) → 3'],
    /loop in line 3/,
  ],
  [
    'javascript',
    'function sum(list) {\n  let total = 0;\n  for (const n of list) {\n    total += n;\n    return total;\n  }\n}',
    SCRIPT_SUM,
    /place of the statement in line 5/,
  ],
  [
    'javascript',
    'const adult = (age) => age > 18;',
    ['adult(18) → true', 'adult(17) → false'],
    /comparison in line 1/,
  ],
  [
    'javascript',
    'const free = (a, b) => a && b;',
    ['free(true, false) → true', 'free(false, false) → false'],
    /condition in line 1/,
  ],
  ['javascript', 'const most = (a, b) => {\n  Math.max(a, b);\n};', ['most(1, 2) → 2'], /value in line 2/],
  ['javascript', 'const most = (list) => Math.min(...list);', ['most([1, 2]) → 2'], /call in line 1/],
  [
    'javascript',
    'const defaults = (given) => ({ ...given, size: 1 });',
    ['defaults({ size: 2 }) → {"size":2}', 'defaults({}) → {"size":1}'],
    /order of the parts in line 1/,
  ],
  ['javascript', 'const size = (text) => text.lenght;', ['size("abc") → 3'], /names in line 1/],
  [
    'javascript',
    'function count(list) {\n  const n = 0;\n  for (const each of list) n += 1;\n  return n;\n}',
    ['count([1, 2]) → 2'],
    /declaration in line 2/,
  ],
  [
    'typescript',
    'const adult = (age: number): boolean => age > 18;',
    ['adult(18) → true', 'adult(17) → false'],
    /comparison in line 1/,
  ],
  [
    'typescript',
    'const first = (list: number[]): number => list[1];',
    ['first([4, 5]) → 4'],
    /numbers in line 1/,
  ],
  [
    'python',
    PYTHON_SUM('    for i in range(1, len(items)):\n        total += items[i]\n    return total'),
    ['sum_of([1, 2]) → 3', 'sum_of([5]) → 5'],
    /numbers in line 3/,
  ],
  [
    'python',
    PYTHON_SUM('    for n in items:\n        total += n\n        return total'),
    ['sum_of([1, 2]) → 3'],
    /place of the statement in line 5/,
  ],
  [
    'python',
    PYTHON_SUM('    for n in items:\n        total = n\n    return total'),
    ['sum_of([1, 2]) → 3'],
    /assignment in line 4/,
  ],
  [
    'python',
    PYTHON_SUM('    for n in items:\n        total += n\n    total'),
    ['sum_of([1, 2]) → 3'],
    /value in line 5/,
  ],
  [
    'python',
    'def adult(age):\n    return age > 18\n',
    ['adult(18) → True', 'adult(17) → False'],
    /comparison in line 2/,
  ],
  [
    'python',
    'def free(a, b):\n    return a and b\n',
    ['free(True, False) → True', 'free(False, False) → False'],
    /condition in line 2/,
  ],
  ['python', 'def half(n):\n    return n / 2\n', ['half(5) → 2', 'half(4) → 2'], /calculation in line 2/],
  ['python', 'def most(items):\n    return min(items)\n', ['most([1, 2]) → 2'], /call in line 2/],
  [
    'python',
    'def lacks(items, one):\n    return one in items\n',
    ['lacks([1], 2) → True', 'lacks([1], 1) → False'],
    /condition in line 2/,
  ],
  ['python', 'def down(items):\n    return sorted(items)\n', ['down([1, 2]) → [2, 1]'], /order in line 2/],
  [
    'sql',
    'SELECT name FROM people WHERE city = NULL',
    ['result → name\nBob'],
    /comparison in line 1.*not there/,
  ],
  ['sql', 'SELECT name FROM people WHERE points > 8', ['result → name\nCy\nDi'], /comparison in line 1/],
  [
    'sql',
    "SELECT name FROM people\nWHERE city = 'Paris' AND points = 3",
    ['result → name\nAda\nDi'],
    /condition in line 2/,
  ],
  ['sql', 'SELECT name FROM people ORDER BY points, name LIMIT 1', ['result → name\nCy'], /order in line 1/],
  ['sql', 'SELECT count(points) AS n FROM people', ['result → n\n24'], /function in line 1/],
  [
    'sql',
    'SELECT city FROM people WHERE city IS NOT NULL',
    ['result → city\nLondon\nParis'],
    /rows in line 1/,
  ],
  [
    'sql',
    'SELECT name FROM people p\nJOIN visits v ON v.person_id = p.id\nWHERE hours IS NULL',
    ['result → name\nBob\nDi'],
    /join in line 2/,
  ],
  ['sql', "SELECT name FROM people WHERE city = 'london'", ['result → name\nAda\nCy'], /text in line 1/],
  ['sql', "SELECT name FROM people WHERE name LIKE '%A'", ['result → name\nAda'], /pattern in line 1/],
  ['sql', 'SELECT nmae FROM people WHERE id = 1', ['result → name\nAda'], /names in line 1/],
  ['html', '<p id="card">A</p>', ['.card → A'], /attribute in line 1/],
  ['html', '<p>A</p>\n<a herf="a.html">B</a>', ['a | @href → a.html'], /attribute in line 2/],
  ['html', '<haeder>A</haeder>', ['header → A'], /element in line 1/],
  ['html', '<p class="crad">A</p>', ['.card → A'], /text in line 1/],
  ['css', '.hed { color: red; }', ['h1 | color → red'], /names in line 1/],
  ['css', '.lead { color: red; }', ['#lead | color → red'], /selector in line 1/],
  ['css', 'h1 {\n  margin-top: 10em;\n}', ['h1 | margin-top → 10px'], /unit in line 2/],
  ['css', 'h1 { color: redd; }', ['h1 | color → red'], /text in line 1/],
  ['css', 'h1 {\n  margin-top: 4px;\n}', ['h1 | margin-bottom → 4px'], /property in line 2/],
  [
    'react',
    APP('0', '<button onClick={() => setN(n - 1)}>{n}</button>'),
    ['<App />; click button; button → 1'],
    /calculation in line 4/,
  ],
  [
    'react',
    APP('0', '<button onclick={() => setN(1)}>{n}</button>'),
    ['<App />; click button; button → 1'],
    /attribute in line 4/,
  ],
  [
    'react',
    APP('1', '<p>{n > 1 ? "many" : "few"}</p>'),
    ['<App />; p → many'],
    /comparison in line 4|numbers in line [34]/,
  ],
];

const submissionOf = (language: Language, code: string, asked: readonly string[]): Submission => ({
  language,
  code,
  tests: asked.map((one) => {
    const [input = '', expectedOutput = ''] = one.split(' → ');
    return { input, expectedOutput };
  }),
  ...(language in FIXTURES ? { fixture: FIXTURES[language] } : {}),
});

const passed = async (submission: Submission) => {
  const { tests, kind } = await judge.judge(submission);
  return tests.filter((each) => each.passed).length + Number(kind === 'pass');
};

describe('one edit that makes the tests pass is pointed at', () => {
  test.each(WRONG)('%s: %s', async (language, code, asked, said) => {
    const hint = await judge.proveHint(submissionOf(language, code, asked));
    expect(`${hint?.message} ${hint?.explanation}`).toMatch(said);
  });
});

test.each<[string, Submission]>([
  ['passes', submissionOf('javascript', 'const f = () => 1;', ['f() → 1'])],
  ['does not parse', submissionOf('javascript', 'const f = () => {;', ['f() → 1'])],
  ['no small edit mends', submissionOf('javascript', 'const f = () => "a";', ['f() → 8472'])],
  [
    'fails in hidden tests alone',
    {
      language: 'javascript',
      code: 'const adult = (age) => age > 18;',
      tests: [
        { input: 'adult(20)', expectedOutput: 'true' },
        { input: 'adult(18)', expectedOutput: 'true', hidden: true },
      ],
    },
  ],
])('no hint is given to a program that %s', async (_, submission) => {
  expect(await judge.proveHint(submission)).toBeNull();
});

test('an edit that breaks a test that passed is no evidence', async () => {
  // With >= the first would pass, and the third would not any more.
  const asked = ['f(1) → true', 'f(2) → true', 'f(1) → false'];
  expect(await judge.proveHint(submissionOf('javascript', 'const f = (n) => n > 1;', asked))).toBeNull();
});

test('an owner has one search at a time, it counts as no run, and ends where somebody waits', async () => {
  const wrong = {
    ...submissionOf('javascript', 'const adult = (age) => age > 18;', ['adult(18) → true']),
    owner: 'a',
  };
  await judge.judge(wrong);
  const before = (await judge.health()).counters;
  const [first, second] = await Promise.all([judge.proveHint(wrong), judge.proveHint(wrong)]);
  expect(first?.message).toBe('Look at the comparison in line 1.');
  expect(second).toBeNull();
  expect((await judge.health()).counters).toEqual(before);
  const run = judge.judge(
    { ...wrong, code: 'const adult = () => { for (;;); };' },
    { testMs: 500, totalMs: 500 },
  );
  expect(await judge.proveHint(wrong)).toBeNull();
  expect((await run).kind).toBe('time_limit');
  expect(await judge.proveHint(wrong)).not.toBeNull();
});

test('a program without tests is compared by what it prints', async () => {
  const hint = await judge.proveHint({
    language: 'python',
    code: 'print(2 - 2)',
    tests: [],
    expectedOutput: '4',
  });
  expect(hint?.message).toBe('Look at the calculation in line 1.');
});

test('what a hint of a generated mistake says, applied, passes more tests', {
  timeout: 300_000,
}, async () => {
  let hints = 0;
  for (const { submission } of wrongPrograms(1).filter((_, at) => at % 2 === 0)) {
    const hint = await judge.proveHint(submission);
    if (!hint) continue;
    hints += 1;
    const tests = submission.tests.filter(({ hidden }) => !hidden);
    const before = await passed({ ...submission, tests });
    const meant = [...editsOf(submission, null)].filter((edit) => sayingOf(edit).message === hint.message);
    const after = await Promise.all(meant.map(({ code }) => passed({ ...submission, tests, code })));
    expect(Math.max(...after), hint.message).toBeGreaterThan(before);
  }
  expect(hints).toBeGreaterThan(20);
});
