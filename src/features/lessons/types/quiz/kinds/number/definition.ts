import { z } from 'zod';
import { filled, line } from '#src/shared/fields.ts';
import { type Kind, NO_ANSWER, sharedFields, type Tidy } from '../kind.ts';

const finite = (label: string) => z.number({ error: `${label} must be a number` });

export const numberInput = z.object({
  ...sharedFields,
  kind: z.literal('number'),
  value: finite('The right number')
    .min(-1e15, 'The number is too small')
    .max(1e15, 'The number is too large'),
  tolerance: finite('Tolerance')
    .min(0, 'Tolerance must not be negative')
    .max(1e15, 'Tolerance is too large')
    .default(0),
  unit: filled(line('Unit', { min: 0, max: 20 })),
});
export type NumberQuestion = Tidy<z.output<typeof numberInput>>;

/** A decimal point, commas only between thousands, and its unit or none. */
export function typedNumber(typed: string, unit = ''): number | null {
  const text = typed
    .normalize('NFKC')
    .trim()
    .replace(/\u2212/g, '-');
  const bare = unit && text.toLowerCase().endsWith(unit.toLowerCase()) ? text.slice(0, -unit.length) : text;
  const match = /^([+-]?)\s*(\d{1,3}(?:,\d{3})+|\d*)(\.\d*)?(e[+-]?\d{1,3})?$/i.exec(bare.trim());
  if (!match || !/\d/.test(`${match[2]}${match[3] ?? ''}`)) return null;
  const value = Number(
    `${match[1]}${match[2]!.replaceAll(',', '') || '0'}${match[3] ?? ''}${match[4] ?? ''}`,
  );
  return Number.isFinite(value) ? value : null;
}

export const number: Kind = {
  name: 'number',
  label: 'Number',
  missing: (answer, { unit }) => {
    if (typeof answer !== 'string' || answer.trim() === '') return NO_ANSWER;
    return typedNumber(answer, unit) === null
      ? `needs a number, such as 12.5${unit ? ` ${unit}` : ''}`
      : null;
  },
};
