/**
 * Crockford's base 32. A number has fifteen random characters (75 bits, fault I6) and a check character over GF(32), which finds
 * each single wrong character and each swap of two (decision 39).
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;
/** x⁵ + x² + 1. */
const FIELD_POLYNOMIAL = 0b100101;

const timesGenerator = (value: number) => (value << 1) ^ (value & 16 ? FIELD_POLYNOMIAL : 0);

function weightedSum(values: readonly number[]): number {
  return values.reduce((sum, value) => timesGenerator(sum) ^ value, 0);
}

const grouped = (characters: string) => characters.match(/.{4}/g)!.join('-');

/** @param random at least fifteen bytes from a cryptographic source */
export function certificateNumber(random: Uint8Array): string {
  if (random.length < LENGTH - 1) throw new Error('A certificate number needs fifteen random bytes.');
  const values = [...random.subarray(0, LENGTH - 1)].map((byte) => byte & 31);
  values.push(timesGenerator(weightedSum(values)));
  return grouped(values.map((value) => ALPHABET[value]).join(''));
}

/**
 * Accepts any case, dashes and spaces, O for 0, I and L for 1.
 * @returns the number; `mistyped` for a wrong check character; null for any other text
 */
export function readCertificateNumber(typed: string): string | 'mistyped' | null {
  if (typed.length > 60) return null;
  const characters = typed
    .toUpperCase()
    .replace(/[\s\p{Cf}\p{Pd}]/gu, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
  if (!/^[0-9A-Z]{16}$/.test(characters)) return null;
  const values = [...characters].map((character) => ALPHABET.indexOf(character));
  if (values.includes(-1) || weightedSum(values) !== 0) return 'mistyped';
  return grouped(characters);
}

export type CertificateState = 'valid' | 'expired' | 'revoked';

/** Revocation wins over expiry. */
export function certificateState(
  { validUntil, revokedAt }: { validUntil: Date | null; revokedAt: Date | null },
  now: Date,
): CertificateState {
  if (revokedAt) return 'revoked';
  return validUntil && validUntil <= now ? 'expired' : 'valid';
}

/** The same day so many months later, or that month's last day. */
export function monthsLater(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + months);
  // Date turns the 31st of a short month into the 1st of the next.
  if (end.getUTCDate() !== from.getUTCDate()) end.setUTCDate(0);
  return end;
}

/** Without line breaks and bidirectional marks. */
export function oneLine(value: string): string {
  return value
    .normalize('NFC')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}
