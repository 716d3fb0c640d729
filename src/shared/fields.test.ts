import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { email, id, idInPath, line, password, rawText, text } from './fields.ts';

const refusal = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message ?? null;

describe('fields', () => {
  const title = text('Title', { max: 5 });

  it('trim text and name the field in their messages', () => {
    expect(title.parse('  ab ')).toBe('ab');
    expect(refusal(title, '   ')).toBe('Title is required');
    expect(refusal(title, 'abcdef')).toBe('Title must be at most 5 characters');
    expect(refusal(title, 7)).toBe('Title must be text');
    expect(refusal(text('Message', { min: 10, max: 20 }), 'short')).toBe(
      'Message must be at least 10 characters',
    );
  });

  it('count characters, not halves of them (N4)', () => {
    expect(title.parse('👩🏽‍🚀a')).toBe('👩🏽‍🚀a');
    expect(title.parse('😀😀😀😀😀')).toHaveLength(10);
  });

  it.each(['a\0b', '\ud800', 'x\udc00'])('refuse text that cannot be stored: %j (N2, N4)', (value) => {
    for (const schema of [
      title,
      rawText('Code', { max: 9 }),
      line('Name', { max: 9 }),
      email(),
      password(),
    ]) {
      expect(refusal(schema, value)).not.toBeNull();
    }
  });

  it('refuse line breaks in a line (U5)', () => {
    for (const value of ['a\r\nBcc: x', 'a\u2028b', 'a\tb'])
      expect(refusal(line('Name', { max: 20 }), value)).toBe('Name must be a single line');
  });

  it.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['o’neil@example.com'.replace('’', "'"), "o'neil@example.com"],
    ['a+tag@example.com', 'a+tag@example.com'],
    ['\ufeffa\u200b@b\u00adu\u0308cher.example\u00a0', 'a@xn--bcher-kva.example'],
    ['anna@почта.рф', 'anna@xn--80a1acny.xn--p1ai'],
  ])('give %j one identity (P29)', (value, normalised) => {
    expect(email().parse(value)).toBe(normalised);
  });

  it.each([
    '',
    'x',
    'a@b',
    'a b@example.com',
    'a@ü/x.com',
    `${'a'.repeat(250)}@example.com`,
    ['a@example.com'],
    null,
    {},
  ])('refuse %j as an address (A14)', (value) => {
    expect(refusal(email(), value)).toBe('Please enter a valid email address');
  });

  it('take passwords of 6 to 128 characters as they are (A19)', () => {
    expect(refusal(password(), '12345')).toBe('Password must be at least 6 characters');
    expect(password().parse(' 1234 ')).toBe(' 1234 ');
    expect(password().parse('é'.repeat(128))).toHaveLength(128);
    expect(refusal(password(), 'x'.repeat(129))).toBe('Password must be at most 128 characters');
  });

  it.each(['0', '-1', '1.5', '1e3', 'NaN', 'abc', ' 1', '01', '2147483648', '9'.repeat(10_000), ''])(
    'refuse %j as an id in an address (N3)',
    (value) => {
      expect(refusal(idInPath(), value)).not.toBeNull();
    },
  );

  it('take ids up to the largest integer of the database', () => {
    expect(idInPath().parse('2147483647')).toBe(2_147_483_647);
    expect(id().parse(2_147_483_647)).toBe(2_147_483_647);
    for (const value of [0, -1, 1.5, 2_147_483_648, Number.NaN, '1', null])
      expect(refusal(id(), value)).not.toBeNull();
  });
});
