import { format, inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { show, showAll, showWhole } from './show.ts';

const letters = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', "'", '"', '`', '\\', '\n', '\t', '\x07', 'é', '€'),
});
const names = fc.oneof(fc.constantFrom('a', 'name', 'b-c', '1', '__proto__', 'x y', '$'), letters);
const values = fc.anything({
  key: names,
  values: [
    letters,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined, -0),
    fc.bigInt(),
  ],
  maxDepth: 5,
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
  withTypedArray: true,
});

describe('a value is shown as Node shows it', () => {
  test('whatever it is made of', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(show(value)).toBe(inspect(value));
      }),
      { numRuns: 3_000 },
    );
  });

  test('in lists of every length', () => {
    const lists: fc.Arbitrary<unknown[]> = fc.oneof(
      fc.array(fc.integer(), { maxLength: 130 }),
      fc.array(letters, { maxLength: 130 }),
      fc.array(fc.oneof(fc.integer(), fc.string({ maxLength: 12, unit: 'grapheme-ascii' })), {
        maxLength: 40,
      }),
      fc.array(fc.array(fc.integer(), { maxLength: 3 }), { maxLength: 30 }),
    );
    fc.assert(
      fc.property(lists, (list: unknown[]) => {
        expect(show(list)).toBe(inspect(list));
        expect(show({ list })).toBe(inspect({ list }));
        expect(show(new Set(list))).toBe(inspect(new Set(list)));
      }),
      { numRuns: 500 },
    );
  });

  class Point {
    x = 1;
    y = [2];
  }
  class Deep extends Point {
    inner = new Point();
    get sum() {
      return 3;
    }
  }
  class Bag extends Map<string, number> {}
  class Row extends Array<number> {}
  const cycle: Record<string, unknown> = { n: 1 };
  cycle.self = cycle;
  cycle.list = [cycle, { cycle }];
  const extended = Object.assign([1, 2], { extra: true });
  const coded = Object.assign(new Error('with a code'), { code: 7 });
  coded.stack = 'Error: with a code\n    at f (program.js:1:1)';
  const bare = new RangeError('bare');
  bare.stack = 'RangeError: bare';

  test.each([
    [new Point()],
    [new Deep()],
    [{ deep: { point: new Deep() } }],
    [new Bag([['a', 1]])],
    [Row.from([1, 2])],
    [Point],
    [Deep],
    [class {}],
    [() => 1],
    [function named() {}],
    [async () => {}],
    [function* steps() {}],
    [async function* asyncSteps() {}],
    [Object.assign(() => {}, { a: 1 })],
    [cycle],
    [extended],
    [
      {
        get a() {
          return 1;
        },
        set b(_: number) {},
        get c() {
          return 1;
        },
        set c(_: number) {},
      },
    ],
    [{ [Symbol('key')]: 1, [Symbol.iterator]: undefined }],
    [Symbol('s')],
    [[undefined, null, true]],
    [Object.assign(new Array(5), { 1: 1, 4: 2 })],
    [new Array(3)],
    [{ a: { b: { c: { d: 1 } } }, e: [[[[1]]]], f: new Map([[{ g: { h: { i: 1 } } }, 1]]) }],
    [Object.create({ inherited: 1 })],
    [Object.create(Point.prototype)],
    [new Date(Number.NaN)],
    [Object.assign(new Date(0), { a: 1 })],
    [Object.assign(/x/g, { a: 1 })],
    [new WeakMap()],
    [new WeakSet()],
    [new Promise(() => {})],
    [coded],
    [bare],
    [{ error: coded }],
    [[bare]],
    [Math],
    [JSON],
    [globalThis.Reflect],
    [
      {
        long: 'word '.repeat(40),
        lines: 'one line of text\nanother line of text\nand one more of them'.repeat(2),
      },
    ],
    ['top\nlevel'],
    ['x'.repeat(20_000)],
    [
      new Map([
        ['k'.repeat(50), 'v'.repeat(50)],
        ['second', 'value'],
      ]),
    ],
    [new Set(Array.from({ length: 200 }, (_, n) => n))],
    [Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key${n}`, n]))],
    [{ [Symbol.toStringTag]: 'Own' }],
    [
      new (class Tagged {
        get [Symbol.toStringTag]() {
          return 'Tag';
        }
      })(),
    ],
  ])('%#', (value) => {
    expect(show(value)).toBe(inspect(value));
  });

  test('when it is the arguments of a call', () => {
    function take(..._: unknown[]) {
      // biome-ignore lint/complexity/noArguments: what is tested.
      expect(show(arguments)).toBe(inspect(arguments));
    }
    take(1, 'a');
  });
});

test.each<[string, ...unknown[]]>([
  ['%s is %d years and %i, %f', 'Ada', 36.5, 36.9, '1.5'],
  ['%j %O %% %c!', { a: 1 }, [1], 'css', 'rest', 5],
  ['%s %s %s %s %s', { a: { b: 1 } }, [1, [2]], new Date(0), { toString: () => 'own' }, null, undefined],
  ['%s', Symbol('s'), 12n],
  ['%d %d %d', 12n, '0x10', {}],
  ['%i %f', 'x', 'x'],
  ['100%', 1],
  ['%x %', 1],
  ['%s'],
  ['a', 'b', { c: 1 }, -0],
  ['%s', class A {}],
])('formats %j as Node does', (...values) => {
  expect(showAll(values)).toBe(format(...values));
});

test('shows a value whole and on one line for comparing', () => {
  const long = Array.from({ length: 300 }, (_, n) => ({ n, map: new Map([[n, ['deep', { er: [[n]] }]]]) }));
  const shown = showWhole(long);
  expect(shown).not.toContain('\n');
  expect(shown).toContain("{ n: 299, map: Map(1) { 299 => [ 'deep', { er: [ [ 299 ] ] } ] } }");
});
