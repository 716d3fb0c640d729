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
