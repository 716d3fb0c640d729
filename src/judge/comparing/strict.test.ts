import { expect, it } from 'vitest';
import type { Observation } from '#src/judge/runner.ts';
import { compareStrictly, equalInPython } from './strict.ts';

const seen = (value: string, returned: Observation['returned'], output = ''): Observation => ({
  kind: 'value',
  value,
  ...(returned ? { returned } : {}),
  output,
  outputTruncated: false,
  error: null,
});

const js = (expected: string, value: string, returned: Observation['returned'] = 'value') =>
  compareStrictly('javascript', seen(value, returned), expected);
const python = (expected: string, value: string, returned: Observation['returned'] = 'value') =>
  compareStrictly('python', seen(value, returned), expected);

it.each([
  ['3', '3', 'value'],
  ['"3"', '3', 'text'],
  ["'3'", '3', 'text'],
  ['Hello, Ada!', 'Hello, Ada!', 'text'],
  ['007', '007', 'text'],
  ['2026-11-23', '2026-11-23', 'text'],
  ['', '', 'text'],
  ['0.3', '0.30000000000000004', 'value'],
  ['{a: 1, "b": [true, null]}', '{"b":[true,null],"a":1}', 'value'],
  ['NaN', 'NaN', 'value'],
  ['[ NaN, 1 ]', '[ NaN, 1 ]', 'value'],
  ['12n', '12n', 'value'],
  ["Map(1) { 'a' => 1 }", "Map(1) { 'a' => 1 }", 'value'],
  ['constructor', 'constructor', 'text'],
  ['undefined', 'undefined', 'nothing'],
] as const)('JavaScript: %j is what gives %j as %s', (expected, value, returned) => {
  expect(js(expected, value, returned)).toMatchObject({ isSame: true });
});

it.each([
  ['3', '3', 'text', '"3"', 'Expected the number 3, got the text "3".'],
  ['"3"', '3', 'value', '3', 'Expected the text "3", got the number 3.'],
  ['Hello', '5', 'value', '5', 'Expected the text "Hello", got the number 5.'],
  ['true', 'true', 'text', '"true"', 'Expected the boolean true, got the text "true".'],
  ['[1, 2]', '[1,"2"]', 'value', '[1,"2"]', 'Expected the number 2, got the text "2", at item 2.'],
  [
    '{"a": [1]}',
    '{"a":["1"]}',
    'value',
    '{"a":["1"]}',
    'Expected the number 1, got the text "1", at "a", item 1.',
  ],
  ['null', 'undefined', 'nothing', 'undefined', 'Expected null, but nothing was returned (undefined).'],
  [
    '{"a": 1}',
    '{"a": 1}',
    'text',
    '"{\\"a\\": 1}"',
    'Expected the object {"a": 1}, got the text "{\\"a\\": 1}".',
  ],
  [
    '"2026-01-01"',
    '"2026-01-01"',
    'value',
    '"2026-01-01"',
    'Expected the text "2026-01-01", got the value "2026-01-01".',
  ],
] as const)(
  'JavaScript: where %j is expected, %j as %s is not it',
  (expected, value, returned, got, words) => {
    expect(js(expected, value, returned)).toEqual({ isSame: false, got, typeDifference: words });
  },
);

it('says nothing of types where only the value is wrong', () => {
  expect(js('3', '4')).toEqual({ isSame: false, got: '4' });
  expect(js('Hello', 'Hallo', 'text')).toEqual({ isSame: false, got: 'Hallo' });
  expect(js('"3"', '4', 'text')).toEqual({ isSame: false, got: '"4"' });
  expect(js("Map(1) { 'a' => 1 }", "Map(1) { 'a' => 2 }")).toEqual({
    isSame: false,
    got: "Map(1) { 'a' => 2 }",
  });
});

it('lets nothing printed stand in for a returned value', () => {
  expect(compareStrictly('javascript', seen('3', 'nothing', '3\n'), '3')).toEqual({
    isSame: false,
    got: 'undefined',
    typeDifference:
      'Expected the number 3, but nothing was returned (undefined). What is printed is not returned.',
  });
  expect(compareStrictly('python', seen('3', 'nothing', '3\n'), 'None')).toMatchObject({ isSame: true });
});

it.each([
  ['3', '3', 'value'],
  ['3.0', '3.0', 'value'],
  ['True', 'True', 'value'],
  ['["a", 1]', "['a', 1]", 'value'],
  ['(1,)', '(1,)', 'value'],
  ['{2, 1}', '{1, 2}', 'value'],
  ['set()', 'set()', 'value'],
  ["{'a': None, 1: (2, 3)}", "{1: (2, 3), 'a': None}", 'value'],
  ["Decimal('1.5')", "Decimal('1.5')", 'value'],
  ['12345678901234567890', '12345678901234567890', 'value'],
  ['"it\'s"', "it's", 'text'],
  ["{'a': 1, 'a': 2}", "{'a': 2}", 'value'],
  ["Counter({'a': 2, 'b': 1})", "Counter({'b': 1, 'a': 2})", 'value'],
  ["defaultdict(<class 'int'>, {'a': 1})", "defaultdict(<class 'int'>, {'a': 1})", 'value'],
  ['Point(x=0.3, y=2)', 'Point(x=0.30000000000000004, y=2)', 'value'],
  ['frozenset({1, 2})', 'frozenset({2, 1})', 'value'],
] as const)('Python: %j is what gives %j as %s', (expected, value, returned) => {
  expect(python(expected, value, returned)).toMatchObject({ isSame: true });
});

it.each([
  ['3', '3.0', 'value', 'Expected the whole number 3, got the decimal number 3.0.'],
  ['3', '3', 'text', 'Expected the number 3, got the text "3".'],
  ['[1]', '(1,)', 'value', 'Expected the list [1], got the tuple (1,).'],
  ['1', 'True', 'value', 'Expected the number 1, got the boolean True.'],
  ['{}', 'set()', 'value', 'Expected the dictionary {}, got the set set().'],
  ['{1: 2}', 'Counter({1: 2})', 'value', 'Expected the dictionary {1: 2}, got the value Counter({1: 2}).'],
  ['(1, 2)', 'P(x=1, y=2)', 'value', 'Expected the tuple (1, 2), got the value P(x=1, y=2).'],
] as const)('Python: where %j is expected, %j as %s is not it', (expected, value, returned, words) => {
  expect(python(expected, value, returned)).toMatchObject({ isSame: false, typeDifference: words });
});

it('compares as ever what has no type: printed answers, and what did not come to a value', () => {
  expect(compareStrictly('html', seen('3', undefined), '3')).toBeNull();
  expect(compareStrictly('python', { ...seen('3', 'text'), kind: 'time_limit' }, '3')).toBeNull();
});

it('takes what is nested beyond measure for text', () => {
  const deep = '['.repeat(5_000) + ']'.repeat(5_000);
  expect(js(deep, deep)).toMatchObject({ isSame: true });
});

it.each([
  ['{1, 2}', '{1, 3}'],
  ['{1, 2}', '{1}'],
  ['{1, 1}', '{1, 2}'],
  ['(1, 2)', '(2, 1)'],
  ['[1, 2]', '[1]'],
  ["{'a': 1}", "{'a': 2}"],
  ["{'a': 1}", "{'b': 1}"],
  ["{'a': 1}", "{'a': 1, 'b': 2}"],
  ["{'a': 1, 'a': 1}", "{'a': 1, 'b': 1}"],
  ['True', 'False'],
  ['3.5', '3.6'],
  ["{'a': 1, 'a': 2}", "{'a': 1}"],
  ['12345678901234567890', '12345678901234567891'],
])('Python: %j is not %j, of the same type', (expected, value) => {
  expect(python(expected, value)).toEqual({ isSame: false, got: value });
});

it.each([
  ["{'a': (1, [2])}", "{'a': (1, ['2'])}", 'the number 2, got the text "2", at "a", item 2, item 1'],
  ["{1: 'a'}", "{'1': 'a'}", null],
  ['[1.0]', '[1]', 'the decimal number 1.0, got the whole number 1, at item 1'],
  ['[True]', '[None]', 'the boolean True, got None, at item 1'],
  ['[None]', '[True]', 'None, got the boolean True, at item 1'],
  ['[(1, 2)]', '[{1, 2}]', 'the tuple (1, 2), got the set {1, 2}, at item 1'],
  ['[1, 2]', "{'a': 1}", 'the list [1, 2], got the dictionary {"a": 1}'],
  ['[]', "Decimal('1')", "the list [], got the value Decimal('1')"],
])('Python: %j and %j differ in their types at one place', (expected, value, words) => {
  const difference = python(expected, value)?.typeDifference;
  expect(difference).toBe(words === null ? undefined : `Expected ${words}.`);
});

it('shows of a long value its first 80 characters', () => {
  const differenceOf = (length: number) =>
    js('3', 'x'.repeat(length), 'text')?.typeDifference?.replace(/x{2,}/, (run) => `${run.length}x`);
  // The quotes count.
  expect(differenceOf(78)).toBe('Expected the number 3, got the text "78x".');
  expect(differenceOf(79)).toBe('Expected the number 3, got the text "79x….');
});

it('compares sets of any size without their order', () => {
  const set = (numbers: number[]) => `{${numbers.join(', ')}}`;
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
  for (const count of [60, 61, 5_000]) {
    expect(python(set(upTo(count)), set(upTo(count).toReversed()))).toMatchObject({ isSame: true });
    expect(python(set(upTo(count)), set([...upTo(count - 1), -1]))).toMatchObject({ isSame: false });
  }
});

it('does not let spaces count at the top of a text, and inside of one it does', () => {
  expect(js('a', 'a  \n', 'text')).toMatchObject({ isSame: true });
  expect(js('["a"]', '["a "]')).toEqual({ isSame: false, got: '["a "]' });
  expect(js("Map(1) { 'a' => 1 }", "Map(1) { 'a' => 1 }  ")).toMatchObject({ isSame: true });
});

it('says what was given instead of a thing that is written as it is shown', () => {
  expect(js('Hello', 'Map(0) {}')).toMatchObject({
    isSame: false,
    typeDifference: 'Expected the text "Hello", got the value Map(0) {}.',
  });
});

it('says that nothing was returned, without more where nothing was printed', () => {
  expect(compareStrictly('python', seen('', 'nothing', ' \n'), '[1]')).toEqual({
    isSame: false,
    got: 'None',
    typeDifference: 'Expected the list [1], but nothing was returned (None).',
  });
});

it('knows one kind of number in JavaScript', () => {
  expect(js('3', '3.0')).toMatchObject({ isSame: true });
  expect(js('12n', '13n')).toMatchObject({ isSame: false });
  expect(js('-0', '0')).toMatchObject({ isSame: true });
});

it.each([
  ["{'b': 2, 'a': 1}", "{'a': 1, 'b': 2}"],
  ['{3, 1, 2}', '{1, 2, 3}'],
  ["Counter({'a': 2})", "{'a': 2}"],
  ["defaultdict(<class 'list'>, {'a': [1]})", "{'a': [1]}"],
  ['defaultdict(<function <lambda> at 0x7f00>, {1: 2})', '{1: 2}'],
  ["OrderedDict({'b': 2, 'a': 1})", "{'a': 1, 'b': 2}"],
  ['Counter()', '{}'],
  ['frozenset({2, 1})', '{1, 2}'],
  ['frozenset()', 'set()'],
  ['Point(x=1, y=2.0)', 'Point(x=1, y=2)'],
  ['(0.30000000000000004, 1)', '(0.3, 1)'],
  ['[1, 2.0]', '[1.0, 2]'],
  ["['a', \"it's\"]", '["a", "it\'s"]'],
])('Python: %s == %s', (got, expected) => {
  expect(equalInPython(got, expected)).toBe(true);
  expect(equalInPython(expected, got)).toBe(true);
});

it.each([
  ['[1, 2]', '(1, 2)'],
  ['[1, 2]', '[2, 1]'],
  ['True', '1'],
  ["'1'", '1'],
  ['{1, 2}', '[1, 2]'],
  ['Point(x=1, y=2)', '(1, 2)'],
  ["OrderedDict({'a': 1, 'b': 2})", "OrderedDict({'b': 2, 'a': 1})"],
  ['toString(1)', '1'],
  ['Point(x=1, y=2)', 'Size(x=1, y=2)'],
  ['Point(x=1, y=2)', 'Point(y=1, x=2)'],
  ['Point(x=1, y=2)', '(2, 1)'],
  ["Counter({'a': 2})", "{'a': 1}"],
  ["Decimal('1.5')", '1.5'],
  ['deque([1])', '[1]'],
  ['<__main__.A object at 0x1>', '<__main__.A object at 0x1>x'],
])('Python: not %s == %s', (got, expected) => {
  expect(equalInPython(got, expected)).toBe(false);
});
