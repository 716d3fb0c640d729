import { describe, expect, it } from 'vitest';
import { questionInput, questionOfRow, rowOfQuestion } from './question.ts';

const EACH = [
  { question: 'Q', options: ['a', 'b'], correctAnswer: 1 },
  {
    question: 'Q',
    options: ['a', 'b'],
    correctAnswer: 0,
    feedback: ['yes', ''],
    points: 3,
    tags: ['One', 'one'],
  },
  { kind: 'several_answers', question: 'Q', options: ['a', 'b', 'c'], correctAnswers: [2, 0, 2] },
  { kind: 'true_false', question: 'Q', isTrue: false },
  { kind: 'short_text', question: 'Q', accepted: ['Paris'] },
  { kind: 'number', question: 'Q', value: 3.5, tolerance: 0.1, unit: 'kg' },
  { kind: 'ordering', question: 'Q', items: ['a', 'b'] },
  {
    kind: 'matching',
    question: 'Q',
    pairs: [
      { prompt: 'a', match: '1' },
      { prompt: 'b', match: '2' },
    ],
  },
  { kind: 'gaps', question: 'Q', text: 'Two and [[two|2]] are [[four]].' },
];

describe('a question', () => {
  it('without a kind is a single choice, and stays as it always was', () => {
    const question = questionInput.parse({ ...EACH[0], points: 1, tags: [], feedback: ['', ''] });
    expect(question).toStrictEqual({ question: 'Q', options: ['a', 'b'], correctAnswer: 1, explanation: '' });
    expect(rowOfQuestion(question)).toStrictEqual({
      kind: 'single_choice',
      question: 'Q',
      options: ['a', 'b'],
      correctAnswer: 1,
      explanation: '',
      details: {},
    });
    expect(questionInput.parse({ ...EACH[0], kind: 'single_choice' })).toStrictEqual(question);
  });

  it.each(EACH)('$kind comes out of the database as it went in', (written) => {
    const question = questionInput.parse(written);
    const row = JSON.parse(JSON.stringify(rowOfQuestion(question)));
    expect(questionOfRow(row)).toStrictEqual(question);
    expect(questionInput.parse(questionOfRow(row))).toStrictEqual(question);
  });

  it.each([
    [{ kind: 'essay', question: 'Q' }, 'kind', 'There is no such kind of question'],
    [{ ...EACH[0], correctAnswer: 2 }, 'correctAnswer', 'Choose the correct option'],
    [{ ...EACH[0], options: ['a', 'a'] }, 'options', 'Two options are the same'],
    [{ ...EACH[0], points: 0 }, 'points', 'Points must be at least 1'],
    [{ ...EACH[2], correctAnswers: [] }, 'correctAnswers', 'Choose at least one correct option'],
    [{ ...EACH[2], correctAnswers: [3] }, 'correctAnswers', 'Choose the correct options'],
    [{ kind: 'true_false', question: 'Q' }, 'isTrue', 'Say whether it is true'],
    [{ ...EACH[4], accepted: [] }, 'accepted', 'A question needs at least 1 accepted answers'],
    [{ ...EACH[5], value: 'x' }, 'value', 'The right number must be a number'],
    [{ ...EACH[5], tolerance: -1 }, 'tolerance', 'Tolerance must not be negative'],
    [{ ...EACH[6], items: ['a'] }, 'items', 'A question needs at least 2 items'],
    [{ ...EACH[7], distractors: ['1'] }, 'distractors', 'A distractor is the match of a prompt'],
    [{ ...EACH[8], text: 'none' }, 'text', 'Put at least one gap into the text: write [[answer]]'],
    [{ ...EACH[8], text: 'one [[gap' }, 'text', 'A gap is opened or closed only: write [[answer]]'],
    [{ ...EACH[8], text: 'one [[a|]]' }, 'text', 'Gap 1 has an empty answer'],
    [{ ...EACH[8], text: '' }, 'text', 'Text with gaps is required'],
    [{ kind: 'ordering', items: ['a', 'b'] }, 'question', 'Question is required'],
  ])('that is wrong is refused by its field: %j', (written, field, message) => {
    const issue = questionInput.safeParse(written).error?.issues[0];
    expect([issue?.path.join('.'), issue?.message]).toEqual([field, message]);
  });
});
