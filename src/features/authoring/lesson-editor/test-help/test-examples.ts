import type { TestFields } from '#src/features/authoring/lesson-editor/exercise.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import type { TestResult } from '#src/features/practice/schema.ts';

// One example of each look and step of tests for pages, components, types and tables (decisions 47–49, 134,
// 135).

interface Candidate {
  input: string;
  /** Without its step, to prove that the step changes something. */
  before?: string;
}

export interface TestExample {
  label: string;
  hint: string;
  input: string;
  expectedOutput: string;
  candidates: (parts: Parts) => Candidate[];
  /** The expected part of what was found; all of it by default. */
  expects?: (got: string) => string;
}

interface Parts {
  elements: string[];
  attributes: [selector: string, name: string][];
  rules: { selector: string; property: string; condition: string }[];
  root: string;
  options: string[];
  names: string[];
  typed: string[];
  tables: string[];
  isOrdered: boolean;
}

/** Looks and steps of one search: each is a page of its own in React. */
const LOOKS_MAX = 10;
const STEPS_MAX = 2;

const CONTAINERS = /^(?:body|main|div|section|article|header|footer|nav|ul|ol|form|table|tbody|select|svg)$/;
const UNSEEN = /^(?:html|head|title|style|script|meta|link|base|option)$/;
const IS_STEP = 'select';
const FIELDS = /^(?:img|input|textarea|br|hr|path)$/;

/** What a reference names. */
export function partsOf(language: CodingLanguage, reference: string, fixture: string): Parts {
  const markup = language === 'css' ? fixture : reference;
  const found: { tag: string; selector: string }[] = [];
  const attributes: Parts['attributes'] = [];
  for (const [, tag = '', rest = ''] of markup.matchAll(
    /<([a-z][\w-]*)((?:[^<>"'{]|"[^"]*"|'[^']*'|\{[^<>]*\})*)/g,
  )) {
    if (UNSEEN.test(tag)) continue;
    const id = /\sid=["']([\w-]+)["']/.exec(rest)?.[1];
    const name = /\sclass(?:Name)?=["']([a-zA-Z][\w-]*)/.exec(rest)?.[1];
    const selector = id ? `#${id}` : name ? `.${name}` : tag;
    found.push({ tag, selector });
    for (const [, attribute = ''] of rest.matchAll(/\s([a-z][a-z-]*)=["']/g)) {
      if (!/^(?:id|class|style)$/.test(attribute)) attributes.push([selector, attribute]);
    }
  }
  const rank = ({ tag }: { tag: string }) => (FIELDS.test(tag) ? 2 : CONTAINERS.test(tag) ? 1 : 0);
  const elements = found.toSorted((a, b) => rank(a) - rank(b)).map(({ selector }) => selector);
  const styles =
    language === 'css'
      ? reference
      : [...markup.matchAll(/<style[^>]*>([^<]*)/g)].map(([, text]) => text).join('\n');
  return {
    elements: [...new Set(elements)].filter((one) => language !== 'react' || one !== IS_STEP),
    attributes: [...new Map(attributes.map((pair) => [pair.join(' '), pair])).values()],
    rules: rulesOf(styles),
    root: `<${componentOf(reference)} />`,
    options: [...reference.matchAll(/<option[^>]*>([^<>{}"]+)</g)]
      .map(([, text = '']) => text.trim())
      .filter(Boolean),
    names: namesIn(reference, /^(?:async +)?(?:const|let|function) +([\w$]+)/gm),
    typed: namesIn(
      reference,
      /^(?:async +)?(?:function +([\w$]+) *(?:<[^>()]*>)? *\(|const +([\w$]+) *= *(?:async *)?(?:<[^>()]*>)? *\()\s*[\w$]+ *:/gm,
    ),
    tables: [
      ...new Set([
        ...namesIn(reference, /\b(?:insert +into|update|delete +from|(?:create|alter) +table) +([\w.]+)/gi),
        ...namesIn(`${fixture}\n${reference}`, /\bcreate +table +(?:if +not +exists +)?([\w.]+)/gi),
      ]),
    ],
    isOrdered: /\border\s+by\b/i.test(reference),
  };
}

const namesIn = (reference: string, pattern: RegExp): string[] =>
  [...reference.matchAll(pattern)].map(([, one, other]) => one ?? other!);

function rulesOf(styles: string): Parts['rules'] {
  const rules: Parts['rules'] = [];
  const text = styles.replace(/\/\*[\s\S]*?\*\//g, '');
  const read = (block: string, around: string) => {
    for (const [, selector = '', property = ''] of block.matchAll(/([^{}@;]+)\{\s*(--[\w-]+|[a-z-]+)\s*:/g)) {
      const first = selector.trim().split(/\s*,\s*/)[0]!;
      if (first) rules.push({ selector: first, property, condition: around });
    }
  };
  let rest = text;
  for (const [whole, head = '', block = ''] of text.matchAll(
    /(@[^{};]+)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}/g,
  )) {
    rest = rest.replace(whole, '');
    if (/^@(?:media|container)\s*\(/i.test(head)) read(block, head.trim().replace(/\s+/g, ' '));
  }
  read(rest, '');
  return rules;
}

function componentOf(reference: string): string {
  const exported =
    /export\s+default\s+(?:async\s+)?(?:function|class)\s+([A-Z]\w*)/.exec(reference)?.[1] ??
    /export\s+default\s+([A-Z]\w*)\s*;?/.exec(reference)?.[1];
  return (
    exported ?? [...reference.matchAll(/(?:function|class|const|let)\s+([A-Z]\w*)/g)].at(-1)?.[1] ?? 'App'
  );
}

const looks = (inputs: readonly string[]): Candidate[] => inputs.map((input) => ({ input }));
const ofRules = (pick: (rule: Parts['rules'][number]) => boolean) => (parts: Parts) =>
  looks(
    parts.rules
      .filter(pick)
      .map(
        ({ condition, selector, property }) => `${condition ? `${condition} ` : ''}${selector} | ${property}`,
      ),
  );
const PSEUDO_ELEMENT = /::?(?:before|after|marker|placeholder|first-line|first-letter)$/;
const STATE = /:(?:hover|active|focus)\b/;
const isPlain = ({ condition, selector, property }: Parts['rules'][number]) =>
  !condition && !PSEUDO_ELEMENT.test(selector) && !STATE.test(selector) && !property.startsWith('--');

const STYLES: readonly TestExample[] = [
  {
    label: 'Style',
    hint: 'A property as the browser works it out',
    input: 'h1 | color',
    expectedOutput: 'navy',
    candidates: (parts) => [
      ...ofRules(isPlain)(parts),
      ...looks(parts.elements.map((element) => `${element} | color`)),
    ],
  },
  {
    label: 'On a small screen',
    hint: 'A property under a media query',
    input: '@media (max-width: 600px) nav | display',
    expectedOutput: 'none',
    candidates: ofRules(({ condition }) => /^@media/i.test(condition)),
  },
];

const PAGE: readonly TestExample[] = [
  {
    label: 'Text',
    hint: 'What the first such element says',
    input: 'h1',
    expectedOutput: 'Our shop',
    candidates: ({ elements }) => looks(elements),
  },
  {
    label: 'Count',
    hint: 'How many there are',
    input: 'nav a | count',
    expectedOutput: '2',
    candidates: ({ elements }) => looks(elements.map((element) => `${element} | count`)),
  },
  {
    label: 'Attribute',
    hint: 'The value of an attribute',
    input: 'nav a | @href',
    expectedOutput: '/cart',
    candidates: ({ attributes }) => looks(attributes.map(([element, name]) => `${element} | @${name}`)),
  },
  {
    label: 'Markup',
    hint: 'The markup inside an element',
    input: 'ul | html',
    expectedOutput: '<li>Tea</li><li>Coffee</li>',
    // Containers come last, and have the markup.
    candidates: ({ elements }) => looks(elements.toReversed().map((element) => `${element} | html`)),
  },
];

const CSS: readonly TestExample[] = [
  { ...STYLES[0]!, input: '.card | color', expectedOutput: 'navy' },
  {
    label: 'Variable',
    hint: 'A custom property',
    input: ':root | --gap',
    expectedOutput: '8px',
    candidates: ofRules(({ property, condition }) => property.startsWith('--') && !condition),
  },
  {
    label: 'Hover or focus',
    hint: 'A property while a visitor points there',
    input: 'a:hover | color',
    expectedOutput: 'red',
    candidates: ofRules(({ selector, condition }) => STATE.test(selector) && !condition),
  },
  {
    label: 'Pseudo-element',
    hint: 'What stands before or after an element',
    input: '.card::before | content',
    expectedOutput: '"New"',
    candidates: ofRules(({ selector, condition }) => PSEUDO_ELEMENT.test(selector) && !condition),
  },
  { ...STYLES[1]!, input: '@media (max-width: 600px) .card | display', expectedOutput: 'block' },
  {
    label: 'In a narrow or wide container',
    hint: 'A property under a container query',
    input: '@container (min-width: 400px) h2 | font-weight',
    expectedOutput: '400',
    candidates: ofRules(({ condition }) => /^@container/i.test(condition)),
  },
];

const step =
  (...steps: string[]) =>
  ({ root, elements }: Parts): Candidate[] =>
    steps
      .slice(0, STEPS_MAX)
      .flatMap((one) =>
        elements
          .slice(0, LOOKS_MAX)
          .map((element) => ({ input: `${root}; ${one} | ${element}`, before: `${root}; ${element}` })),
      );

const REACT: readonly TestExample[] = [
  {
    label: 'Render',
    hint: 'What the component shows at first',
    input: '<App />; h1',
    expectedOutput: 'Shop',
    candidates: ({ root, elements }) => looks([...elements.map((element) => `${root}; ${element}`), root]),
  },
  {
    label: 'Click',
    hint: 'What it shows after a click',
    input: '<App />; click button | p',
    expectedOutput: 'Total 1',
    candidates: step('click button', 'click input'),
  },
  {
    label: 'Type',
    hint: 'What it shows after somebody typed',
    input: '<App />; type input "Ada" | output',
    expectedOutput: 'Ada Small',
    candidates: step('type input "Ada"', 'type textarea "Ada"'),
  },
  {
    label: 'Select',
    hint: 'What it shows after a choice in a list',
    input: '<App />; select select "Large" | output',
    expectedOutput: 'Large',
    candidates: (parts) =>
      step(...parts.options.toReversed().map((text) => `select select "${text}"`))(parts),
  },
  {
    label: 'Press a key',
    hint: 'What it shows after a key in a field',
    input: '<App />; press input Escape | small',
    expectedOutput: 'Closed',
    candidates: step('press input Enter', 'press input Escape'),
  },
  {
    label: 'Submit',
    hint: 'What it shows after the form was sent',
    input: '<App />; submit form | small',
    expectedOutput: 'Sent',
    candidates: step('submit form'),
  },
  {
    label: 'Clear a field',
    hint: 'What it shows once a field is empty again',
    input: '<App />; type input "Ada"; clear input | output',
    expectedOutput: 'Small',
    candidates: ({ root, elements }) =>
      elements.map((element) => ({
        input: `${root}; type input "Ada"; clear input | ${element}`,
        before: `${root}; type input "Ada" | ${element}`,
      })),
  },
  {
    label: 'Focus',
    hint: 'What it shows while a field has the focus',
    input: '<App />; focus input | em',
    expectedOutput: 'Your first name',
    candidates: step('focus input'),
  },
  {
    label: 'Leave a field',
    hint: 'What it shows once a field has lost the focus',
    input: '<App />; focus input; blur input | em',
    expectedOutput: 'Thanks',
    candidates: step('focus input; blur input'),
  },
  {
    label: 'Hover',
    hint: 'What it shows while the pointer is there',
    input: '<App />; hover h1 | em',
    expectedOutput: 'Hello',
    candidates: (parts) => step(...parts.elements.slice(0, 3).map((element) => `hover ${element}`))(parts),
  },
  {
    label: 'Wait',
    hint: 'What it shows some time later; nobody really waits',
    input: '<App />; click button; wait 1s | small',
    expectedOutput: 'Saved',
    candidates: step('wait 1s', 'click button; wait 1s'),
  },
  {
    label: 'Count',
    hint: 'How many there are',
    input: '<App />; option | count',
    expectedOutput: '2',
    candidates: ({ root, elements }) => looks(elements.map((element) => `${root}; ${element} | count`)),
  },
  {
    label: 'Attribute',
    hint: 'The value of an attribute',
    input: '<App />; input | @placeholder',
    expectedOutput: 'Your name',
    candidates: ({ root, attributes }) =>
      looks(
        attributes
          .filter(([, name]) => name !== 'type')
          .concat(attributes)
          .map(([element, name]) => `${root}; ${element} | @${name}`),
      ),
  },
  {
    label: 'Markup',
    hint: 'The markup inside an element',
    input: '<App />; ul | html',
    expectedOutput: '<li>Tea</li>',
    candidates: ({ root, elements }) =>
      looks(elements.toReversed().map((element) => `${root}; ${element} | html`)),
  },
  {
    label: 'Style',
    hint: 'A property as the browser works it out',
    input: '<App />; h1 | color',
    expectedOutput: 'navy',
    candidates: ({ root, elements }) => looks(elements.map((element) => `${root}; ${element} | color`)),
  },
];

/** Without calls, which only their author can think of. */
const TYPES: readonly TestExample[] = [
  {
    label: 'Type',
    hint: 'The type of an expression, as the compiler writes it',
    input: 'type of prices',
    expectedOutput: 'number[]',
    candidates: ({ names }) => looks(names.map((name) => `type of ${name}`)),
  },
  {
    label: 'Must not compile',
    hint: 'Whether the compiler refuses a line',
    input: 'must not compile: add("2", 3)',
    expectedOutput: 'error',
    candidates: ({ typed }) => looks(typed.map((name) => `must not compile: ${name}()`)),
  },
];

/** Nothing refuses it, so that a refusal of another one shows. */
const NOT_REFUSED = 'refused: SELECT 1';

/** Likely mistakes: no values, existing rows once more, deleted rows. */
const WRONG = (table: string) => [
  `INSERT INTO ${table} DEFAULT VALUES`,
  `INSERT INTO ${table} SELECT * FROM ${table}`,
  `DELETE FROM ${table}`,
];

/** 2 is as right an integer as a bigint. */
const withoutTypes = (table: string) => {
  const [head = '', ...rows] = table.split('\n');
  return [head.replace(/:[a-z][a-z0-9 ()[\],]*?(?= \| |$)/g, ''), ...rows].join('\n');
};

const TABLES: readonly TestExample[] = [
  {
    label: 'Result',
    expects: withoutTypes,
    hint: 'The rows of the last query, in any order',
    input: 'result',
    expectedOutput: 'city | n\nLondon | 2\nParis | 2',
    candidates: () => looks(['result']),
  },
  {
    label: 'Result in order',
    expects: withoutTypes,
    hint: 'The same rows, where their order counts',
    input: 'result in order',
    expectedOutput: 'city | n\nLondon | 2\nParis | 2',
    candidates: ({ isOrdered }) => looks(isOrdered ? ['result in order'] : []),
  },
  {
    label: 'Table',
    expects: withoutTypes,
    hint: 'The rows of a table afterwards',
    input: 'table customers',
    expectedOutput: 'id | name | city\n1 | Ada | London\n2 | Bob | Paris\n3 | Cy | London\n4 | Di | Paris',
    candidates: ({ tables }) => looks(tables.map((table) => `table ${table}`)),
  },
  {
    label: 'Query',
    expects: withoutTypes,
    hint: 'What a query of yours gives afterwards',
    input: "SELECT name FROM customers WHERE city = 'Paris'",
    expectedOutput: 'name\nBob\nDi',
    candidates: ({ tables }) => looks(tables.map((table) => `SELECT count(*) AS n FROM ${table}`)),
  },
  {
    label: 'Plan',
    hint: 'How the last query is carried out; keep the lines that matter',
    input: 'plan',
    expectedOutput: 'Seq Scan on customers',
    candidates: () => looks(['plan']),
  },
  {
    label: 'Refused',
    hint: 'The rule that refuses a statement afterwards',
    input: "refused: INSERT INTO customers (id, name) VALUES (5, 'Ada')",
    expectedOutput: 'unique_violation',
    candidates: ({ tables }) =>
      tables.flatMap(WRONG).map((statement) => ({ input: `refused: ${statement}`, before: NOT_REFUSED })),
  },
  {
    label: 'Given other rows',
    expects: withoutTypes,
    hint: 'Statements that run first, for this test alone',
    input: "given: DELETE FROM customers WHERE city = 'London';\nthen\nresult",
    expectedOutput: 'city | n\nParis | 2',
    candidates: ({ tables }) =>
      tables.flatMap((table) =>
        ['result', `table ${table}`].map((look) => ({
          input: `given: DELETE FROM ${table};\nthen\n${look}`,
          before: look,
        })),
      ),
  },
];

const TEST_EXAMPLES: Partial<Record<CodingLanguage, readonly TestExample[]>> = {
  html: [...PAGE, ...STYLES],
  css: CSS,
  react: REACT,
  typescript: TYPES,
  sql: TABLES,
};

/** The kinds of tests offered in a language. */
export const examplesOf = (language: CodingLanguage): readonly TestExample[] => TEST_EXAMPLES[language] ?? [];

/** The tests to ask of a reference; those with a step carry the look before it. */
export function searchFor(
  example: TestExample,
  language: CodingLanguage,
  reference: string,
  fixture: string,
): Candidate[] {
  const known = example.candidates(partsOf(language, reference, fixture));
  const unlike = [...new Map(known.map((one) => [one.input, one])).values()];
  return unlike.slice(0, unlike[0]?.before === undefined ? LOOKS_MAX : LOOKS_MAX * STEPS_MAX);
}

export const inputsOf = (search: readonly Candidate[]): string[] => [
  ...new Set(search.flatMap(({ input, before }) => (before === undefined ? [input] : [before, input]))),
];

/** The first test that finds something, and something new after a step; null where none does. */
export function foundBy(
  search: readonly Candidate[],
  results: readonly Pick<TestResult, 'got'>[],
  expects: TestExample['expects'] = (got) => got,
): Pick<TestFields, 'input' | 'expectedOutput'> | null {
  const gave = new Map(inputsOf(search).map((input, at) => [input, results[at]?.got ?? '']));
  for (const { input, before } of search) {
    const got = gave.get(input) ?? '';
    const isOther = before === undefined || got !== gave.get(before);
    if (got.trim() !== '' && got !== '0' && isOther) return { input, expectedOutput: expects(got) };
  }
  return null;
}
