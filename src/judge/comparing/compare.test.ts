import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matches, normalizeText, prepareComparison } from './compare.ts';

const same = (got: string, expected: string) => matches('javascript', got, expected, { input: 'x' });

describe('what was given equals what is expected', () => {
  test.each([
    ['a\r\nb\r\n', 'a\nb'],
    ['a  \nb\t\n\n\n', 'a\nb'],
    ['', '\n\n'],
    ['{"a":1,"b":[1,2]}', '{ "b": [1, 2], "a": 1 }'],
    ['0.30000000000000004', '0.3'],
    ['1.0000000009', '1'],
    ['1000000000.5', '1000000000'],
    ['1000000000', '1000000000.5'],
    ['a\rb', 'a\nb'],
    ['[1e-10]', '[0]'],
    ['1000000000000.0001', '1000000000000'],
    ['-0', '0'],
    ['"\\u0041"', '"A"'],
    ['12345678901234567890', '12345678901234567890'],
    ['{"a":[9007199254740993]}', '{ "a": [9007199254740993] }'],
    ['1e21', '1000000000000000000000'],
  ])('%j and %j', (got, expected) => expect(same(got, expected)).toBe(true));

  test.each([
    ['a\nb', 'a b'],
    [' a', 'a'],
    ['a\n\nb', 'a\nb'],
    ['hello', '"hello"'],
    ['[1,2]', '[2,1]'],
    ['[1]', '{"0":1}'],
    ['{"0":1}', '[1]'],
    ['[1]', '[1,1]'],
    ['{"a":1}', '{"b":1}'],
    ['{"a":1}', '{"a":2}'],
    ['null', '[]'],
    ['[]', 'null'],
    ['1.000000002', '1'],
    ['1000000002', '1000000000'],
    ['{"a":1}', '{"a":1,"b":2}'],
    ['{"__proto__":1}', '{}'],
    ['null', '0'],
    ['1', 'true'],
    ['0.301', '0.3'],
    ['12345678901234567891', '12345678901234567890'],
    ['[9007199254740993]', '[9007199254740992]'],
    ['NaN', 'null'],
    ['', '0'],
  ])('not %j and %j', (got, expected) => expect(same(got, expected)).toBe(false));

  test.each([
    ['-9007199254740993', '-9007199254740992'],
    ['{}', '[]'],
    ['[]', '{}'],
    ['{}', 'null'],
    ['null', '{}'],
    ['[1, 2]', '[1]'],
    ['{"a":1,"b":2}', '{"a":1}'],
    ['{"toString":1}', '{"a":1}'],
    ['{"a":1}', '{"toString":1}'],
    ['[{"a":1}]', '[{"a":2}]'],
  ])('nor %j and %j', (got, expected) => expect(same(got, expected)).toBe(false));

  test.each([
    // Whole only in part, and whole in another spelling: no text that a whole number could be read from.
    ['90071992547409930.5', '90071992547409930.50'],
    ['1e300', '10e299'],
    ['9007199254740993', '9007199254740993.0'],
    ['-9007199254740993', ' -9007199254740993'],
  ])('but %j and %j', (got, expected) => expect(same(got, expected)).toBe(true));

  test('JSON that is nested without measure is compared as text', () => {
    const spaced = (n: number) => `${'[ '.repeat(n)}1${' ]'.repeat(n)}`;
    expect(same(`${'['.repeat(500)}1${']'.repeat(500)}`, spaced(500))).toBe(true);
    expect(same(`${'['.repeat(501)}1${']'.repeat(501)}`, spaced(501))).toBe(false);
    const deep = (n: number) => `${'['.repeat(n)}1${']'.repeat(n)}`;
    expect(same(deep(20_000), deep(20_000))).toBe(true);
    expect(same(deep(20_000), deep(20_001))).toBe(false);
  });

  test('for every JSON value in another spelling, and never for a text with a letter more', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(same(JSON.stringify(value, null, 2), text)).toBe(true);
        expect(same(`${text}x`, text)).toBe(false);
      }),
    );
  });

  test('spellings of one style value', async () => {
    await prepareComparison('css');
    expect(matches('css', 'rgb(255, 0, 0)', '#f00', { input: 'h1 | color' })).toBe(true);
    expect(matches('css', '0px', '0', { input: '@media (min-width: 1px) p | margin-top' })).toBe(true);
    expect(matches('css', 'rgb(255, 0, 1)', '#f00', { input: 'h1 | color' })).toBe(false);
    // Text is no style.
    await prepareComparison('html');
    expect(matches('html', '#f00', 'red', { input: 'h1 | text' })).toBe(false);
    expect(matches('html', '#f00', 'red', { input: 'h1' })).toBe(false);
  });
});

test('normalizing twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t', 'a', 'b') }), (text) => {
      const once = normalizeText(text);
      expect(normalizeText(once)).toBe(once);
    }),
  );
});
