import { mailbox } from '#src/shared/fields.ts';

const mailed = mailbox();

/** An address, or unreadable text. */
export type PersonLine = { line: number; text: string; email: string | null };

/**
 * Addresses between lines, spaces, commas and semicolons, in cells of CSV, or as "Name <address>". A first line without
 * one is a header; words beside an address are its name.
 */
export function readPeople(text: string): PersonLine[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((raw, index) => ({ line: index + 1, text: raw.trim() }))
    .filter(({ text, line }) => text !== '' && !(line === 1 && /^"?sep=/i.test(text)));
  const [first, second] = lines;
  const isHeading = first && second && !first.text.includes('@') && /mail/i.test(first.text);
  return (isHeading ? lines.slice(1) : lines).flatMap((one) => {
    const found = addressesIn(one.text);
    return found.length === 0
      ? [{ ...one, email: null }]
      : found.map((text) => ({ line: one.line, text, email: mailed.safeParse(text).data ?? null }));
  });
}

/** The text before an address in angle brackets is the person's name. */
const addressesIn = (line: string): string[] =>
  line
    .split(/[,;|\t]|(?<=>)/)
    .flatMap((part) => /<([^<>]+)>/.exec(part)?.[1] ?? part.split(/[\s"]+/))
    .map((word) => word.trim())
    .filter((word) => word.includes('@'));
