import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { translations } from '@zxcvbn-ts/language-en';

// Large: loaded by `PasswordStrength.tsx` when it is needed, and imported by nothing else.
const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, translations });

export type Rated = { score: 0 | 1 | 2 | 3 | 4; advice: string };

/**
 * How hard a password is to guess.
 *
 * @param about what guessers know of the person, such as name and email
 */
export function ratePassword(password: string, about: string[]): Rated {
  const { score, feedback } = zxcvbn.check(password, about);
  return { score, advice: feedback.warning || feedback.suggestions[0] || '' };
}
