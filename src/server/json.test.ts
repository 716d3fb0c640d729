import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonBody } from './json.ts';

/** Something a form would send: nested a little, no repeated keys by construction. */
const body = fc.dictionary(
  fc.string().filter((key) => key !== '__proto__'),
  fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.array(fc.string()),
  ),
);

describe('a request body', () => {
  it('is read as JSON.parse would', () => {
    fc.assert(
      fc.property(body, fc.constantFrom(0, 2), (value, indent) => {
        const source = JSON.stringify(value, null, indent);
        expect(parseJsonBody(source)).toEqual(JSON.parse(source));
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', 'twice'],
    ['{"a":1,"\\u0061":2}', 'twice'],
    ['{"x":{"b":1,"b" : 2}}', 'twice'],
    ['[{"a":1},{"a":1,"a":1}]', 'twice'],
    ['{"__proto__":{"admin":true}}', '__proto__'],
    ['{"\\u005f_proto__":1}', '__proto__'],
    [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'deeply'],
    ['{"a":', 'not valid JSON'],
    ['', 'not valid JSON'],
    ["{'a':1}", 'not valid JSON'],
  ])('is refused: %s (N5)', (source, reason) => {
    expect(() => parseJsonBody(source)).toThrow(reason);
  });

  it('may repeat a key in different objects, and text that looks like one', () => {
    const source = '{"a":{"k":1},"b":{"k":"\\"k\\":{"},"c":["k","k"],"k":"a"}';
    expect(parseJsonBody(source)).toEqual({ a: { k: 1 }, b: { k: '"k":{' }, c: ['k', 'k'], k: 'a' });
  });
});
