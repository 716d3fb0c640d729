import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { translations } from '@zxcvbn-ts/language-en';

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, translations });

export type Rated = { score: 0 | 1 | 2 | 3 | 4; advice: string };

/** @param about what guessers know, such as name and email */
export function ratePassword(password: string, about: string[]): Rated {
  const { score, feedback } = zxcvbn.check(password, about);
  return { score, advice: feedback.warning || feedback.suggestions[0] || '' };
}
