import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Question, questionInput } from '#src/features/lessons/types/quiz/question.ts';
import { isMoodleXml, readMoodle } from './moodle.ts';
import { writeMoodle } from './moodle-writer.ts';
import { HERE } from './question-file.ts';

const quiz = (inside: string) => `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${inside}\n</quiz>`;
const asked = (type: string, inside: string, text = 'Q?') =>
  `<question type="${type}"><name><text>N</text></name><questiontext format="html"><text><![CDATA[${text}]]></text></questiontext>${inside}</question>`;
const answer = (share: number, text: string, more = '') =>
  `<answer fraction="${share}"><text>${text}</text>${more}</answer>`;

describe('Moodle XML is read', () => {
  it.each<[string, string, object]>([
    [
      'a choice, with feedback, code and entities',
      asked(
        'multichoice',
        `<generalfeedback format="html"><text>&lt;p&gt;Why&lt;/p&gt;</text></generalfeedback><defaultgrade>2.0000000</defaultgrade><single>true</single>${answer(100, '&amp;lt;b&amp;gt;', '<feedback format="html"><text>Yes</text></feedback>')}${answer(0, 'no')}`,
        '<p>Is <strong>this</strong> <code>1 &lt; 2</code>?</p>',
      ),
      {
        question: 'Is this `1 < 2`?',
        explanation: 'Why',
        points: 2,
        options: ['<b>', 'no'],
        correctAnswer: 0,
        feedback: ['Yes', ''],
      },
    ],
    [
      'several answers',
      asked('multichoice', `<single>false</single>${answer(50, 'a')}${answer(50, 'b')}${answer(-100, 'c')}`),
      { kind: 'several_answers', correctAnswers: [0, 1] },
    ],
    [
      'true or false',
      asked('truefalse', `${answer(0, 'true')}${answer(100, 'false')}`),
      { kind: 'true_false', isTrue: false },
    ],
    [
      'a short text',
      asked('shortanswer', `<usecase>1</usecase>${answer(100, 'Paris')}${answer(100, 'a\\*b')}`),
      { kind: 'short_text', accepted: ['Paris', 'a*b'], matchCase: true },
    ],
    [
      'a number',
      asked(
        'numerical',
        `${answer(100, '3.14', '<tolerance>0.01</tolerance>')}<units><unit><multiplier>1</multiplier><unit_name>m</unit_name></unit></units>`,
      ),
      { kind: 'number', value: 3.14, tolerance: 0.01, unit: 'm' },
    ],
    [
      'pairs',
      asked(
        'matching',
        ['a|1', 'b|2', '|3']
          .map((pair) => pair.split('|'))
          .map(
            ([prompt, match]) =>
              `<subquestion><text>${prompt}</text><answer><text>${match}</text></answer></subquestion>`,
          )
          .join(''),
      ),
      {
        kind: 'matching',
        pairs: [
          { prompt: 'a', match: '1' },
          { prompt: 'b', match: '2' },
        ],
        distractors: ['3'],
      },
    ],
    [
      'an order',
      asked('ordering', `${answer(2, 'second')}${answer(1, 'first')}`),
      { kind: 'ordering', items: ['first', 'second'] },
    ],
    [
      'gaps',
      asked('cloze', '', 'The {1:SHORTANSWER:=cat~%100%c\\}t} is {:SA:%100%here~not}.'),
      { kind: 'gaps', question: 'Fill the gaps.', text: 'The [[cat|c}t]] is [[here]].' },
    ],
    [
      'words to drag, with raised signs',
      asked('ddwtos', '<dragbox><text>x&lt;sup&gt;2&lt;/sup&gt;</text></dragbox>', 'A<sub>n</sub> is [[1]].'),
      { kind: 'gaps', text: 'Aₙ is [[x²]].' },
    ],
    [
      'one gap for a number',
      asked('cloze', '', '<p>Is it {1:NUMERICAL:=3.5:0.1~%0%*} km?</p><p>Say so.</p>'),
      { kind: 'number', question: 'Is it _____ km?\n\nSay so.', value: 3.5, tolerance: 0.1 },
    ],
    [
      'one gap for a number at the end',
      asked('cloze', '', 'A half: {:NM:%100%0.5}'),
      { kind: 'number', question: 'A half:', value: 0.5, tolerance: 0 },
    ],
    [
      'several gaps for numbers',
      asked('cloze', '', '{1:NM:=1.50:0.1} and {1:NM:=-2} or {1:SA:=two}'),
      { kind: 'gaps', text: '[[=1.50±0.1]] and [[=-2]] or [[two]]' },
    ],
  ])('%s', (_, source, expected) => {
    const { questions, problems, notes } = readMoodle(quiz(source));
    const others = notes.filter(
      ({ message }) => !message.endsWith(': The answer of a gap is typed here, not chosen'),
    );
    expect([problems, others]).toEqual([[], []]);
    expect(questions[0]).toMatchObject(expected);
  });

  it('with its categories as tags', () => {
    const category =
      '<question type="category"><category><text>$course$/top/Loops/For</text></category></question>';
    const one = asked('truefalse', `${answer(100, 'true')}${answer(0, 'false')}`);
    expect(readMoodle(quiz(`${one}${category}${one}`)).questions.map(({ tags }) => tags)).toEqual([
      undefined,
      ['loops', 'for'],
    ]);
  });

  it.each<[string, string]>([
    [asked('essay', ''), 'Left out: a quiz here has no question of the type essay'],
    [asked('multichoice', `${answer(100, 'a')}${answer(100, 'b')}${answer(0, 'c')}`), HERE.one],
    [asked('cloze', '', 'It is {1:MC:=a~b}'), 'The answer of a gap is typed here, not chosen'],
    [
      asked(
        'truefalse',
        `${answer(100, 'true')}${answer(0, 'false')}<file name="map.png" encoding="base64">aGk=</file>`,
        '<img src="@@PLUGINFILE@@/map.png">Q?',
      ),
      'Left out: the file “map.png”, which a text here cannot hold',
    ],
  ])('and says what is taken in another way: %#', (source, message) => {
    expect(readMoodle(quiz(source)).notes).toEqual([
      { file: null, line: 3, message: `Question 1 “N”: ${message}` },
    ]);
  });
});

describe('of a thousand questions with every tenth broken', () => {
  const good = asked('multichoice', `${answer(100, 'a')}${answer(0, 'b')}`);
  it.each([
    ['in what it says', asked('multichoice', `${answer(0, 'a')}${answer(0, 'b')}`)],
    ['in its XML', good.replace('</name>', '</nam>')],
  ])('%s, the others are taken', (_, broken) => {
    const source = quiz(Array.from({ length: 1000 }, (_, n) => (n % 10 === 9 ? broken : good)).join('\n'));
    const { questions, problems } = readMoodle(source);
    expect(questions).toHaveLength(900);
    expect(problems.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, n) => 12 + 10 * n));
    expect(problems[0]!.message).toMatch(/^Question 10\b/);
  });

  it.each([
    ['beginnings', '<question '.repeat(400_000)],
    ['gaps', asked('cloze', '', '{1:SA:='.repeat(100_000))],
    ['comments', '<!--'.repeat(500_000)],
  ])('megabytes of %s are read in the time of their length', (_, source) => {
    expect(readMoodle(quiz(source)).questions).toEqual([]);
  });
});

it('is known by how it begins', () => {
  expect(isMoodleXml('<quiz>')).toBe(true);
  expect(isMoodleXml('<?xml version="1.0"?>\n<!-- x -->\n<quiz>')).toBe(true);
  expect(isMoodleXml('<p>A? {=a ~<quiz>}')).toBe(false);
});

const line = fc
  .string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...'ab 1%#=~{}:\\[]*<&/n"`é') })
  .map((text) => text.replace(/\s+/g, ' ').trim())
  .filter((text) => text !== '');
const word = line.map((text) => text.replace(/[[\]|]/g, '_'));
const block = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
const shared = {
  question: block,
  explanation: fc.oneof(fc.constant(''), block),
  points: fc.integer({ min: 1, max: 100 }),
  tags: fc.uniqueArray(line, { maxLength: 3 }),
};
const options = fc.uniqueArray(line, { minLength: 2, maxLength: 8 }).chain((texts) =>
  fc.record({
    ...shared,
    options: fc.constant(texts),
    feedback: fc.array(fc.oneof(fc.constant(''), line), { minLength: texts.length, maxLength: texts.length }),
    right: fc.uniqueArray(fc.nat(texts.length - 1), { minLength: 1 }),
  }),
);
const kind = <K extends Question['kind']>(name: K) => fc.constant(name);
const written = fc.oneof(
  options.map(({ right, ...more }) => ({ ...more, correctAnswer: right[0] })),
  options.map(({ right, ...more }) => ({ ...more, kind: 'several_answers', correctAnswers: right })),
  fc.record({
    ...shared,
    kind: kind('true_false'),
    isTrue: fc.boolean(),
    feedback: fc.array(fc.oneof(fc.constant(''), line), { minLength: 2, maxLength: 2 }),
  }),
  fc.record({
    ...shared,
    kind: kind('short_text'),
    accepted: fc.uniqueArray(line, { minLength: 1, maxLength: 5 }),
    matchCase: fc.boolean(),
  }),
  fc.record({
    ...shared,
    kind: kind('number'),
    value: fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((value) => value + 0),
    tolerance: fc.double({ min: 0, max: 1000, noNaN: true }),
    unit: fc.constantFrom('', 'km'),
  }),
  fc.record({
    ...shared,
    kind: kind('matching'),
    pairs: fc.uniqueArray(fc.record({ prompt: line, match: line }), {
      minLength: 2,
      maxLength: 5,
      selector: ({ prompt }) => prompt,
    }),
    distractors: fc.constant(['zzz']),
  }),
  fc.record({
    ...shared,
    kind: kind('ordering'),
    items: fc.uniqueArray(line, { minLength: 2, maxLength: 6 }),
  }),
  fc.record({
    ...shared,
    kind: kind('gaps'),
    matchCase: fc.boolean(),
    text: fc
      // A number beside a text loses its sign.
      .array(
        fc.tuple(
          word,
          fc.uniqueArray(
            word.filter((one) => !one.startsWith('=')),
            { minLength: 1, maxLength: 3 },
          ),
        ),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((parts) => parts.map(([text, accepted]) => `${text}\n\n  [[${accepted.join('|')}]]`).join(' ')),
  }),
);

it('Moodle XML is written and comes back as it was', () => {
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), (all) => {
      const questions = all.map((one) => questionInput.parse(one));
      const { content, left } = writeMoodle(questions);
      expect(left).toEqual([]);
      expect(readMoodle(content.toString())).toEqual({ questions, problems: [], moreProblems: 0, notes: [] });
    }),
    { numRuns: 500 },
  );
});

it('numbers in gaps come back from Moodle XML as numbers', () => {
  const questions = [
    questionInput.parse({
      kind: 'gaps',
      question: 'Add.',
      text: '[[=1.50±0.1|=2.]] and [[=2]], [[= 2]] are [[= b|c]]',
    }),
  ];
  expect(readMoodle(writeMoodle(questions).content.toString()).questions).toEqual(questions);
});

it('raised and lowered signs come back from Moodle XML, and options that differ only by them are two', () => {
  const source = asked(
    'multichoice',
    `${answer(100, '2&lt;sup&gt;10&lt;/sup&gt;')}${answer(0, '210')}`,
    'H<sub>2</sub>O',
  );
  const { questions } = readMoodle(quiz(source));
  expect(questions).toMatchObject([{ question: 'H₂O', options: ['2¹⁰', '210'] }]);
  expect(readMoodle(writeMoodle(questions).content.toString()).questions).toEqual(questions);
});

it('formatted questions are written as Markdown and come back as they were', () => {
  const questions = [
    {
      question: 'What does it say?\n\n```js\na < "b";\n```',
      format: 'markdown',
      options: ['```js\na = 1;\n```', '*b*'],
      correctAnswer: 0,
      feedback: ['yes', ''],
      explanation: '# Why',
    },
    {
      kind: 'several_answers',
      question: '**Q**',
      format: 'markdown',
      options: ['`a`', 'b\n\nc'],
      correctAnswers: [1],
    },
    { kind: 'ordering', question: '**Q**', format: 'markdown', items: ['a', 'b', 'c'] },
    { kind: 'short_text', question: '**Q**', format: 'markdown', accepted: ['*'] },
  ].map((one) => questionInput.parse(one));
  const { content, left } = writeMoodle(questions);
  expect(left).toEqual([]);
  expect(content.toString()).toContain('<questiontext format="markdown">');
  expect(readMoodle(content.toString())).toMatchObject({ questions, problems: [], notes: [] });
});

it.each([
  [
    'many categories over many questions',
    `<quiz><question type="category"><category><text>${'a/'.repeat(200_000)}</text></category></question>${'<question type="truefalse"/>'.repeat(3000)}</quiz>`,
  ],
  [
    'a long word for many gaps',
    `<quiz><question type="ddwtos"><questiontext><text>${'[[1]]'.repeat(900)}</text></questiontext><dragbox><text>${'x'.repeat(100_000)}</text></dragbox></question></quiz>`,
  ],
  [
    'answers without end',
    `<quiz><question type="multichoice"><questiontext><text>Q?</text></questiontext>${'<answer fraction="1"><text>a</text></answer>'.repeat(50_000)}</question></quiz>`,
  ],
])('tells what is wrong with %s, and makes no more of it than the file is', (_, source) => {
  const read = readMoodle(source);
  expect(read.questions).toEqual([]);
  expect(JSON.stringify(read).length).toBeLessThan(source.length + 100_000);
  expect(read.problems.length).toBeGreaterThan(0);
});
