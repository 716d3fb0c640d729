import { z } from 'zod';
import { decimalToCents } from './money.ts';

/** PostgreSQL's integer. */
export const MAX_ID = 2_147_483_647;
/** Characters (RFC 5321, decision 5). */
export const EMAIL_MAX = 254;

/** Not storable in PostgreSQL, or not decodable. */
function hasForbiddenCharacters(value: string): boolean {
  return value.includes('\0') || !value.isWellFormed();
}

const cleanText = (label: string) =>
  z
    .string({ error: `${label} must be text` })
    .refine((value) => !hasForbiddenCharacters(value), `${label} contains characters that cannot be stored`);

/**
 * Trimmed text.
 * @param label in messages
 * @param min 1 requires it
 * @param max code points
 */
export function text(label: string, { min = 1, max }: { min?: number; max: number }) {
  return cleanText(label)
    .transform((value) => value.trim())
    .refine((value) => value.length > 0 || min === 0, `${label} is required`)
    .refine(
      (value) => min <= 1 || value.length === 0 || [...value].length >= min,
      `${label} must be at least ${min} characters`,
    )
    .refine(
      (value) => value.length <= max * 2 && [...value].length <= max,
      `${label} must be at most ${max} characters`,
    );
}

/**
 * Dollars as a decimal string; cents after parsing.
 * @param wrong message
 * @param missing message
 */
export const dollars = (wrong: string, missing = wrong, minCents = 0, maxCents = Number.MAX_SAFE_INTEGER) =>
  z
    .string({ error: ({ input }) => (typeof input === 'number' ? wrong : missing) })
    .transform((value, context) => {
      const cents = decimalToCents(value.trim());
      if (cents !== null && cents >= minCents && cents <= maxCents) return cents;
      context.addIssue({ code: 'custom', message: wrong });
      return z.NEVER;
    });

/** Not trimmed, for passwords and codes. */
export function rawText(label: string, { max }: { max: number }) {
  return cleanText(label).refine(
    (value) => value.length <= max,
    `${label} must be at most ${max} characters`,
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
export const isLine = (value: string) => !/[\u0000-\u001f\u007f\u2028\u2029]/.test(value);

/** No line breaks and control characters (fault U5). */
export function line(label: string, limits: { min?: number; max: number }) {
  return text(label, limits).refine(isLine, `${label} must be a single line`);
}

/** A date of the years that PostgreSQL takes. */
export function day(label: string) {
  const error = `${label} must be a date such as 2027-01-31`;
  return z.iso.date({ error, abort: true }).regex(/^[1-9]/, error);
}

/** Left out is the same as empty. */
export const filled = <S extends z.ZodType>(schema: S) => z.preprocess((value) => value ?? '', schema);

/** One identity per address (fault P29). */
export function normaliseEmail(value: string): string {
  return value
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
    .replace(/(?<=@)[^\s\p{Cc}/?#:%@\\]+$/u, (host) => {
      const url = `http://${host}`;
      return URL.canParse(url) ? new URL(url).hostname : host;
    });
}

// As zod's, with endings in other scripts.
const ADDRESS = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+(?:[a-z]{2,}|xn--[a-z\d-]+)$/i;

/** @param message spec 5 */
export function email(message = 'Please enter a valid email address') {
  return z
    .string({ error: message })
    .max(EMAIL_MAX * 2, message)
    .transform(normaliseEmail)
    .pipe(z.email({ error: message, pattern: ADDRESS }).max(EMAIL_MAX, message));
}

/** Never deliverable (RFC 6761); preview learners use one. The demo's `example.com` stays. */
const NOWHERE = /[@.](invalid|localhost)$/;

export const isNowhere = (address: string): boolean => NOWHERE.test(address);

/** An address to write to. */
export function mailbox(message?: string) {
  return email(message).refine(
    (value) => !isNowhere(value),
    'No mail can be sent to this address. Please enter one of yours',
  );
}

/** 6 to 128 characters, untrimmed (spec 5, decision 11). */
export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 128;

export function password(message = `Password must be at least ${PASSWORD_MIN} characters`) {
  return z
    .string({ error: message })
    .refine((value) => !hasForbiddenCharacters(value), 'Password contains characters that cannot be stored')
    .refine((value) => [...value].length >= PASSWORD_MIN, message)
    .refine(
      (value) => [...value].length <= PASSWORD_MAX,
      `Password must be at most ${PASSWORD_MAX} characters`,
    );
}

/** Within PostgreSQL's integer. */
export function id(label = 'Id') {
  return z
    .number({ error: `${label} must be a whole number` })
    .int(`${label} must be a whole number`)
    .min(1, `${label} must be positive`)
    .max(MAX_ID, `${label} is out of range`);
}

/** Decimal digits only: no `1e3`, `0x1`, ` 1`. */
export function idInPath(label = 'Id') {
  return z
    .string()
    .regex(/^[1-9]\d{0,9}$/, `${label} must be a whole number`)
    .transform(Number)
    .refine((value) => value <= MAX_ID, `${label} is out of range`);
}

/** Characters. */
export const REASON_MAX = 500;
/** "a, b or c". */
export const anyOf = (choices: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);

/** Of a waived finding of the publish check. */
export const passReason = line('Reason', { min: 10, max: REASON_MAX });
