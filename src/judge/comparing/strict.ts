import type { Language } from '#src/judge/protocol.ts';
import type { Observation } from '#src/judge/runner.ts';
import { normalizeText } from './compare.ts';
import { sameNumber } from './numbers.ts';
import { readLiteral, type Value } from './literals.ts';

const SHOWN = 80;
/** Larger sets are compared by their sorted texts. */
const SET_MOST = 60;

export interface StrictComparison {
  isSame: boolean;
  /** Shows its type wherever the expected value is no plain text. */
  got: string | null;
  typeDifference?: string;
}

/** By type too, or as `==` of Python does. */
type Way = Language | '==';

function sameItems(a: readonly Value[], b: readonly Value[], language: Way): boolean {
  return a.length === b.length && a.every((item, index) => isSame(item, b[index]!, language));
}

function sameSet(a: readonly Value[], b: readonly Value[], language: Way): boolean {
  if (a.length !== b.length) return false;
  if (a.length > SET_MOST) return a.map(show).sort().join() === b.map(show).sort().join();
  const rest = [...b];
  return a.every((item) => {
    const at = rest.findIndex((other) => isSame(item, other, language));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

const entryName = (key: Value) => JSON.stringify([key.type, show(key)]);
/** The last of doubled keys counts, as in the languages. */
const byName = (entries: readonly [Value, Value][]) =>
  new Map(entries.map(([key, value]) => [entryName(key), value]));

function sameEntries(a: readonly [Value, Value][], b: readonly [Value, Value][], language: Way): boolean {
  const [ours, others] = [byName(a), byName(b)];
  if (ours.size !== others.size) return false;
  return [...ours].every(([name, value]) => {
    const other = others.get(name);
    return other !== undefined && isSame(value, other, language);
  });
}

const nameOf = (value: Value) => ('name' in value ? value.name : undefined);

/** A Counter equals a dictionary. A named tuple looks like a dataclass, which equals no tuple. */
const sameName = (a: Value, b: Value, language: Way) =>
  nameOf(a) === nameOf(b) || (language === '==' && a.type !== 'tuple');

/** Numbers within 1e-9 (decisions 44, 65). */
function isSame(a: Value, b: Value, language: Way): boolean {
  if (!sameName(a, b, language)) return false;
  if (a.type === 'text') return b.type === 'text' && a.text === b.text;
  if (a.type === 'number') {
    if (b.type !== 'number' || !sameKindOfNumber(a, b, language)) return false;
    if (typeof a.number === 'bigint' && typeof b.number === 'bigint') return a.number === b.number;
    const [left, right] = [Number(a.number), Number(b.number)];
    return Object.is(left, right) || sameNumber(left, right);
  }
  if (a.type === 'object') {
    if (b.type !== 'object' || !sameEntries(a.entries, b.entries, language)) return false;
    const isOrdered = nameOf(a) === 'OrderedDict' && nameOf(b) === 'OrderedDict';
    return !isOrdered || [...byName(a.entries).keys()].join() === [...byName(b.entries).keys()].join();
  }
  if (a.type === 'set') return b.type === 'set' && sameSet(a.items, b.items, language);
  if ('items' in a) return b.type === a.type && sameItems(a.items, b.items, language);
  return (
    a.type === b.type && a.source === (b as Extract<Value, { type: 'boolean' | 'nothing' | 'other' }>).source
  );
}

type NumberValue = Extract<Value, { type: 'number' }>;

/** JavaScript has only one kind of number. */
const sameKindOfNumber = (a: NumberValue, b: NumberValue, language: Way) =>
  language !== 'python' || a.isWhole === b.isWhole;

function show(value: Value): string {
  if (!nameOf(value)) return shownPlain(value);
  const [name, ...fields] = nameOf(value)!.split(' ');
  const { name: _, ...plain } = value as Extract<Value, { name?: string }>;
  return value.type === 'tuple'
    ? `${name}(${value.items.map((item, at) => `${fields[at]}${show(item)}`).join(', ')})`
    : `${name}(${shownPlain(plain)})`;
}

function shownPlain(value: Value): string {
  switch (value.type) {
    case 'text':
      return JSON.stringify(value.text);
    case 'list':
      return `[${value.items.map(show).join(', ')}]`;
    case 'tuple':
      return `(${value.items.map(show).join(', ')}${value.items.length === 1 ? ',' : ''})`;
    case 'set':
      return value.items.length === 0 ? 'set()' : `{${value.items.map(show).join(', ')}}`;
    case 'object':
      return `{${value.entries.map(([key, item]) => `${show(key)}: ${show(item)}`).join(', ')}}`;
    default:
      return value.source;
  }
}

const clipped = (text: string) => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);

function named(value: Value, language: Language, besideNumber: boolean): string {
  const text = clipped(show(value));
  if (value.type === 'nothing') return text;
  if (value.type === 'number' && language === 'python' && besideNumber) {
    return `the ${value.isWhole ? 'whole' : 'decimal'} number ${text}`;
  }
  const names = {
    text: 'text',
    number: 'number',
    boolean: 'boolean',
    list: 'list',
    tuple: 'tuple',
    set: 'set',
  };
  if (nameOf(value)) return `the value ${text}`;
  if (value.type === 'object') return `the ${language === 'python' ? 'dictionary' : 'object'} ${text}`;
  return `the ${value.type === 'other' ? 'value' : names[value.type]} ${text}`;
}

interface Difference {
  place: string;
  expected: Value;
  got: Value;
}

const inside = (place: string, step: string) => (place ? `${place}, ${step}` : step);

function differenceOf(expected: Value, got: Value, language: Language, place = ''): Difference | null {
  const here = { place, expected, got };
  if (expected.type !== got.type || !sameName(expected, got, language)) return here;
  if (expected.type === 'number' && got.type === 'number') {
    return sameKindOfNumber(expected, got, language) ? null : here;
  }
  if (expected.type === 'object' && got.type === 'object') {
    const others = byName(got.entries);
    for (const [key, value] of expected.entries) {
      const other = others.get(entryName(key));
      const found = other && differenceOf(value, other, language, inside(place, show(key)));
      if (found) return found;
    }
  }
  if (
    (expected.type === 'list' && got.type === 'list') ||
    (expected.type === 'tuple' && got.type === 'tuple')
  ) {
    for (const [index, item] of expected.items.entries()) {
      const other = got.items[index];
      const found = other && differenceOf(item, other, language, inside(place, `item ${index + 1}`));
      if (found) return found;
    }
  }
  return null;
}

function sentence({ place, expected, got }: Difference, language: Language): string {
  const areNumbers = expected.type === 'number' && got.type === 'number';
  const [wanted, given] = [expected, got].map((value) => named(value, language, areNumbers));
  return `Expected ${wanted}, got ${given}${place && `, at ${clipped(place)}`}.`;
}

/** Decision 65. */
export function compareStrictly(
  language: Language,
  { kind, value, returned, output }: Observation,
  expectedText: string,
): StrictComparison | null {
  if (kind !== 'value' || returned === undefined) return null;
  const literal = readLiteral(expectedText, language);
  const expected: Value = literal ?? { type: 'text', text: expectedText };
  const isBare = literal === null;
  // What no literal can say, such as a Map or an object of a class, is expected as it is shown.
  const isShown = (got: Value) => isBare && got.type === 'other';
  if (returned === 'nothing') {
    const nothing: Value = { type: 'nothing', source: language === 'python' ? 'None' : 'undefined' };
    if (isSame(expected, nothing, language)) return { isSame: true, got: nothing.source };
    const printed = output.trim() ? ' What is printed is not returned.' : '';
    const wanted = named(expected, language, false);
    const typeDifference = `Expected ${wanted}, but nothing was returned (${nothing.source}).${printed}`;
    return { isSame: false, got: nothing.source, typeDifference };
  }
  const got = gotValue(language, value ?? '', returned);
  // At the top the spaces of a text count as little as ever (decision 44).
  const areSame =
    got.type === 'text' && expected.type === 'text'
      ? normalizeText(expected.text) === normalizeText(got.text)
      : isShown(got)
        ? normalizeText(expectedText) === normalizeText(value ?? '')
        : isSame(expected, got, language);
  const shown = got.type === 'text' && !isBare ? JSON.stringify(got.text) : value;
  const mayBeShown = isShown(got) && firstWord(expectedText) === firstWord(value ?? '');
  const difference = areSame || mayBeShown ? null : differenceOf(expected, got, language);
  return {
    isSame: areSame,
    got: shown,
    ...(difference ? { typeDifference: sentence(difference, language) } : {}),
  };
}

/** Whether `==` of Python calls two values equal by their repr; booleans are no numbers, and numbers agree within 1e-9. */
export function equalInPython(got: string, expected: string): boolean {
  const [ours, other] = [readLiteral(got, 'python'), readLiteral(expected, 'python')];
  return ours !== null && other !== null && isSame(ours, other, '==');
}

const firstWord = (text: string) => /[\w$]+/.exec(text)?.[0] ?? '';

function gotValue(language: Language, value: string, returned: 'text' | 'value'): Value {
  if (returned === 'text') return { type: 'text', text: value };
  const read = readLiteral(value, language);
  // An object that is written as a text is none.
  return read && read.type !== 'text' ? read : { type: 'other', source: normalizeText(value) };
}
