import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Question, questionInput } from '#src/features/lessons/types/quiz/question.ts';
import { readGift } from './gift.ts';
import { HERE } from './question-file.ts';
import { writeGift } from './gift-writer.ts';

const one = (source: string) => {
  const { questions, problems, notes } = readGift(source);
  expect(problems).toEqual([]);
  expect(notes).toEqual([]);
  expect(questions).toHaveLength(1);
  return questions[0];
};

const TWO_PAIRS = [
  { prompt: 'a', match: '1' },
  { prompt: 'b', match: '2' },
];

describe('GIFT is read', () => {
  it.each<[string, object]>([
    ['Sky? {=blue#yes ~red#no}', { options: ['blue', 'red'], correctAnswer: 0, feedback: ['yes', 'no'] }],
    [
      '::Grant:: Grant was {~buried =entombed ~alive} there.',
      { question: 'Grant was _____ there.', correctAnswer: 1 },
    ],
    ['Even? {~%50%2 ~%50%4 ~%-100%3}', { kind: 'several_answers', correctAnswers: [0, 1] }],
    ['Water is wet. {T}', { kind: 'true_false', isTrue: true }],
    ['Ice is hot. {FALSE#think#right}', { kind: 'true_false', isTrue: false, feedback: ['think', 'right'] }],
    [
      'Capital? {=Paris =Lutetia ####In France.}',
      { kind: 'short_text', accepted: ['Paris', 'Lutetia'], explanation: 'In France.' },
    ],
    ['Pi? {#3.14:0.01}', { kind: 'number', value: 3.14, tolerance: 0.01 }],
    ['Between? {#1..5}', { kind: 'number', value: 3, tolerance: 2 }],
    ['Narrow? {#4.141..4.142}', { kind: 'number', value: 4.1415, tolerance: 0.0005 }],
    ['Half? {#0.5:0.1#}', { kind: 'number', value: 0.5, tolerance: 0.1 }],
    ['Hole? {\n#=%100%100:0.5#\n~#\n}', { kind: 'number', value: 100, tolerance: 0.5 }],
    ['Days? {#366:0~#}', { kind: 'number', value: 366, tolerance: 0 }],
    [
      'About {1:NUMERICAL:=3.5:0.1~%0%*} km',
      { kind: 'number', question: 'About _____ km', value: 3.5, tolerance: 0.1 },
    ],
    ['Star? {=%100%a\\\\*b =\\*}', { kind: 'short_text', accepted: ['a*b', '*'] }],
    [
      '[html]Is H<sub>2</sub>O? {=2<sup>10</sup> ~210 ~x<sub>i+1</sub>}',
      { question: 'Is H₂O?', options: ['2¹⁰', '210', 'xᵢ₊₁'] },
    ],
    [
      '[html]A? {=2<sup>n/2</sup> ~2<sup>2<sup>n</sup></sup> ~<code>a<sub>Ω</sub></code> ~b<sup> </sup>}',
      { options: ['2^(n/2)', '2^(2ⁿ)', '`a_(Ω)`', 'b'] },
    ],
    ['Two and two are {=four =4}.', { kind: 'short_text', question: 'Two and two are _____.' }],
    ['One? {#=-2:0}', { kind: 'number', value: -2, tolerance: 0 }],
    ['Match {=a -> 1 =b -> 2}', { kind: 'matching', pairs: TWO_PAIRS, distractors: [] }],
    ['Match {=a -> 1 =b -> 2 = -> 3}', { kind: 'matching', pairs: TWO_PAIRS, distractors: ['3'] }],
    ['Sum 1\\=1\\: \\{x\\}? {=a\\~b ~c\\#}', { question: 'Sum 1=1: {x}?', options: ['a~b', 'c#'] }],
    ['printf("\\\\n")? {=a ~b}', { question: 'printf("\\n")?' }],
    ['Two\\nlines? {=a ~b}', { question: 'Two\nlines?' }],
    ['\ufeff// note\r\n$CATEGORY: x\r\n\r\nA?\r\n{\r\n=a\r\n// aside\r\n~b\r\n}', { options: ['a', 'b'] }],
    ['// [id:7] [tag:Hard One] [tag:a\\]b]\nA? {=a ~b}', { tags: ['hard one', 'a]b'] }],
    [
      '$CATEGORY: $course$/top/Default for C/Loops/If//else\n\n// [tag:x]\nA? {T}',
      { tags: ['x', 'loops', 'if/else'] },
    ],
    [
      '::x::[html]<p>Is <code>1 &lt; 2</code>?<br>Say&nbsp;so.</p> {=<b>yes</b> ~[plain]<b>no</b>}',
      { question: 'Is `1 < 2`?\nSay so.', options: ['yes', '<b>no</b>'] },
    ],
  ])('%j', (source, expected) => {
    expect(one(source.replace(/^\ufeff/, ''))).toMatchObject(expected);
  });

  it.each<[string, number, string]>([
    ['A? {=a ~b}\n\nAbout the next', 3, 'Left out: a text without answers in braces, {…}, is no question'],
    ['A? {=a ~b}\n\nEssay {}', 3, 'Left out: a question with a free text, {}, which nobody could mark'],
    ['A? {\n=a\n~%50%b\n}', 3, 'An answer for a part of the points gets none here'],
    ['A? {\n=a\n=%50%b\n}', 3, 'An answer for a part of the points gets none here'],
    ['A? {\n=a\n=b\n~c}', 3, HERE.one],
    ['A? {~%70%a ~%30%b}', 1, 'Its right answers get the same share of the points here'],
    ['A? {=a#why =b}', 1, 'Left out: what is said to a single answer; only options have that here'],
    [
      'A? {#=%100%100:0.5#Right~#No}',
      1,
      'Left out: what is said to a single answer; only options have that here',
    ],
    [
      '$CATEGORY: '.concat('long'.repeat(20), '\nA? {T}'),
      2,
      'Left out: tags, of which a question has 10 of 40 characters',
    ],
    [
      `[html]A?${'<i>'.repeat(6000)}x {T}`,
      1,
      'Left out: a text in too many tags, which a text here cannot hold',
    ],
    ['A? {=a*}', 1, 'A * stands for itself here, not for any text'],
    ['[html]A? <img src=x> {=a ~b}', 1, 'Left out: a picture, which a text here cannot hold'],
  ])('and says what is taken in another way: %j', (source, line, message) => {
    const { questions, problems, notes } = readGift(source);
    expect(problems).toEqual([]);
    expect(questions).toHaveLength(1);
    expect(notes).toEqual([{ file: null, line, message }]);
  });
});

const BRACES =
  'A question has one pair of braces, {…}, and no blank line inside. Write \\{ and \\} for braces in a text';

describe('a GIFT file with a mistake', () => {
  it.each<[string, number | null, string]>([
    ['', null, 'There is no question that can be taken'],
    ['\n\nEssay {}', null, 'There is no question that can be taken'],
    ['A? {=a ~b}\n\nB? {=a ~b', 3, BRACES],
    ['A? {{=a ~b}}', 1, BRACES],
    ['A? }=a ~b{', 1, BRACES],
    ['::A? {=a ~b}', 1, 'The title has no end: write ::title::'],
    ['A? {a b}', 1, 'Answers begin with = (right) or ~ (wrong)'],
    ['A? {~a ~b}', 1, 'No answer is right: mark it by ='],
    ['A? {=%50%a}', 1, 'No answer gets all points'],
    ['A? {=a ~a}', 1, 'Two options are the same'],
    ['A? {=a -> 1\n=b}', 2, 'Every answer of a matching question needs an arrow: =prompt -> match'],
    ['{=a ~b}', 1, 'Question is required'],
    ['A? {#many}', 1, '“many” is no number: write {#3.14:0.01} or {#3..4}'],
    ['A? {#=1 =2}', 1, 'A number has one right answer here: write {#3.14:0.01}'],
    [`A? {\n=a\n~${'b'.repeat(1001)}\n}`, 3, 'Option must be at most 1000 characters'],
    ['A? {=a ~b}\n\nB\0? {T}', 3, 'A character cannot be stored'],
    [`${'A? {=a ~b}\n\n'.repeat(1001)}`, null, 'There are 1001 questions; a quiz has at most 1000'],
    [`[html]${'<b>'.repeat(10_000)} {=a ~b}`, 1, 'A text in HTML is too long'],
  ])('is told by its line: %#', (source, line, message) => {
    const { problems } = readGift(source);
    expect(problems[0]).toEqual({ file: null, line, message });
  });

  it('is told all of them at once', () => {
    const { questions, problems } = readGift('A? {=a ~a}\n\nB? {=a\n\nC? {#x}\n\nD? {=d ~e}\n\n{T}');
    expect(questions.map(({ question }) => question)).toEqual(['D?']);
    expect(problems.map(({ line }) => line)).toEqual([1, 3, 5, 9]);
    const many = readGift('A? {=a ~a}\n\n'.repeat(700));
    expect([many.problems.length, many.moreProblems]).toEqual([500, 200]);
  });

  it.each([
    ['braces', '{'.repeat(1_000_000)],
    ['escapes', `A${'\\'.repeat(1_000_000)}`],
    ['choices', `A? {${'=a'.repeat(500_000)}}`],
    ['titles', `::${':a'.repeat(500_000)}`],
    ['lines', 'A\n'.repeat(500_000)],
    ['questions', 'A? {=a ~b}\n\n'.repeat(90_000)],
    ['mistakes', 'A? {#x}\n\n'.repeat(120_000)],
    ['digits', `A? {#${'1'.repeat(1_000_000)}x}`],
    ['shares', `A? {=${'%'.repeat(1_000_000)}}`],
    ['raised letters', `[html]${'<sup>'.repeat(3900)}x {=a ~a}`],
    ['spaces', `A${' '.repeat(1_000_000)}x {=a ~a}`],
    ['hashes', `A? {=a${'#'.repeat(1_000_000)}}`],
    ['a category', `$CATEGORY: ${'a'.repeat(500_000)}\n\n${'A? {T\n\n'.repeat(70_000)}`],
    ['tags', `// ${'[tag:'.repeat(200_000)}\nA? {=a`],
    ['formats', `${'[html'.repeat(200_000)} {=a}`],
  ])('of a million %s is refused in the time of its length', (_, source) => {
    expect(readGift(source).problems).not.toEqual([]);
  });
});

const line = fc
  .string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...'ab 1%#=~{}:\\[]*<&/n', '[html]') })
  .map((text) => text.replace(/\s+/g, ' ').trim())
  .filter((text) => text !== '');
const block = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
const shared = {
  question: block,
  explanation: fc.oneof(fc.constant(''), block),
  tags: fc.uniqueArray(
    line.filter((tag) => tag.length <= 40),
    { maxLength: 3 },
  ),
};
const options = fc.uniqueArray(line, { minLength: 2, maxLength: 8 }).chain((texts) =>
  fc.record({
    options: fc.constant(texts),
    feedback: fc.array(fc.oneof(fc.constant(''), line), {
      minLength: texts.length,
      maxLength: texts.length,
    }),
    right: fc.uniqueArray(fc.nat(texts.length - 1), { minLength: 1 }),
  }),
);
const written = fc.oneof(
  fc
    .tuple(fc.record(shared), options)
    .map(([one, { right, ...more }]) => ({ ...one, ...more, correctAnswer: right[0] })),
  fc.tuple(fc.record(shared), options).map(([one, { right, ...more }]) => ({
    ...one,
    kind: 'several_answers',
    ...more,
    correctAnswers: right,
  })),
  fc.record({
    ...shared,
    kind: fc.constant('true_false'),
    isTrue: fc.boolean(),
    feedback: fc.array(fc.oneof(fc.constant(''), line), { minLength: 2, maxLength: 2 }),
  }),
  fc.record({
    ...shared,
    kind: fc.constant('short_text'),
    accepted: fc.uniqueArray(line, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    ...shared,
    kind: fc.constant('number'),
    // Neither the database nor a file knows a zero below zero.
    value: fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((value) => value + 0),
    tolerance: fc.double({ min: 0, max: 1000, noNaN: true }),
  }),
  fc.record({
    ...shared,
    kind: fc.constant('matching'),
    pairs: fc.uniqueArray(fc.record({ prompt: line, match: line }), {
      minLength: 2,
      maxLength: 5,
      selector: ({ prompt }) => prompt,
    }),
    distractors: fc.constant(['zzz']),
  }),
);

it('of a thousand questions with every tenth broken, the others are taken', () => {
  const source = Array.from({ length: 1000 }, (_, n) => (n % 10 === 9 ? `Q${n}? {=a` : `Q${n}? {=a ~b}`));
  const { questions, problems } = readGift(source.join('\n\n'));
  expect(questions).toHaveLength(900);
  expect(problems.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, n) => n * 20 + 19));
});

it('a category of GIFT is a tag of all questions up to the next category', () => {
  const read = readGift('A? {T}\n\n$CATEGORY: a/b\n\nB? {T}\n\nC? {T}\n\n$CATEGORY: c\nD? {T}');
  expect(read.questions.map(({ tags }) => tags)).toEqual([undefined, ['a', 'b'], ['a', 'b'], ['c']]);
});

describe('GIFT is written', () => {
  it('with stars that stand for themselves in Moodle', () => {
    const question = questionInput.parse({ kind: 'short_text', question: 'Q', accepted: ['a*'] });
    expect(writeGift([question]).content.toString()).toContain('\n=a\\\\*\n');
  });

  it('and comes back as it was', () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), (all) => {
        const questions = all.map((one) => questionInput.parse(one));
        const { content, left } = writeGift(questions);
        expect(left).toEqual([]);
        expect(readGift(content.toString())).toEqual({ questions, problems: [], moreProblems: 0, notes: [] });
      }),
      { numRuns: 500 },
    );
  });

  it('and says what it has no place for', () => {
    const questions: Question[] = [
      { kind: 'ordering', question: 'Q', items: ['a', 'b'] },
      { kind: 'gaps', question: 'Q', text: 'a [[b]]' },
      { kind: 'short_text', question: 'Q', accepted: ['a->b'] },
      { kind: 'short_text', question: 'Q', accepted: ['a'], matchCase: true, forgiveTypos: true, points: 3 },
      { kind: 'number', question: 'Q', value: 1, unit: 'km' },
    ].map((one) => questionInput.parse(one));
    const { content, left } = writeGift(questions);
    expect(left).toEqual([
      'Question 1: GIFT cannot say it, Moodle XML can (ordering)',
      'Question 2: GIFT cannot say it, Moodle XML can (fill the gaps)',
      'Question 3: GIFT cannot say it, Moodle XML can (short text)',
      'Question 4: its points',
      'Question 4: that capitals count',
      'Question 4: that typos are forgiven',
      'Question 5: its unit',
    ]);
    expect(readGift(content.toString()).questions).toHaveLength(2);
  });
});

describe('formatted questions in GIFT', () => {
  const FORMATTED: Question[] = [
    {
      question: 'What does it say?\n\n```js\nf({ a: "\\n" });\n```\n\n$a^2$',
      format: 'markdown',
      options: ['```js\na = 1;\n```', '[html] *b*', '%50% c'],
      correctAnswer: 0,
      feedback: ['yes', '', '[markdown] no'],
      explanation: '# Why\n\n- so',
    },
    {
      kind: 'several_answers',
      question: '**Q**',
      format: 'markdown',
      options: ['`a`', 'b\n\nc'],
      correctAnswers: [1],
    },
    { kind: 'true_false', question: '*Q*', format: 'markdown', isTrue: true, feedback: ['a', 'b'] },
    { kind: 'short_text', question: '`Q`', format: 'markdown', accepted: ['[plain] a'] },
    {
      kind: 'matching',
      question: '~~Q~~',
      format: 'markdown',
      pairs: [
        { prompt: 'a', match: 'b' },
        { prompt: 'c', match: 'd' },
      ],
    },
  ].map((one) => questionInput.parse(one));

  it('come back as they were', () => {
    const { content, left } = writeGift(FORMATTED);
    expect(left).toEqual([]);
    expect(content.toString()).toContain('::Question 1::[markdown]');
    expect(readGift(content.toString())).toMatchObject({ questions: FORMATTED, problems: [], notes: [] });
  });

  it('leave their pictures behind, and say so', () => {
    const question = `![A cat](/pictures/abc/cat-600x400.png)`;
    const written = [
      { question, format: 'markdown', options: ['a', 'b'], correctAnswer: 0 },
      { question, options: ['a', 'b'], correctAnswer: 0 },
    ];
    expect(writeGift(written.map((one) => questionInput.parse(one))).left).toEqual([
      'Question 1: its pictures, of which only the addresses are in the file',
    ]);
  });
});
