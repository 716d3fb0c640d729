import { z } from 'zod';
import { filled, text } from '#src/shared/fields.ts';
import { type Kind, NO_ANSWER, QUESTION_MAX, sharedFields, textsOf, type Tidy } from '../kind.ts';

export function gapsOf(text: string): { parts: string[]; gaps: string[][] } {
  const pieces = text.split(/\[\[([^[\]]*)\]\]/);
  return {
    parts: pieces.filter((_, index) => index % 2 === 0),
    gaps: pieces
      .filter((_, index) => index % 2 === 1)
      .map((inside) => inside.split('|').map((one) => one.trim())),
  };
}

/** The number of an answer such as `=2.50` or `=2.50±0.1`; null for a text. */
export function numberInGap(accepted: string): { value: number; tolerance: number } | null {
  const [, right, tolerance = '0'] = /^=(-?[\d.]+(?:e[-+]?\d+)?)(?:\s*±\s*([\d.]+))?$/i.exec(accepted) ?? [];
  const number = { value: Number(right), tolerance: Number(tolerance) };
  return Number.isFinite(number.value) && Number.isFinite(number.tolerance) ? number : null;
}

/** Without the sign of a number. */
export const shownInGap = (accepted: string): string =>
  numberInGap(accepted) ? accepted.slice(1) : accepted;

export const gapsInput = z.object({
  ...sharedFields,
  kind: z.literal('gaps'),
  text: filled(text('Text with gaps', { max: QUESTION_MAX.gapText })).superRefine((value, context) => {
    const { parts, gaps } = gapsOf(value);
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    if (parts.some((part) => /\[\[|\]\]/.test(part)))
      refuse('A gap is opened or closed only: write [[answer]]');
    else if (gaps.length === 0) refuse('Put at least one gap into the text: write [[answer]]');
    else if (gaps.length > QUESTION_MAX.gaps) refuse(`A text has at most ${QUESTION_MAX.gaps} gaps`);
    for (const [index, accepted] of gaps.entries()) {
      if (accepted.includes('')) refuse(`Gap ${index + 1} has an empty answer`);
      if (accepted.some((one) => /^=-?\d+,\d+$/.test(one)))
        refuse(`Write the number of gap ${index + 1} with a point: =3.25`);
    }
  }),
  matchCase: z.boolean({ error: 'Match case must be true or false' }).default(false),
  forgiveTypos: z.boolean({ error: 'Forgive typos must be true or false' }).default(false),
});
export type Gaps = Tidy<z.output<typeof gapsInput>>;

export const gaps: Kind = {
  name: 'gaps',
  label: 'Fill the gaps',
  missing: (answer, { parts = [] }) => {
    const given = textsOf(answer);
    if (!given.some((text) => text.trim() !== '')) return NO_ANSWER;
    const isWhole = given.length === parts.length - 1 && given.every((text) => text.trim() !== '');
    return isWhole ? null : 'has an empty gap';
  },
};
