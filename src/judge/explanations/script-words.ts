import { transform } from 'sucrase';
import { nearest } from './nearest.ts';
import { declaredNames, LONGEST_SCRIPT, ownKeys, readScript } from './script.ts';

const KEYWORDS =
  'async await break case catch class const continue default do else export extends finally for function if import let new of return static super switch throw try typeof var while yield'.split(
    ' ',
  );

const ELSEWHERE: Record<string, string> = {
  def: 'function',
  func: 'function',
  fn: 'function',
  elif: 'else if',
  elseif: 'else if',
  elsif: 'else if',
  foreach: 'for',
};

const GLOBALS =
  'Array BigInt Boolean Date Error Infinity JSON Map Math NaN Number Object Promise Proxy Reflect RegExp Set String Symbol WeakMap clearTimeout console decodeURIComponent encodeURIComponent globalThis isFinite isNaN parseFloat parseInt prompt setInterval setTimeout structuredClone undefined'.split(
    ' ',
  );

const namesOf = (...objects: object[]): string[] => objects.flatMap((one) => Object.getOwnPropertyNames(one));

const METHODS: ReadonlySet<string> = new Set(
  namesOf(
    Array.prototype,
    String.prototype,
    Number.prototype,
    Map.prototype,
    Set.prototype,
    Promise.prototype,
    Object,
    Array,
    Number,
    Math,
    JSON,
  )
    .concat('log error warn info table test exec getFullYear getMonth getDate getDay getTime'.split(' '))
    .filter((name) => name !== 'constructor' && !name.startsWith('_')),
);

const meant = (word: string): string => `Did you mean "${word}"?`;

const MOST_NAMES = 500;

const MOST_TRIES = 8;
const LONGEST_LINE = 200;

const WORD = /[A-Za-z_$][\w$]*/g;

function withoutTexts(line: string): string {
  return line
    .replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g, (text) => ' '.repeat(text.length))
    .replace(/\/\/.*$/, (text) => ' '.repeat(text.length));
}

export function misspeltKeyword(code: string, line: number): string | null {
  const lines = code.split('\n');
  const before = readScript(code);
  if ('tree' in before || code.length > LONGEST_SCRIPT) return null;
  let tries = MOST_TRIES;
  for (const number of [line, line - 1]) {
    const text = lines[number - 1];
    if (text === undefined || text.length > LONGEST_LINE) continue;
    for (const { 0: word, index } of withoutTexts(text).matchAll(WORD)) {
      if (KEYWORDS.includes(word)) continue;
      const keyword = ELSEWHERE[word.toLowerCase()] ?? nearest(word, KEYWORDS);
      if (!keyword) continue;
      if (tries-- === 0) return null;
      const mended = lines.with(number - 1, text.slice(0, index) + keyword + text.slice(index + word.length));
      const after = readScript(mended.join('\n'));
      // One line further is what a word makes that is meant; a sign further is chance.
      const end = lines.slice(0, line).join('\n').length;
      if ('tree' in after || (after.failedAt > before.failedAt && after.failedAt > end)) {
        const isCase = keyword === word.toLowerCase();
        return `${meant(keyword)}${isCase ? ' Keywords are written in lower case.' : ''}`;
      }
    }
  }
  return null;
}

export function isTypeScript(code: string): boolean {
  if (code.length > LONGEST_SCRIPT || 'tree' in readScript(code)) return false;
  try {
    const options = { transforms: ['typescript', 'jsx'], jsxRuntime: 'preserve', disableESTransforms: true };
    return 'tree' in readScript(transform(code, options as Parameters<typeof transform>[1]).code);
  } catch {
    return false;
  }
}

/** Null where nothing is close. */
export function misspeltName(name: string, code: string): string | null {
  const read = readScript(code);
  const names = 'tree' in read ? declaredNames(read.tree) : new Set<string>();
  if (names.has(name)) {
    return 'It is declared inside of another function or block, where this line cannot see it. Declare it further out.';
  }
  const word = nearest(name, [...[...names].slice(0, MOST_NAMES), ...GLOBALS, ...KEYWORDS]);
  if (!word) return null;
  const isCase = word.toLowerCase() === name.toLowerCase();
  return `${meant(word)}${isCase ? ' Upper and lower case matter.' : ''}`;
}

/** Null where nothing is close. */
export function misspeltMethod(name: string, code: string): string | null {
  const read = readScript(code);
  const own = 'tree' in read ? [...ownKeys(read.tree)].slice(0, MOST_NAMES) : [];
  const word = nearest(name, [...own, ...METHODS]);
  return word ? meant(word) : null;
}

/** Null where nothing is close. */
export function misspeltImport(name: string, known: readonly string[]): string | null {
  const word = nearest(name, known);
  return word ? meant(word) : null;
}
