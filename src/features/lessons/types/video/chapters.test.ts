import { describe, expect, it } from 'vitest';
import { chaptersInput, chaptersOf, isPastEnd } from './chapters.ts';

describe('chapters of a video', () => {
  it('are read from lines of a time and a title', () => {
    const written =
      ' 0:00  Welcome \r\n\n1:05 The first  knot\n59:59 Late\n61:00 Later\n1:02:03 At 1:30 again\n10:00:00 End';
    const kept = chaptersInput.parse(written);
    expect(kept).toBe(
      '0:00 Welcome\n1:05 The first knot\n59:59 Late\n61:00 Later\n1:02:03 At 1:30 again\n10:00:00 End',
    );
    expect(chaptersOf(kept)).toEqual([
      { start: 0, clock: '0:00', title: 'Welcome' },
      { start: 65, clock: '1:05', title: 'The first knot' },
      { start: 3599, clock: '59:59', title: 'Late' },
      { start: 3660, clock: '61:00', title: 'Later' },
      { start: 3723, clock: '1:02:03', title: 'At 1:30 again' },
      { start: 36_000, clock: '10:00:00', title: 'End' },
    ]);
    expect(chaptersInput.parse('')).toBe('');
    expect(chaptersOf('')).toEqual([]);
  });

  it.each([
    ['Welcome', 'Line 1 needs a time and a title, such as 1:30 The first knot.'],
    ['0:00', 'Line 1 needs a time and a title, such as 1:30 The first knot.'],
    ['0:60 A', 'Line 1 needs a time and a title, such as 1:30 The first knot.'],
    ['1:60:00 A', 'Line 1 needs a time and a title, such as 1:30 The first knot.'],
    ['1:2 A', 'Line 1 needs a time and a title, such as 1:30 The first knot.'],
    [`0:00 ${'a'.repeat(101)}`, 'Line 1 has a title of more than 100 characters.'],
    [
      '0:10 A\n\n0:10 B\nC\n0:05 D',
      'Line 3 does not begin after the chapter before it. Line 4 needs a time and a title, such as 1:30 The first knot. Line 5 does not begin after the chapter before it.',
    ],
    [Array.from({ length: 101 }, (_, n) => `${n}:00 A`).join('\n'), 'A video has at most 100 chapters.'],
  ])('with mistakes are refused, each by its line: %#', (written, message) => {
    expect(chaptersInput.safeParse(written).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  it('begin before the end', () => {
    expect(isPastEnd('0:00 A\n1:00 B', 60)).toBe(true);
    expect(isPastEnd('0:00 A\n1:00 B', 61)).toBe(false);
    expect(isPastEnd('0:00 A\n1:00 B', null)).toBe(false);
    expect(isPastEnd('', 60)).toBe(false);
  });
});
