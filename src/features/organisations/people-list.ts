import { z } from 'zod';
import { isNowhere, normaliseEmail } from '#src/shared/fields.ts';

const isAddress = (value: string): boolean =>
  value.length <= 254 &&
  z.email().safeParse(value).success &&
  value.isWellFormed() &&
  !value.includes('\0') &&
  !isNowhere(value);

/** An address, or unreadable text. */
export type PersonLine = { line: number; text: string; email: string | null };

/** One address per line, alone or in a cell of CSV. A first line without one is a header; empty lines are skipped. */
export function readPeople(text: string): PersonLine[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((raw, index) => ({ line: index + 1, text: raw.trim() }))
    .filter((one) => one.text !== '')
    .map((one) => ({ ...one, email: addressIn(one.text) }));
  const [first, second] = lines;
  const isHeading = first?.email === null && !first.text.includes('@') && second !== undefined;
  return isHeading && /mail/i.test(first.text) ? lines.slice(1) : lines;
}

function addressIn(text: string): string | null {
  const cells = text
    .split(/[,;\t]/)
    .map((cell) => /<([^<>]+)>\s*$/.exec(cell)?.[1] ?? cell)
    .map((cell) => normaliseEmail(cell.trim().replace(/^"(.*)"$/, '$1')));
  const found = cells.filter((cell) => cell.includes('@'));
  const [only] = found;
  return found.length === 1 && only !== undefined && isAddress(only) ? only : null;
}
