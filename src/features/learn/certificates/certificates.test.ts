import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  certificateNumber,
  certificateState,
  monthsLater,
  oneLine,
  readCertificateNumber,
} from './certificates.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const number = fc.uint8Array({ minLength: 15, maxLength: 15 }).map(certificateNumber);
const replaced = (text: string, index: number, character: string) =>
  text.slice(0, index) + character + text.slice(index + 1);

describe('a certificate number', () => {
  it('has sixteen characters in four groups and reads as itself', () => {
    fc.assert(
      fc.property(number, (made) => {
        expect(made).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
        expect(readCertificateNumber(made)).toBe(made);
      }),
    );
  });

  it('is read as people type it', () => {
    const made = certificateNumber(new Uint8Array([0, 1, 1, 0, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]));
    expect(made.startsWith('0110-')).toBe(true);
    const typed = ` ${made.replace('0110', 'oIl0').replaceAll('-', '\u00ad\u2011').toLowerCase()}\u200b `;
    expect(readCertificateNumber(typed)).toBe(made);
    expect(readCertificateNumber(made.replaceAll('-', ''))).toBe(made);
  });

  it('with any one wrong character is refused', () => {
    fc.assert(
      fc.property(number, (made) => {
        for (let index = 0; index < made.length; index += 1) {
          if (made[index] === '-') continue;
          for (const other of ALPHABET) {
            if (other === made[index]) continue;
            expect(readCertificateNumber(replaced(made, index, other))).toBe('mistyped');
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  it('with any two characters swapped is refused', () => {
    fc.assert(
      fc.property(number, (made) => {
        const plain = made.replaceAll('-', '');
        for (let a = 0; a < plain.length; a += 1) {
          for (let b = a + 1; b < plain.length; b += 1) {
            if (plain[a] === plain[b]) continue;
            const swapped = replaced(replaced(plain, a, plain[b]!), b, plain[a]!);
            expect(readCertificateNumber(swapped)).toBe('mistyped');
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it('uses every bit of its fifteen characters', () => {
    const bytes = new Uint8Array(15);
    const all = new Set<string>();
    for (let index = 0; index < 15; index += 1) {
      for (let bit = 0; bit < 5; bit += 1) {
        const changed = bytes.slice();
        changed[index] = 1 << bit;
        all.add(certificateNumber(changed));
      }
    }
    expect(all.size).toBe(75);
    expect(() => certificateNumber(new Uint8Array(14))).toThrow('fifteen random bytes');
  });

  it('is nothing where it has another shape', () => {
    for (const text of [
      '',
      '1',
      'admin',
      '../../etc',
      `${'0'.repeat(17)}`,
      'A'.repeat(10_000),
      '０'.repeat(16),
    ])
      expect(readCertificateNumber(text)).toBeNull();
    expect(readCertificateNumber('UUUU-UUUU-UUUU-UUUU')).toBe('mistyped');
  });
});

describe('certificateState', () => {
  const now = new Date('2026-06-01T12:00:00Z');
  it('is valid without an end and before it', () => {
    expect(certificateState({ validUntil: null, revokedAt: null }, now)).toBe('valid');
    expect(certificateState({ validUntil: new Date('2026-06-01T12:00:01Z'), revokedAt: null }, now)).toBe(
      'valid',
    );
  });
  it('is expired from the end on, and revoked whatever the end', () => {
    expect(certificateState({ validUntil: now, revokedAt: null }, now)).toBe('expired');
    expect(certificateState({ validUntil: null, revokedAt: now }, now)).toBe('revoked');
    expect(certificateState({ validUntil: new Date(0), revokedAt: now }, now)).toBe('revoked');
  });
});

describe('monthsLater', () => {
  it.each([
    ['2026-01-15T10:00:00.000Z', 12, '2027-01-15T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', 1, '2026-02-28T10:00:00.000Z'],
    ['2024-02-29T10:00:00.000Z', 12, '2025-02-28T10:00:00.000Z'],
    ['2026-10-31T23:59:59.999Z', 6, '2027-04-30T23:59:59.999Z'],
    ['2026-12-01T00:00:00.000Z', 600, '2076-12-01T00:00:00.000Z'],
  ])('%s and %i months', (from, months, end) => {
    expect(monthsLater(new Date(from), months).toISOString()).toBe(end);
  });
});

describe('oneLine', () => {
  it('drops what breaks a line or turns text around (U5)', () => {
    expect(oneLine('Ada\r\nBcc: all@example.com')).toBe('Ada Bcc: all@example.com');
    expect(oneLine(' Ada\u202e\u2066 \0Lovelace\u2028')).toBe('Ada Lovelace');
    expect(oneLine('Zoe\u0308')).toBe('Zoë');
  });
});
