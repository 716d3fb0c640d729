import { describe, expect, it } from 'vitest';
import type { AppError } from '#src/shared/errors.ts';
import type { Answer, Answers } from './kinds/kind.ts';
import { isAccepted, plainText, typosForgiven } from './kinds/typed-text.ts';
import { askedQuestions, markedAnswer, previewSeed, readAnswers, scoreOf } from './marking.server.ts';
import { questionInput } from './question.ts';

const asked = (written: object, settings = {}) =>
  askedQuestions([{ ...questionInput.parse({ question: 'Q', ...written }), id: 1 }], settings, 'seed')[0]!;
const told = (written: object, answer: Answer | null) => markedAnswer(asked(written), answer);

const SINGLE = { options: ['a', 'b', 'c'], correctAnswer: 1, feedback: ['no', 'yes', ''] };
const SEVERAL = {
  kind: 'several_answers',
  options: ['a', 'b', 'c'],
  correctAnswers: [0, 2],
  feedback: ['yes', 'no', ''],
};
const TRUE = { kind: 'true_false', isTrue: true, feedback: ['yes', 'no'] };
const TEXT = { kind: 'short_text', accepted: ['Köln', 'Cologne'] };
const NUMBER = { kind: 'number', value: 0.3, tolerance: 0.1, unit: 'kg' };
const ORDER = { kind: 'ordering', items: ['one', 'two', 'three'] };
const MATCH = {
  kind: 'matching',
  pairs: [
    { prompt: 'France', match: 'Paris' },
    { prompt: 'Spain', match: 'Madrid' },
  ],
  distractors: ['Rome'],
};
const GAPS = { kind: 'gaps', text: 'Two and [[two|2]] are [[four]].' };

describe('what a learner is shown before the answer', () => {
  it('is the kind of all but a single choice, and what the kind needs', () => {
    expect(asked(SINGLE).shown).toStrictEqual({ id: 1, question: 'Q', options: ['a', 'b', 'c'] });
    expect(asked({ ...SEVERAL, points: 3 }).shown).toStrictEqual({
      id: 1,
      question: 'Q',
      kind: 'several_answers',
      options: ['a', 'b', 'c'],
      points: 3,
    });
    expect(asked(TRUE).shown.options).toEqual(['True', 'False']);
    expect(asked(TEXT).shown).toStrictEqual({ id: 1, question: 'Q', kind: 'short_text', options: [] });
    expect(asked(NUMBER).shown).toMatchObject({ kind: 'number', unit: 'kg' });
    expect(asked({ ...NUMBER, unit: '' }).shown).not.toHaveProperty('unit');
    expect(asked(GAPS).shown.parts).toEqual(['Two and ', ' are ', '.']);
    expect(asked(MATCH).shown.options).toEqual(['France', 'Spain']);
    expect(asked(MATCH).shown.choices?.toSorted()).toEqual(['Madrid', 'Paris', 'Rome']);
  });

  it('is in another order where options are shuffled, and stays the same for one attempt', () => {
    const options = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    for (const written of [
      { options, correctAnswer: 0 },
      { ...SEVERAL, options, feedback: [] },
    ]) {
      const shown = asked(written, { shuffleOptions: true }).shown;
      expect(shown.options).not.toEqual(options);
      expect(shown.options.toSorted()).toEqual(options);
      expect(shown.shuffled).toBe('correctAnswer' in written ? true : undefined);
    }
  });

  it('has an order of its own for everybody who only tries a lesson', () => {
    expect(previewSeed(7)).toBe('preview 7');
  });
});

describe('what a learner is told of an answer', () => {
  it('is what its author says to what was chosen, where that is something', () => {
    expect(told(SINGLE, 0).feedback).toEqual(['no']);
    expect(told(SINGLE, 2)).not.toHaveProperty('feedback');
    expect(told(SINGLE, null)).not.toHaveProperty('feedback');
    expect(told({ ...SINGLE, feedback: undefined }, 0)).not.toHaveProperty('feedback');
    expect(told(SEVERAL, ['a', 'b', 'c']).feedback).toEqual(['a: yes', 'b: no']);
    expect(told(SEVERAL, ['c'])).not.toHaveProperty('feedback');
    expect(told({ ...SEVERAL, feedback: undefined }, ['a'])).not.toHaveProperty('feedback');
    expect([true, false].map((answer) => told(TRUE, answer).feedback)).toEqual([['yes'], ['no']]);
    expect(told({ ...TRUE, feedback: undefined }, true)).not.toHaveProperty('feedback');
  });

  it('is the right answer in words, where its form does not say it', () => {
    expect(told(TEXT, 'x')).toMatchObject({ solution: 'Köln', solutionText: 'Köln or Cologne' });
    expect(told(NUMBER, '1')).toMatchObject({ solution: '0.3', solutionText: '0.3 ± 0.1 kg' });
    expect(told({ ...NUMBER, tolerance: 0, unit: '' }, '1').solutionText).toBe('0.3');
    expect(told(GAPS, ['2', 'x'])).toMatchObject({
      solution: ['two', 'four'],
      solutionText: 'two or 2, four',
      rightParts: [true, false],
    });
    expect(told(ORDER, ['two', 'one', 'three']).solution).toEqual(['one', 'two', 'three']);
    expect(told(MATCH, ['Rome', 'Madrid'])).toMatchObject({
      solution: ['Paris', 'Madrid'],
      rightParts: [false, true],
    });
  });

  it('is the whole of it for a question that was left out', () => {
    expect(told(GAPS, null)).toStrictEqual({
      questionId: 1,
      chosen: null,
      correctAnswer: null,
      explanation: '',
      given: null,
      solution: ['two', 'four'],
      credit: 0,
      solutionText: 'two or 2, four',
    });
    expect(told({ ...SINGLE, points: 2 }, null)).toStrictEqual({
      questionId: 1,
      chosen: null,
      correctAnswer: 1,
      explanation: '',
      credit: 0,
      points: 2,
    });
    expect(told({ ...SINGLE, points: 2 }, 1)).toMatchObject({ credit: 1, points: 2, chosen: 1 });
    expect(told(TEXT, 'Köln')).toMatchObject({ chosen: null, correctAnswer: null, given: 'Köln', credit: 1 });
    const shuffled = asked(SINGLE, { shuffleOptions: true });
    expect(markedAnswer(shuffled, null)).toMatchObject({ chosen: null, given: null, solution: 'b' });
  });
});

describe('a formatted question', () => {
  const FORMATTED = {
    ...SINGLE,
    question: '# What is `a`?',
    options: ['`a`', '[b](/c)', '```\nc\nd\n```'],
    format: 'markdown',
  };

  it('is shown as HTML too, its options as what may stand in a label', () => {
    expect(asked(FORMATTED).shown).toStrictEqual({
      id: 1,
      question: '# What is `a`?',
      questionHtml: '<p><strong>What is <code>a</code>?</strong></p>\n',
      options: FORMATTED.options,
      optionsHtml: [
        '<span class="block"><code>a</code></span>',
        '<span class="block">b</span>',
        '<code class="block whitespace-pre-wrap wrap-anywhere">c\nd</code>',
      ],
    });
    const { shown } = asked({ ...FORMATTED, explanation: 'x' }, { shuffleOptions: true });
    expect(shown.optionsHtml).toEqual(
      shown.options.map((one) => asked(FORMATTED).shown.optionsHtml![FORMATTED.options.indexOf(one)]),
    );
    expect(asked({ ...ORDER, format: 'markdown' }).shown).not.toHaveProperty('optionsHtml');
  });

  it('is explained as HTML once it is answered, and names its options in plain words', () => {
    expect(told({ ...FORMATTED, explanation: '*Because*' }, 0)).toMatchObject({
      explanation: '*Because*',
      explanationHtml: '<p><em>Because</em></p>\n',
    });
    expect(told(FORMATTED, 0)).not.toHaveProperty('explanationHtml');
    expect(
      told({ ...SEVERAL, options: ['**a**', 'b', 'c'], format: 'markdown' }, ['**a**']).feedback,
    ).toEqual(['a: yes']);
  });

  it('alone may have options of several lines', () => {
    const options = ['a\nb', 'c'];
    for (const written of [
      { ...SINGLE, options, feedback: [] },
      { ...SEVERAL, options, correctAnswers: [0], feedback: [] },
    ]) {
      const plain = questionInput.safeParse({ question: 'Q', ...written, correctAnswer: 0 });
      expect(plain.error?.issues).toMatchObject([
        { path: ['options', 0], message: 'Option must be a single line' },
      ]);
      expect(
        questionInput.safeParse({ question: 'Q', ...written, correctAnswer: 0, format: 'markdown' }).success,
      ).toBe(true);
    }
    expect(
      questionInput.safeParse({ question: 'Q', ...TRUE, format: 'html' }).error?.issues[0]?.message,
    ).toBe('The format of a question is markdown, or left out');
  });
});

describe('answers that cannot be marked', () => {
  const questions = [SINGLE, SEVERAL, TEXT, NUMBER, GAPS].map((written, index) => ({
    ...questionInput.parse({ question: 'Q', ...written }),
    id: index + 1,
  }));
  const all = askedQuestions(questions, {}, 'seed');
  const good: Answers = { 1: 1, 2: ['a'], 3: 'x', 4: '1', 5: ['2', '4'] };
  const refused = (change: Record<string, Answer | undefined>) => {
    const given = Object.fromEntries(
      Object.entries({ ...good, ...change }).filter(([, answer]) => answer !== undefined),
    ) as Answers;
    try {
      return readAnswers(all, given);
    } catch (error) {
      const { code, message, fields } = error as AppError;
      return { code, message, fields };
    }
  };

  it('are refused by their question', () => {
    expect(refused({})).toEqual(good);
    expect(refused({ 1: undefined, 3: ' ' })).toEqual({
      code: 'invalid_input',
      message: 'Question 1 has no answer',
      fields: { 'answers.1': 'Question 1 has no answer', 'answers.3': 'Question 3 has no answer' },
    });
    expect(refused({ 1: 9 })).toMatchObject({ message: 'Question 1 has no such option' });
    expect(refused({ 2: ['a', 'x'] })).toMatchObject({ message: 'Question 2 has no such option' });
    expect(refused({ 2: [] })).toMatchObject({ message: 'Question 2 has no answer' });
    expect(refused({ 2: [' '] })).toMatchObject({ message: 'Question 2 has no answer' });
    expect(refused({ 4: 'x' })).toMatchObject({ message: 'Question 4 needs a number, such as 12.5 kg' });
    expect(refused({ 5: ['2', ' '] })).toMatchObject({ message: 'Question 5 has an empty gap' });
  });

  it('are refused together where the quiz has other questions by now', () => {
    expect(refused({ 6: 'x' })).toMatchObject({
      code: 'conflict',
      message: 'This quiz was changed after you opened it. Reload the page to see its questions.',
    });
  });

  it('earn nothing where they are left out, and a quiz without questions has no score', () => {
    expect(scoreOf(all, { 1: 1 })).toEqual({ score: 20, right: 1 });
    expect(scoreOf([], {})).toEqual({ score: 0, right: 0 });
  });
});

describe('a typed text', () => {
  it.each([
    ['\u2018a\u2019 \u02bcb', "'a' 'b"],
    ['\u201ca\u201d', '"a"'],
    ['a\u2010b\u2015c\u2212d', 'a-b-c-d'],
    [' a \t\n b ', 'a b'],
    ['ＡＢ', 'AB'],
  ])('%j reads as %j', (typed, plain) => {
    expect(plainText(typed, true)).toBe(plain);
    expect(plainText(typed, false)).toBe(plain.toLowerCase());
  });

  it('is forgiven more typos the longer it is, and none where a digit counts', () => {
    const forgiven = ['abc', 'abcd', 'abcdefg', 'abcdefgh', 'abcdefg1', '😀😀😀', '😀😀😀😀'].map(
      typosForgiven,
    );
    expect(forgiven).toEqual([0, 1, 1, 2, 0, 0, 1]);
  });

  it('that is empty is never accepted', () => {
    const loose = { matchCase: false, forgiveTypos: true };
    expect(isAccepted([''], ' ', loose)).toBe(false);
    expect(isAccepted(['', 'ab'], 'ab', loose)).toBe(true);
  });
});
