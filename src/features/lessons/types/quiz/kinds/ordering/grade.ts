import { type Grader, sameTexts, textsOf } from '../kind.ts';
import type { Ordering } from './definition.ts';

/** The share of neighbors that follow each other as they should (decision 70). */
export const orderingGrader: Grader<Ordering> = {
  shown: ({ items }, arrange) => ({ options: arrange(items) }),
  read: ({ items }, answer) => (sameTexts(textsOf(answer), items) ? answer : null),
  credit: ({ items }, answer) => {
    const given = textsOf(answer);
    const follows = items.filter((item, index) => {
      const next = items[index + 1];
      return next !== undefined && given[given.indexOf(item) + 1] === next;
    });
    return follows.length / (items.length - 1);
  },
  solution: ({ items }) => items,
  faults: ({ items }) => [
    ...(items.length < 2 || items.some((item) => !item.trim())
      ? ['needs at least two items, none of them empty.']
      : []),
    ...(new Set(items).size === items.length ? [] : ['has the same item twice.']),
  ],
};
