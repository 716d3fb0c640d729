import { describe, expect, it } from 'vitest';
import { difference, previewElement, timerText, VERDICTS, verdictText, wasCompared } from './practice.ts';
import { CODING_LANGUAGES, codingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { isBlank } from '#src/shared/is-blank.ts';

describe('the timer', () => {
  it.each([
    [0, '0:00'],
    [9, '0:09'],
    [60, '1:00'],
    [187.9, '3:07'],
    [3600, '60:00'],
    [-5, '0:00'],
  ])('shows %s seconds as %s', (seconds, text) => {
    expect(timerText(seconds)).toBe(text);
  });
});

describe('the difference of two texts', () => {
  it('marks what lies between the common beginning and end', () => {
    expect(difference('Hello, Ada!', 'Hello, Bob!')).toEqual({
      expected: { before: 'Hello, ', differs: 'Ada', after: '!' },
      got: { before: 'Hello, ', differs: 'Bob', after: '!' },
    });
  });

  it('marks what is missing on one side only', () => {
    const { expected, got } = difference('Hello, World!', 'Hello World!');
    expect([expected.differs, got.differs]).toEqual([',', '']);
  });

  it('never counts a character twice where both ends are alike', () => {
    const { expected, got } = difference('aa', 'aaa');
    expect(expected.before + expected.differs + expected.after).toBe('aa');
    expect(got.before + got.differs + got.after).toBe('aaa');
    expect(got.differs).toBe('a');
  });

  it('does not cut a character in two', () => {
    const { expected, got } = difference('a😀b', 'a😁b');
    expect([expected.differs, got.differs]).toEqual(['😀', '😁']);
  });

  it('is nothing for equal texts', () => {
    expect(difference('same', 'same').got).toEqual({ before: 'same', differs: '', after: '' });
  });
});

describe('the texts of verdicts', () => {
  it('say "Not quite right" of a wrong answer and only of it (spec 8)', () => {
    expect(VERDICTS.filter((kind) => verdictText(kind).title === 'Not quite right')).toEqual([
      'wrong_answer',
    ]);
    expect(VERDICTS.filter(wasCompared)).toEqual(['pass', 'wrong_answer']);
  });

  it('of code that was read and refused is told so', () => {
    const title = (name: string) => verdictText('syntax_error', { name }).title;
    expect(['SyntaxError', 'TypeScript error TS2322', 'syntax_error'].map(title)).toEqual([
      'Your code could not be read',
      'The types do not fit',
      'A statement could not be read',
    ]);
    expect(verdictText('wrong_answer', { name: 'syntax_error' }).title).toBe('Not quite right');
  });
});

it.each(CODING_LANGUAGES)('the keys of a phone hold a quotation mark of %s', (language) => {
  expect(codingLanguage(language).keys).toMatch(/['"]/);
});

describe('blank code', () => {
  it('is white space of any kind', () => {
    expect([isBlank(''), isBlank(' \n\t\u00a0'), isBlank('0')]).toEqual([true, true, false]);
  });
});

describe('the element of a preview', () => {
  it('is that of the first visible test, without its steps', () => {
    expect(previewElement([{}, { input: '<Counter start={5} />; click button; p | text' }])).toBe(
      '<Counter start={5} />',
    );
    expect(previewElement([{ input: 'add(1, 2)' }, {}])).toBeNull();
  });
});
