import { describe, expect, it } from 'vitest';
import type { Answer } from './kinds/kind.ts';
import { missingAnswers } from './kinds/kinds.ts';
import {
  askedQuestions,
  graderOf,
  type KeptQuestion,
  markedAnswer,
  readAnswers,
  scoreOf,
} from './marking.server.ts';
import { questionInput } from './question.ts';
import { drawProblems, type QuizSettings, quizSettingsInput } from './settings.ts';

const question = (written: object): KeptQuestion => ({
  ...questionInput.parse({ question: 'Q', ...written }),
  id: 1,
});

/** Share of the points for an answer; null where the question cannot be answered so. */
function credit(written: object, answer: Answer): number | null {
  const kept = question(written);
  const read = graderOf(kept).read(kept, answer);
  return read === null ? null : Math.round(graderOf(kept).credit(kept, read) * 1000) / 1000;
}

const SINGLE = { options: ['a', 'b', 'c'], correctAnswer: 1 };
const SEVERAL = { kind: 'several_answers', options: ['a', 'b', 'c', 'd'], correctAnswers: [0, 2] };
const TRUE = { kind: 'true_false', isTrue: true };
const TEXT = { kind: 'short_text', accepted: ['Köln', 'Cologne'] };
const LOOSE = {
  kind: 'short_text',
  accepted: ['mitochondria', 'cell', 'cat', 'item 42'],
  forgiveTypos: true,
};
const STRICT = { kind: 'short_text', accepted: ['HTTP'], matchCase: true };
const NUMBER = { kind: 'number', value: 0.3, tolerance: 0.1, unit: 'kg' };
const EXACT = { kind: 'number', value: 1234.5 };
const ORDER = { kind: 'ordering', items: ['one', 'two', 'three', 'four'] };
const MATCH = {
  kind: 'matching',
  pairs: [
    { prompt: 'France', match: 'Paris' },
    { prompt: 'Spain', match: 'Madrid' },
    { prompt: 'Capital of France', match: 'Paris' },
  ],
  distractors: ['Rome'],
};
const NUMBERED = { kind: 'gaps', text: 'It is [[=2.50|half of 5]] of [[=10±0.5]], [[= b]] and [[=]].' };
const GAPS = { kind: 'gaps', text: 'Two and [[two|2]] are [[four]], not [[five]].' };

describe('an answer earns', () => {
  it.each<[string, object, Answer, number | null]>([
    ['the right option', SINGLE, 1, 1],
    ['a wrong option', SINGLE, 0, 0],
    ['the right option by its text', SINGLE, 'b', 1],
    ['an option that there is not', SINGLE, 3, null],
    ['a text that is no option', SINGLE, 'x', null],
    ['a list for a single choice', SINGLE, ['b'], null],
    ['true for a single choice', SINGLE, true, null],
    ['both right options', SEVERAL, ['a', 'c'], 1],
    ['both, in another order', SEVERAL, ['c', 'a'], 1],
    ['one of two', SEVERAL, ['a'], 0.5],
    ['one right, one wrong', SEVERAL, ['a', 'b'], 0],
    ['two right, one wrong', SEVERAL, ['a', 'b', 'c'], 0.5],
    ['everything', SEVERAL, ['a', 'b', 'c', 'd'], 0],
    ['only wrong ones', SEVERAL, ['b', 'd'], 0],
    ['none', SEVERAL, [], null],
    ['the same twice', SEVERAL, ['a', 'a'], null],
    ['one that there is not', SEVERAL, ['a', 'x'], null],
    ['a number', SEVERAL, 0, null],
    ['true', TRUE, true, 1],
    ['false', TRUE, false, 0],
    ['"true"', TRUE, 'true', null],
    ['0', TRUE, 0, null],
    ['an accepted text', TEXT, 'Köln', 1],
    ['in small letters', TEXT, 'köln', 1],
    ['with spaces around it', TEXT, '  Cologne ', 1],
    ['in decomposed letters', TEXT, 'Ko\u0308ln', 1],
    ['another word', TEXT, 'Koln', 0],
    ['nothing but spaces', TEXT, '   ', null],
    ['a typo that is not forgiven', TEXT, 'Cologn', 0],
    ['one letter missing', LOOSE, 'mitochondra', 1],
    ['two letters wrong in a long word', LOOSE, 'mitokondria', 1],
    ['three letters wrong', LOOSE, 'mitokondriax', 0],
    ['one letter wrong in four', LOOSE, 'call', 1],
    ['two letters wrong in four', LOOSE, 'cool', 0],
    ['one letter wrong in three', LOOSE, 'bat', 0],
    ['another digit', LOOSE, 'item 43', 0],
    ['the right capitals', STRICT, 'HTTP', 1],
    ['wrong capitals', STRICT, 'http', 0],
    ['the number', NUMBER, '0.3', 1],
    ['its lower edge', NUMBER, '0.2', 1],
    ['its upper edge', NUMBER, '0.4', 1],
    ['past the edge', NUMBER, '0.41', 0],
    ['with its unit', NUMBER, '0.3 kg', 1],
    ['with its unit in capitals', NUMBER, '.3KG', null],
    ['with another unit', NUMBER, '0.3 g', null],
    ['a word', NUMBER, 'half', null],
    ['a decimal comma', NUMBER, '0,3', 1],
    ['a decimal comma before three digits', { ...NUMBER, value: 0.5 }, '0,500 kg', 1],
    ['a negative decimal comma', { ...NUMBER, value: -0.25, tolerance: 0 }, '-0,250', 1],
    ['a decimal comma behind four digits', EXACT, '1234,500', 1],
    ['a decimal point before three digits', { ...EXACT, value: 1.5 }, '1.500', 1],
    ['points between thousands', EXACT, '1.234.567', null],
    ['a comma that was read as one of thousands once', { ...EXACT, value: 1500 }, '1,500', 1],
    ['only a comma', EXACT, ',', null],
    ['only its unit', NUMBER, 'kg', null],
    ['infinity', NUMBER, '1e999', null],
    ['a thousands comma', EXACT, '1,234.5', 1],
    ['a comma in the wrong place', EXACT, '12,34.5', null],
    ['an exponent', EXACT, '1.2345e3', 1],
    ['a minus', EXACT, '\u22121234.5', 0],
    ['a plus', EXACT, '+1234.50', 1],
    ['the right order', ORDER, ['one', 'two', 'three', 'four'], 1],
    ['two swapped at the end', ORDER, ['one', 'two', 'four', 'three'], 0.333],
    ['shifted by one', ORDER, ['four', 'one', 'two', 'three'], 0.667],
    ['reversed', ORDER, ['four', 'three', 'two', 'one'], 0],
    ['one missing', ORDER, ['one', 'two', 'three'], null],
    ['one twice', ORDER, ['one', 'two', 'three', 'three'], null],
    ['one that there is not', ORDER, ['one', 'two', 'three', 'five'], null],
    ['all matches', MATCH, ['Paris', 'Madrid', 'Paris'], 1],
    ['two of three', MATCH, ['Paris', 'Rome', 'Paris'], 0.667],
    ['no match', MATCH, ['Rome', 'Rome', 'Madrid'], 0],
    ['a prompt left out', MATCH, ['Paris', 'Madrid'], null],
    ['a prompt left empty', MATCH, ['Paris', '', 'Paris'], null],
    ['a match that there is not', MATCH, ['Paris', 'Oslo', 'Paris'], null],
    ['all gaps', GAPS, ['two', 'four', 'five'], 1],
    ['another accepted word', GAPS, ['2', 'FOUR', ' five '], 1],
    ['one gap wrong', GAPS, ['2', '4', 'five'], 0.667],
    ['a gap left empty', GAPS, ['2', ' ', 'five'], null],
    ['a gap too many', GAPS, ['2', 'four', 'five', 'six'], null],
    ['no list', GAPS, 'two', null],
    ['numbers in gaps', NUMBERED, ['2.5', '10.5', '= b', '='], 1],
    ['numbers with a decimal comma', NUMBERED, ['2,500', '9,5', '= b', '='], 1],
    ['a text beside a number', NUMBERED, ['Half of 5', '10', '= b', '='], 1],
    ['other numbers and texts', NUMBERED, ['2.51', '10.6', 'b', '=='], 0],
    ['a number with more behind it', NUMBERED, ['2.5 m', '10', '= b', '='], 0.75],
  ])('%s: %j, %j', (_, written, answer, earned) => {
    expect(credit(written, answer)).toBe(earned);
  });

  it.each([
    ...['m²', 'm2', 'm^2'].map((typed) => ['m²', typed]),
    ...['\u00b5m', '\u03bcm'].flatMap((typed) => [
      ['\u00b5m', typed],
      ['\u03bcm', typed],
    ]),
    ...['s⁻¹', 's^-1', 's\u22121', '1/s', '/s'].map((typed) => ['s⁻¹', typed]),
    ...['s⁻¹', '1/s'].map((typed) => ['1/s', typed]),
    ['1/s²', 's^-2'],
    ['°C', '\u2103'],
    ['\u2126', '\u03a9'],
    ['k\u03a9', 'k\u2126'],
    ['\u00c5', '\u212b'],
    ['%', '%'],
    ['eV', 'eV'],
  ])('a unit however it is written: %s as %s', (unit, typed) => {
    const written = { kind: 'number', value: 5, unit };
    for (const space of [' ', '', '\u00a0', '  ']) {
      // A digit that begins a unit would be one of the number.
      if (/^\d/.test(typed!) && space === '') continue;
      expect(credit(written, `5${space}${typed}`)).toBe(1);
      expect(credit(written, `6${space}${typed}`)).toBe(0);
    }
  });

  it.each([
    ['mm', 'Mm'],
    ['m²', 'm'],
    ['m²', 'm^3'],
    ['s⁻¹', 's'],
    ['', 'm'],
  ])('no other unit: %s is not %s', (unit, typed) => {
    expect(credit({ kind: 'number', value: 5, unit }, `5 ${typed}`)).toBeNull();
  });

  it.each([
    ['1,500', 'write 1500 or 1.500'],
    ['-12,000 kg', 'write -12000 kg or -12.000 kg'],
    ['1,500e3', 'write 1500e3 or 1.500e3'],
  ])('nothing yet where a comma can be read in two ways: %s', (typed, said) => {
    const [asked] = askedQuestions([question({ ...NUMBER, value: 1500 })], {}, 'seed');
    const fields = { 'answers.1': `Question 1 has an ambiguous comma: ${said}` };
    expect(missingAnswers([asked!.shown], { 1: typed })).toEqual(fields);
    expect(() => readAnswers([asked!], { 1: typed })).toThrow(
      expect.objectContaining({ code: 'invalid_input', fields }),
    );
    expect(readAnswers([asked!], {}, { known: { 1: typed } })).toEqual({ 1: typed });
  });

  it.each(['1,234.5', '1,234,567', '0,125', '1,5', '12,3456', '1.500'])(
    'its mark at once where a comma or point can be read in one way: %s',
    (typed) => {
      const [asked] = askedQuestions([question(EXACT)], {}, 'seed');
      expect(readAnswers([asked!], { 1: typed })).toEqual({ 1: typed });
    },
  );

  it.each([SINGLE, SEVERAL, TRUE, TEXT, LOOSE, STRICT, NUMBER, EXACT, ORDER, MATCH, GAPS])(
    'everything for the right one, and what is shown before does not tell it: %j',
    (written) => {
      const kept = question(written);
      const grader = graderOf(kept);
      expect(grader.faults(kept)).toEqual([]);
      const [asked] = askedQuestions([kept], {}, 'seed');
      const solution = grader.solution(kept);
      const read = readAnswers([asked!], { 1: solution });
      expect(scoreOf([asked!], read)).toEqual({ score: 100, right: 1 });
      expect(missingAnswers([asked!.shown], { 1: solution })).toEqual({});
      expect(markedAnswer(asked!, read[1]!).credit ?? 1).toBe(1);
      const shown = JSON.stringify(asked!.shown);
      expect(shown).not.toMatch(
        /correct|isTrue|accepted|value|tolerance|items|pairs|explanation|feedback|tags/,
      );
      if (kept.kind === 'short_text' || kept.kind === 'number') expect(shown).not.toContain(String(solution));
    },
  );
});

describe('a quiz', () => {
  const questions = (count: number, extra: (index: number) => object = () => ({})): KeptQuestion[] =>
    Array.from({ length: count }, (_, index) => ({
      ...questionInput.parse({ question: `Q${index}`, ...SINGLE, ...extra(index) }),
      id: index + 1,
    }));
  const ids = (kept: KeptQuestion[], settings: QuizSettings, seed: string) =>
    askedQuestions(kept, settings, seed).map(({ kept: { id } }) => id);

  it('without settings asks everything in its order, as it always did', () => {
    const [asked, ...others] = askedQuestions(questions(3), {}, 'x');
    expect(asked!.shown).toStrictEqual({ id: 1, question: 'Q0', options: ['a', 'b', 'c'] });
    expect(others.map(({ kept }) => kept.id)).toEqual([2, 3]);
    expect(markedAnswer(asked!, 0)).toStrictEqual({
      questionId: 1,
      chosen: 0,
      correctAnswer: 1,
      explanation: '',
    });
  });

  it('weighs by points, shares them, and rounds down', () => {
    const kept = [
      { ...question({ ...SINGLE, points: 3 }), id: 1 },
      { ...question(MATCH), id: 2 },
    ];
    const asked = askedQuestions(kept, {}, 'x');
    const score = (answers: Record<string, Answer>) => scoreOf(asked, readAnswers(asked, answers));
    expect(score({ 1: 1, 2: ['Paris', 'Rome', 'Rome'] })).toEqual({ score: 83, right: 1 });
    expect(score({ 1: 0, 2: ['Paris', 'Madrid', 'Paris'] })).toEqual({ score: 25, right: 1 });
    const thirds = askedQuestions(
      [1, 2, 3].map((id) => ({ ...question(MATCH), id })),
      {},
      'x',
    );
    const third = ['Paris', 'Rome', 'Rome'];
    expect(scoreOf(thirds, { 1: third, 2: third, 3: third }).score).toBe(33);
    const twoThirds = ['Paris', 'Madrid', 'Rome'];
    expect(scoreOf(thirds, { 1: third, 2: twoThirds, 3: ['Paris', 'Madrid', 'Paris'] }).score).toBe(66);
  });

  it('is shuffled the same for one attempt, and otherwise for another', () => {
    const settings = { shuffleQuestions: true, shuffleOptions: true };
    const kept = questions(12);
    expect(ids(kept, settings, 'a')).toEqual(ids(kept, settings, 'a'));
    expect(ids(kept, settings, 'a')).not.toEqual(ids(kept, settings, 'b'));
    // The order does not follow the author's: the same texts written in another order come out the same.
    const turned = kept.map((one) => ({ ...one, options: ['c', 'b', 'a'] }) as KeptQuestion);
    expect(askedQuestions(kept, settings, 'a').map(({ shown }) => shown)).toEqual(
      askedQuestions(turned, settings, 'a').map(({ shown }) => shown),
    );
    const asked = askedQuestions(kept, settings, 'a');
    const byText = Object.fromEntries(kept.map(({ id }) => [id, 'b']));
    expect(scoreOf(asked, readAnswers(asked, byText)).score).toBe(100);
    expect(markedAnswer(asked[0]!, 1)).toMatchObject({ chosen: 1, given: 'b', solution: 'b' });
  });

  it('shows the items of an order in one that says nothing about the right one', () => {
    const shown = (items: string[]) =>
      askedQuestions([question({ kind: 'ordering', items })], {}, 'a')[0]!.shown.options;
    expect(shown(['one', 'two', 'three', 'four'])).toEqual(shown(['four', 'three', 'two', 'one']));
  });

  it('draws so many of a tag for each attempt, and always asks the rest', () => {
    const kept = questions(10, (index) => ({ tags: index < 8 ? ['bank'] : [] }));
    const settings = { draw: [{ tag: 'bank', count: 3 }] };
    const first = ids(kept, settings, 'a');
    expect(first).toHaveLength(5);
    expect(first.slice(-2)).toEqual([9, 10]);
    expect(ids(kept, settings, 'a')).toEqual(first);
    const seen = new Set(Array.from({ length: 40 }, (_, seed) => ids(kept, settings, String(seed))).flat());
    expect(seen.size).toBe(10);
    expect(drawProblems(kept, settings)).toEqual([]);
    expect(drawProblems(kept, { draw: [{ tag: 'bank', count: 9 }] })).toEqual([
      { at: 0, message: '9 are to be drawn of 8 with the tag “bank”' },
    ]);
  });

  it('draws from the other quizzes of its course what says so, and never anything else of them', () => {
    const tagged = (from: number, tags: string[]) =>
      questions(4, () => ({ tags })).map((one, index) => ({ ...one, id: from + index }));
    const kept = [...tagged(1, ['a']), ...tagged(11, ['b']), ...tagged(21, [])];
    const bank = [...tagged(101, ['a']), ...tagged(111, ['b']), ...tagged(121, ['a', 'b'])];
    const settings: QuizSettings = {
      draw: [
        { tag: 'a', count: 1 },
        { tag: 'b', count: 6, from: 'course' },
      ],
    };
    const seen = new Set<number>();
    for (let seed = 0; seed < 60; seed += 1) {
      const asked = askedQuestions(kept, settings, String(seed), bank).map((one) => one.kept.id);
      expect(asked.filter((id) => id < 10)).toHaveLength(1);
      expect(asked.filter((id) => id > 20 && id < 30)).toHaveLength(4);
      expect(asked).toHaveLength(11);
      for (const id of asked) seen.add(id);
    }
    expect([...seen].filter((id) => id > 100).toSorted((a, b) => a - b)).toEqual([
      111, 112, 113, 114, 121, 122, 123, 124,
    ]);
    expect(drawProblems<KeptQuestion>(kept, settings, bank)).toEqual([]);
    expect(drawProblems<KeptQuestion>(kept, settings, [])).toEqual([
      { at: 1, message: '6 are to be drawn of 4 with the tag “b”' },
    ]);
    expect(askedQuestions([], settings, 'x', bank)).toHaveLength(6);
    expect(askedQuestions(kept, {}, 'x', bank)).toHaveLength(12);
  });

  it.each([
    [{ passPercent: 0 }, 'passPercent', 'The pass mark must be at least 1'],
    [{ passPercent: 70.5 }, 'passPercent', 'The pass mark must be a whole number'],
    [{ attempts: 101 }, 'attempts', 'The number of attempts must be at most 100'],
    [{ waitMinutes: -1 }, 'waitMinutes', 'The waiting time must be at least 0'],
    [{ waitMinutes: 10_081 }, 'waitMinutes', 'The waiting time must be at most 10,080'],
    [{ draw: [{ tag: '', count: 1 }] }, 'draw.0.tag', 'Tag is required'],
    [
      { draw: [{ tag: 'a', count: 1, from: 'site' }] },
      'draw.0.from',
      'A quiz draws from its own questions, or from those of its course',
    ],
    [
      {
        draw: [
          { tag: 'a', count: 1 },
          { tag: 'A', count: 2 },
        ],
      },
      'draw',
      'A tag is there twice',
    ],
  ])('refuses a setting by its field: %j', (settings, field, message) => {
    const issue = quizSettingsInput.safeParse(settings).error?.issues[0];
    expect([issue?.path.join('.'), issue?.message]).toEqual([field, message]);
  });

  it('keeps no setting that says what holds anyway', () => {
    const usual = { passPercent: 70, attempts: null, waitMinutes: 0, shuffleQuestions: false, draw: [] };
    expect(quizSettingsInput.parse(usual)).toStrictEqual({});
  });
});
