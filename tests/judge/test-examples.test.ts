import { afterAll, describe, expect, it } from 'vitest';
import {
  EXAMPLE_SAMPLES,
  foundBy,
  inputsOf,
  searchFor,
  examplesOf,
} from '#src/features/authoring/lesson-editor/test-help/test-examples.ts';
import { PatientJudge } from './controls.ts';

const judge = new PatientJudge({ children: { web: 1, sql: 1 } });
afterAll(() => judge.stop());

type Page = { language: 'html' | 'css' | 'react' | 'typescript' | 'sql'; code: string; fixture: string };

/** Programs in which nothing of a sample is left. */
const GONE = {
  html: '<p></p>',
  react: 'export default function App() { return <i /> }',
  typescript: 'const add = (a: unknown, b: unknown) => [a, b];',
  sql: 'SELECT 1 AS one',
};

/** The test that the menu would insert for a reference. */
async function inserted({ language, code, fixture }: Page, label: string) {
  const example = examplesOf(language).find((one) => one.label === label)!;
  const search = searchFor(example, language, code, fixture);
  if (search.length === 0) return null;
  const tests = inputsOf(search).map((input) => ({ input, expectedOutput: '?' }));
  return foundBy(search, (await judge.judge({ language, code, fixture, tests })).tests, example.expects);
}

describe.each(['html', 'css', 'react', 'typescript', 'sql'] as const)(
  'the examples of tests for %s',
  (language) => {
    const sample = EXAMPLE_SAMPLES[language];
    const cases = examplesOf(language).map((example) => [example.label, example] as const);

    it('pass as they are written against their sample', async () => {
      const tests = cases.map(([, { input, expectedOutput }]) => ({ input, expectedOutput }));
      const verdict = await judge.judge({ language, ...sample, tests });
      expect(
        verdict.tests.map(({ passed, got, error }, at) => [cases[at]![0], passed || [got, error]]),
      ).toEqual(cases.map(([label]) => [label, true]));
    });

    it('fail once what they look at is gone', async () => {
      const gone =
        language === 'css'
          ? { code: 'p { margin: 0 }', fixture: '<p>Nothing</p>' }
          : { fixture: '', code: GONE[language] };
      const tests = cases.map(([, { input, expectedOutput }]) => ({ input, expectedOutput }));
      const verdict = await judge.judge({ language, ...gone, tests });
      expect(verdict.tests.map(({ passed }) => passed)).toEqual(cases.map(() => false));
    });

    it.each(cases)('%s is found in a reference, and what is inserted passes there', async (label) => {
      const page = { language, ...sample };
      const test = await inserted(page, label);
      expect(test).not.toBeNull();
      expect((await judge.judge({ ...page, tests: [test!] })).kind).toBe('pass');
    });
  },
);

describe('an example for a reference of the author’s own', () => {
  it('looks at what is there', async () => {
    const html = {
      language: 'html',
      fixture: '',
      code: '<main><h2 id="top">Prices</h2><img src="a.png" alt="A cup"></main>',
    } as const;
    expect(await inserted(html, 'Text')).toEqual({ input: '#top', expectedOutput: 'Prices' });
    expect(await inserted(html, 'Attribute')).toEqual({ input: 'img | @src', expectedOutput: 'a.png' });
    expect(await inserted(html, 'On a small screen')).toBeNull();
    const react = {
      language: 'react',
      fixture: '',
      code: `import { useState } from 'react';
        function Lamp() { const [on, set] = useState(false);
          return <div><h3>Lamp</h3><button onClick={() => set(!on)}>Switch</button><p className="state">{on ? 'on' : 'off'}</p></div>; }
        export default Lamp;`,
    } as const;
    // The heading stays as it is: only what a click changes proves one.
    expect(await inserted(react, 'Click')).toEqual({
      input: '<Lamp />; click button | .state',
      expectedOutput: 'on',
    });
    expect(await inserted(react, 'Type')).toBeNull();
    const typed = {
      language: 'typescript',
      fixture: '',
      code: 'interface Pet { name: string }\nconst nameOf = (pet: Pet) => pet.name;',
    } as const;
    expect(await inserted(typed, 'Type')).toEqual({
      input: 'type of nameOf',
      expectedOutput: '(pet: Pet) => string',
    });
    expect(await inserted(typed, 'Must not compile')).toEqual({
      input: 'must not compile: nameOf()',
      expectedOutput: 'error',
    });
    const tables = {
      language: 'sql',
      fixture: 'CREATE TABLE pets (id integer GENERATED ALWAYS AS IDENTITY, name text);',
      code: "CREATE TABLE toys (id integer PRIMARY KEY); INSERT INTO pets (name) VALUES ('Rex');",
    } as const;
    expect(await inserted(tables, 'Result in order')).toBeNull();
    expect(await inserted(tables, 'Result')).toBeNull();
    expect(await inserted(tables, 'Table')).toEqual({ input: 'table toys', expectedOutput: 'id' });
    expect(await inserted(tables, 'Refused')).toEqual({
      input: 'refused: INSERT INTO toys DEFAULT VALUES',
      expectedOutput: 'not_null_violation',
    });
  });

  it('is none where the reference cannot be read', async () => {
    const code = 'export default function App() { return <h1>Hello</h2>; }';
    expect(await inserted({ language: 'react', code, fixture: '' }, 'Render')).toBeNull();
    expect(
      await inserted({ language: 'css', code: 'h1 { color: red', fixture: '<h1>A</h1>' }, 'Style'),
    ).toBeNull();
  });
});
