import { describe, expect, it } from 'vitest';
import { graderOf } from './marking.server.ts';
import type { Question } from './question.ts';

// Past the fields of an editor, such as out of an old row: what a form refuses at once cannot come here.
const faultsOf = (written: object) => {
  const question = { question: 'Q', explanation: '', ...written } as Question;
  return graderOf(question).faults(question);
};

const OPTIONS = 'needs at least two options, none of them empty.';
const NO_RIGHT = 'has no right answer.';
const TWICE = 'offers the same option twice.';
const single = (options: string[], correctAnswer: number) => ({ options, correctAnswer });
const several = (options: string[], correctAnswers: number[]) => ({
  kind: 'several_answers',
  options,
  correctAnswers,
});
const text = (accepted: string[]) => ({ kind: 'short_text', accepted, matchCase: false });
const number = (value: number, tolerance: number) => ({ kind: 'number', value, tolerance, unit: '' });
const ordering = (...items: string[]) => ({ kind: 'ordering', items });
const matching = (pairs: [string, string][], distractors: string[] = []) => ({
  kind: 'matching',
  pairs: pairs.map(([prompt, match]) => ({ prompt, match })),
  distractors,
});
const gaps = (written: string) => ({ kind: 'gaps', text: written, matchCase: false });

describe('a question that cannot be asked', () => {
  it.each([
    [single(['a', 'b'], 1), []],
    [single(['a'], 0), [OPTIONS]],
    [single(['a', ' '], 0), [OPTIONS]],
    [single(['a', 'b'], 2), [NO_RIGHT]],
    [single(['a', ' a'], 0), [TWICE]],
    [several(['a', 'b'], [0]), []],
    [several(['a', 'b'], [0, 7]), []],
    [several(['a'], [0]), [OPTIONS]],
    [several(['a', ' '], [0]), [OPTIONS]],
    [several(['a', 'b'], []), [NO_RIGHT]],
    [several(['a', 'b'], [7]), [NO_RIGHT]],
    [several(['a ', 'a'], [0]), [TWICE]],
    [{ kind: 'true_false', isTrue: false }, []],
    [text(['a']), []],
    [text([' ', 'a']), []],
    [text([]), ['has no accepted answer.']],
    [text([' ']), ['has no accepted answer.']],
    [number(0, 0), []],
    [number(Number.NaN, 0), ['has no number that is right.']],
    [number(1, -1), ['has no number that is right.']],
    [ordering('a', 'b'), []],
    [ordering('a'), ['needs at least two items, none of them empty.']],
    [ordering('a', ' '), ['needs at least two items, none of them empty.']],
    [ordering('a', 'a'), ['has the same item twice.']],
    [
      matching([
        ['a', '1'],
        ['b', '2'],
      ]),
      [],
    ],
    [matching([['a', '1']], ['2']), ['needs at least two pairs, none of them empty.']],
    [
      matching([
        ['a', '1'],
        [' ', '2'],
      ]),
      ['needs at least two pairs, none of them empty.'],
    ],
    [
      matching([
        ['a', '1'],
        ['b', ' '],
      ]),
      ['needs at least two pairs, none of them empty.'],
    ],
    [
      matching([
        ['a', '1'],
        ['b', '1'],
      ]),
      ['has but one match to choose from.'],
    ],
    [
      matching(
        [
          ['a', '1'],
          ['b', '1'],
        ],
        ['2'],
      ),
      [],
    ],
    [gaps('a [[b]]'), []],
    [gaps('a'), ['needs at least one gap, and an answer for each.']],
    [gaps('a [[b]] [[]]'), ['needs at least one gap, and an answer for each.']],
    [gaps('a [[b|]]'), ['needs at least one gap, and an answer for each.']],
  ])('%j: %j', (written, faults) => {
    expect(faultsOf(written)).toEqual(faults);
  });
});
