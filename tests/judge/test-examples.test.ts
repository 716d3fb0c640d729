import { afterAll, describe, expect, it } from 'vitest';
import {
  foundBy,
  inputsOf,
  searchFor,
  examplesOf,
} from '#src/features/authoring/lesson-editor/test-help/test-examples.ts';
import { PatientJudge } from './controls.ts';

const judge = new PatientJudge({ children: { web: 1, sql: 1 } });
afterAll(() => judge.stop());

type Page = { language: 'html' | 'css' | 'react' | 'typescript' | 'sql'; code: string; fixture: string };

/** References in which the examples as they are written pass. */
const SAMPLES: Record<'html' | 'css' | 'react' | 'typescript' | 'sql', { code: string; fixture: string }> = {
  html: {
    fixture: '',
    code: `<!doctype html>
<html lang="en">
  <head><title>Shop</title><style>h1 { color: navy } @media (max-width: 600px) { nav { display: none } }</style></head>
  <body>
    <h1>Our shop</h1>
    <nav><a href="/cart">Cart</a> <a href="/help">Help</a></nav>
    <ul><li>Tea</li><li>Coffee</li></ul>
  </body>
</html>`,
  },
  css: {
    fixture: '<main class="page"><article class="card"><h2>Tea</h2><a href="#">Buy</a></article></main>',
    code: `:root { --gap: 8px }
.page { container-type: inline-size }
.card { color: navy }
.card::before { content: "New" }
a:hover { color: red }
@media (max-width: 600px) { .card { display: block } }
@container (min-width: 400px) { h2 { font-weight: 400 } }`,
  },
  react: {
    fixture: '',
    code: `import { useState } from 'react';

export default function App() {
  const [count, setCount] = useState(0);
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const [tip, setTip] = useState('');
  const [size, setSize] = useState('Small');
  const later = () => setTimeout(() => setNote('Saved'), 1000);
  return (
    <form onSubmit={(event) => { event.preventDefault(); setNote('Sent'); }}>
      <h1 style={{ color: 'navy' }} onMouseEnter={() => setTip('Hello')}>Shop</h1>
      <p>Total {count}</p>
      <button type="button" onClick={() => { setCount(count + 1); later(); }}>Add</button>
      <input placeholder="Your name" value={name} onFocus={() => setTip('Your first name')} onBlur={() => setTip('Thanks')}
        onChange={(event) => setName(event.target.value)} onKeyDown={(event) => event.key === 'Escape' && setNote('Closed')} />
      <select value={size} onChange={(event) => setSize(event.target.value)}><option>Small</option><option>Large</option></select>
      <output>{name} {size}</output>
      <small>{note}</small>
      <em>{tip}</em>
      <ul><li>Tea</li></ul>
    </form>
  );
}`,
  },
  typescript: {
    fixture: '',
    code: `const prices: number[] = [3, 4];

function add(a: number, b: number): number {
  return a + b;
}`,
  },
  sql: {
    fixture: `CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL UNIQUE, city text);
INSERT INTO customers VALUES (1, 'Ada', 'London'), (2, 'Bob', 'Paris'), (3, 'Cy', 'London');`,
    code: `INSERT INTO customers VALUES (4, 'Di', 'Paris');
SELECT city, count(*) AS n FROM customers GROUP BY city ORDER BY city;`,
  },
};

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
    const sample = SAMPLES[language];
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
