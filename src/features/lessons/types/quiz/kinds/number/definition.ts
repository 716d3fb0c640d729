import { z } from 'zod';
import { filled, line } from '#src/shared/fields.ts';
import { type Answer, type Kind, NO_ANSWER, sharedFields, type Tidy } from '../kind.ts';

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

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\u2212/g, '-')
    .trim();
const plainUnit = (unit: string) =>
  plain(unit)
    .replaceAll('^', '')
    .replace(/^1?\/(\p{L}+)(\d*)$/u, '$1-$2')
    .replace(/-1$/, '-');

/** A single comma is a decimal mark where it cannot be one of thousands. NaN where there is no number. */
export function typedNumber(typed: string): { value: number; after: string } {
  const [, sign = '', digits = '', exponent = '', after = ''] =
    /^([+-]?)\s*([\d.,]*)(e[+-]?\d{1,3})?(.*)$/i.exec(plain(typed)) ?? [];
  const isGrouped = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(digits);
  const decimal = isGrouped ? digits.replaceAll(',', '') : digits.replace(',', '.');
  return { value: Number(`${sign}${decimal || '.'}${exponent}`), after };
}

/** With the unit or none. */
export function isNumber(answer: Answer | undefined, unit = ''): answer is string {
  if (typeof answer !== 'string') return false;
  const { value, after } = typedNumber(answer);
  return Number.isFinite(value) && (after === '' || plainUnit(after) === plainUnit(unit));
}

export const number: Kind = {
  name: 'number',
  label: 'Number',
  missing: (answer, { unit }) => {
    if (typeof answer !== 'string' || answer.trim() === '') return NO_ANSWER;
    if (!isNumber(answer, unit)) return `needs a number, such as 12.5${unit ? ` ${unit}` : ''}`;
    const text = plain(answer);
    return /^[+-]?\s*[1-9]\d{0,2},\d{3}(?![\d.,])/.test(text)
      ? `has an ambiguous comma: write ${text.replace(',', '')} or ${text.replace(',', '.')}`
      : null;
  },
};
