/**
 * A certificate's number: sixteen characters in groups of four, such as `7K3M-9QXT-0VWC-R5HN`. Fifteen are random (75
 * bits: nobody guesses one, fault I6); the last is a check character. The characters are Crockford's base 32, which has
 * no I, L, O and U, so that a number can be read aloud and typed from paper.
 *
 * Each character stands for an element of the field with 32 elements; the number is right when the sum of its
 * characters, each times another power of the field's generator, is zero. That finds every single wrong character and
 * every two characters that were swapped, next to each other or not (decision 39).
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;
/** x⁵ + x² + 1, whose root generates the field. */
const FIELD_POLYNOMIAL = 0b100101;

const timesGenerator = (value: number) => (value << 1) ^ (value & 16 ? FIELD_POLYNOMIAL : 0);

function weightedSum(values: readonly number[]): number {
  return values.reduce((sum, value) => timesGenerator(sum) ^ value, 0);
}

const grouped = (characters: string) => characters.match(/.{4}/g)!.join('-');

/**
 * Makes a certificate's number.
 *
 * @param random at least fifteen bytes from a cryptographic source
 */
export function certificateNumber(random: Uint8Array): string {
  if (random.length < LENGTH - 1) throw new Error('A certificate number needs fifteen random bytes.');
  const values = [...random.subarray(0, LENGTH - 1)].map((byte) => byte & 31);
  values.push(timesGenerator(weightedSum(values)));
  return grouped(values.map((value) => ALPHABET[value]).join(''));
}

/**
 * Reads a certificate's number as somebody typed it: in any case, with or without dashes and spaces, with O for 0 and I
 * or L for 1.
 *
 * @returns the number as it is written on the certificate; `mistyped` where it has the shape of one and its check
 *   character does not fit; null for anything else
 */
export function readCertificateNumber(typed: string): string | 'mistyped' | null {
  if (typed.length > 60) return null;
  const characters = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  if (!/^[0-9A-Z]{16}$/.test(characters)) return null;
  const values = [...characters].map((character) => ALPHABET.indexOf(character));
  if (values.includes(-1) || weightedSum(values) !== 0) return 'mistyped';
  return grouped(characters);
}

export type CertificateState = 'valid' | 'expired' | 'revoked';

/** What a certificate is worth at a moment; one that was revoked stays so after it would have expired. */
export function certificateState(
  { validUntil, revokedAt }: { validUntil: Date | null; revokedAt: Date | null },
  now: Date,
): CertificateState {
  if (revokedAt) return 'revoked';
  return validUntil && validUntil <= now ? 'expired' : 'valid';
}

/**
 * The end of a certificate's validity: the same day so many months later, or the last of that month where it has no
 * such day.
 */
export function monthsLater(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + months);
  // The 31st of a month with 30 days is the 1st of the next.
  if (end.getUTCDate() !== from.getUTCDate()) end.setUTCDate(0);
  return end;
}

/** A name or title as it may stand on one line of a document: without line breaks and marks that turn text around. */
export function oneLine(value: string): string {
  return value
    .normalize('NFC')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}
