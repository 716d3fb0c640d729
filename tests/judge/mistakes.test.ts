import { afterAll, describe, expect, test } from 'vitest';
import type { Language } from '#src/judge/protocol.ts';
import { PatientJudge } from './controls.ts';
import { JAVASCRIPT } from './mistakes/javascript.ts';
import { CSS, CSS_PAGE, HTML } from './mistakes/markup.ts';
import type { Mistake } from './mistakes/mistake.ts';
import { PYTHON } from './mistakes/python.ts';
import { REACT } from './mistakes/react.ts';
import { SQL, SQL_TABLES } from './mistakes/sql.ts';

// The error message and the hint for each mistake of a beginner.
const judge = new PatientJudge({ children: { web: 1, python: 1, sql: 1 } });
afterAll(() => judge.stop());

const TABLES: [Language, Mistake[]][] = [
  ['javascript', JAVASCRIPT],
  ['python', PYTHON],
  ['react', REACT],
  ['html', HTML],
  ['css', CSS],
  ['sql', SQL],
];

const FIXTURES: Partial<Record<Language, string>> = { css: CSS_PAGE, sql: SQL_TABLES };

/** For a machine that is busy with others. */
const SLOW_MS = 120_000;

describe.each(TABLES)('%s', (language, mistakes) => {
  test.each(mistakes)(
    '%s',
    async (_, code, asked, headline, hint) => {
      const [input = '', expectedOutput = ''] = asked.split(' → ');
      const program = {
        language,
        code,
        tests: [{ input, expectedOutput }],
        ...(language in FIXTURES ? { fixture: FIXTURES[language] } : {}),
      };
      const verdict = await judge.judge(
        program,
        // The table is about words: React counts its endless updates before a slow machine has run out of time.
        language === 'react' ? { testMs: 10_000 } : {},
      );
      const { error } = verdict;
      expect(error ? `${error.name}: ${error.message}` : verdict.kind).toMatch(headline);
      // Either the error is explained, or a hint stands apart from it: never both, and no hint as the headline.
      const said = [error?.explanation, verdict.hint?.message, verdict.hint?.explanation].filter(Boolean);
      // What the text does not say is proven by an edit.
      if (!hint.test(said.join(' '))) said.push((await judge.proveHint(program))?.message);
      expect(said.join(' ')).toMatch(hint);
      expect(Boolean(error?.explanation) && verdict.hint !== null).toBe(false);
      expect([error, ...verdict.tests.map((each) => each.error)].map((each) => each?.name)).not.toContain(
        'Hint',
      );
    },
    SLOW_MS,
  );
});

test.each([
  ['JavaScript', JAVASCRIPT, 120],
  ['Python', PYTHON, 120],
  ['React', REACT, 40],
  ['HTML and CSS', [...HTML, ...CSS], 120],
  ['SQL', SQL, 120],
])('%s has enough mistakes, and none of them twice', (_, mistakes, least) => {
  expect(mistakes.length).toBeGreaterThanOrEqual(least);
  expect(new Set(mistakes.map(([, code, asked]) => `${code}\n${asked}`)).size).toBe(mistakes.length);
});
