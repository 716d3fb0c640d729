/** How the value of a wrong answer differs from the wanted one, in any language. */

interface Told {
  message: string;
  explanation: string;
}

const told = (message: string, explanation: string): Told => ({ message, explanation });

const PIECE_MAX = 40;
const SIGNS: ReadonlyMap<string, string> = new Map([
  [',', 'A comma'],
  ['.', 'A full stop'],
  ['!', 'An exclamation mark'],
  ['?', 'A question mark'],
  [':', 'A colon'],
  [';', 'A semicolon'],
  [' ', 'A space'],
  ['-', 'A hyphen'],
  ["'", 'An apostrophe'],
  ['"', 'A double quote'],
]);
const named = (piece: string) => SIGNS.get(piece) ?? quoted(piece);
const quoted = (piece: string) => `“${piece}”`;
const shown = (value: unknown) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value));

/** Undefined for neither. */
function read(text: string): unknown {
  for (const json of [text, asJson(text)]) {
    try {
      return JSON.parse(json);
    } catch {}
  }
  return undefined;
}

/** An unclosed text takes the rest, else each quote in it would be tried again. */
const PYTHON = /"(?:[^"\\]|\\.)*"|'((?:[^'\\]|\\.)*)'|["'].*|\b(True|False|None)\b|[()]/gs;

const asJson = (text: string) =>
  text.replace(PYTHON, (all, single, word) =>
    single !== undefined
      ? JSON.stringify(single.replaceAll("\\'", "'"))
      : word
        ? { True: 'true', False: 'false', None: 'null' }[word as 'True']
        : ({ '(': '[', ')': ']' }[all as '('] ?? all),
  );

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const ofText = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();

function more(list: readonly unknown[], than: readonly unknown[]): unknown[] {
  const rest = new Map<string, number>();
  const leftOf = (key: string) => rest.get(key) ?? 0;
  for (const key of than.map((item) => JSON.stringify(item))) rest.set(key, leftOf(key) + 1);
  return list.filter((item) => {
    const key = JSON.stringify(item);
    const left = leftOf(key);
    rest.set(key, left - 1);
    return left <= 0;
  });
}

function ofLists(got: readonly unknown[], wanted: readonly unknown[]): Told | null {
  if (wanted.length > 0 && got.length === 0) {
    return told('An empty list came.', 'Look at where something is put into it.');
  }
  if (got.length > 1 && isSame(got, wanted.toReversed())) {
    return told('It is right the other way round.', 'Turn the order around.');
  }
  if (got.length === wanted.length && got.length > 1 && isSame(ofText(got), ofText(wanted))) {
    return told('The right items came in another order.', 'Look at which comes first.');
  }
  const [extra, missing] = [more(got, wanted), more(wanted, got)];
  if (extra.length === 0 && missing.length === 1) {
    const [item] = missing;
    const isFirst = isSame(got, wanted.slice(1));
    const isLast = isSame(got, wanted.slice(0, -1));
    return told(
      `${isFirst ? 'The first item is missing' : isLast ? 'The last item is missing' : 'An item is missing'}: ${shown(item)}.`,
      'Look at what leaves this item out.',
    );
  }
  if (missing.length === 0 && extra.length === 1) {
    return told(
      `${shown(extra[0])} is in it, and does not belong there.`,
      'Look at what should leave this item out.',
    );
  }
  return null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function ofObjects(got: Record<string, unknown>, wanted: Record<string, unknown>): Told | null {
  const lacks = Object.keys(wanted).filter((key) => !Object.hasOwn(got, key));
  const extra = Object.keys(got).filter((key) => !Object.hasOwn(wanted, key));
  const other = Object.keys(wanted).filter(
    (key) => Object.hasOwn(got, key) && !isSame(got[key], wanted[key]),
  );
  if (lacks.length + extra.length + other.length !== 1) return null;
  const [key] = [...lacks, ...extra, ...other] as [string];
  return lacks.length > 0
    ? told(`${quoted(key)} is missing.`, 'Look at where this part is put in, and how its name is written.')
    : extra.length > 0
      ? told(`${quoted(key)} is in it, and does not belong there.`, 'Look at where this part comes from.')
      : told(
          `${quoted(key)} is ${shown(got[key])}, and ${shown(wanted[key])} is asked for.`,
          'All other parts are right. Look at where this one gets its value.',
        );
}

function ofNumbers(got: number, wanted: number): Told | null {
  if (Math.abs(got - wanted) === 1 && Number.isInteger(wanted)) {
    return told(got < wanted ? 'It is one too few.' : 'It is one too many.', 'Look at how it comes about.');
  }
  if (got === -wanted) return told('The sign is the wrong one.', 'Look at what is taken from what.');
  if (Math.abs(got - wanted) < 1 && got !== wanted) {
    return told('It is nearly right: the rounding differs.', 'Look at whether, where and how it is rounded.');
  }
  return null;
}

function piecesOf(got: string, wanted: string): { got: string; wanted: string; before: string } {
  const shorter = Math.min(got.length, wanted.length);
  let start = 0;
  while (start < shorter && got[start] === wanted[start]) start += 1;
  // Digits of a number are no piece of their own.
  const isDigit = (sign = '') => /\d/.test(sign);
  while (isDigit(got[start - 1]) && (isDigit(got[start]) || isDigit(wanted[start]))) start -= 1;
  let end = 0;
  while (end < shorter - start && got.at(-1 - end) === wanted.at(-1 - end)) end += 1;
  return {
    got: got.slice(start, got.length - end),
    wanted: wanted.slice(start, wanted.length - end),
    before: got.slice(0, start),
  };
}

function inLines(got: readonly string[], wanted: readonly string[]): Told | null {
  const [extra, missing] = [more(got, wanted), more(wanted, got)] as [string[], string[]];
  if (extra.length + missing.length === 0) {
    return told('The right lines came in another order.', 'A program does its lines from top to bottom.');
  }
  if (extra.length + missing.length > 1) return null;
  const [line] = [...extra, ...missing] as [string];
  if (line.length > PIECE_MAX) return null;
  return told(
    `The line ${quoted(line)} is ${missing.length > 0 ? 'missing' : 'too much'}.`,
    'All the other lines are there.',
  );
}

function ofTexts(got: string, wanted: string): Told | null {
  if (got === '' || wanted === '') return null;
  if (got.toLowerCase() === wanted.toLowerCase()) {
    return told('Only capital and small letters differ.', 'Write them exactly as they are asked for.');
  }
  if (got.replace(/\s/g, '') === wanted.replace(/\s/g, '')) {
    const { got: mine, wanted: asked, before } = piecesOf(got, wanted);
    const where = before.trim() === '' ? 'at the beginning' : `after ${quoted(before.slice(-20).trim())}`;
    const kind = /\n/.test(mine + asked)
      ? 'a line break'
      : /\u00a0/.test(mine)
        ? 'a no-break space'
        : 'a space';
    const how =
      mine.length < asked.length ? 'is missing' : mine.length > asked.length ? 'too much' : 'of another kind';
    return told(
      `Only spaces and line breaks differ: ${kind} ${how} ${where}.`,
      'Look at what puts it there; what joins two texts or prints them may add one of its own.',
    );
  }
  const ofLines = /\n/.test(got + wanted) ? inLines(got.split('\n'), wanted.split('\n')) : null;
  if (ofLines) return ofLines;
  const { got: mine, wanted: asked, before } = piecesOf(got, wanted);
  if (mine.length > PIECE_MAX || asked.length > PIECE_MAX || (before === '' && mine === got)) return null;
  if (mine === '') return told(`${named(asked)} is missing.`, 'All the rest is right.');
  if (asked === '') return told(`${named(mine)} is too much.`, 'All the rest is right.');
  return told(
    `Where ${quoted(asked)} is asked for, ${quoted(mine)} came.`,
    'All the rest is right. Look at where this piece comes from.',
  );
}

export function tellDifference(got: string, wanted: string): Told | null {
  if (got.includes('[object Object]') && !wanted.includes('[object Object]')) {
    return told(
      'An object was put into a text.',
      'It shows as [object Object]. Name the part of it that you want, such as user.name.',
    );
  }
  const [a, b] = [read(got.trim()), read(wanted.trim())];
  if (Array.isArray(a) && Array.isArray(b)) return ofLists(a, b);
  if (isObject(a) && isObject(b)) return ofObjects(a, b);
  if (typeof a === 'number' && typeof b === 'number') return ofNumbers(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') {
    return told(
      `It says ${a ? 'yes (true)' : 'no (false)'} where ${b ? 'yes (true)' : 'no (false)'} is right.`,
      'Look at where this is decided.',
    );
  }
  return a === undefined || b === undefined ? ofTexts(got.trimEnd(), wanted.trimEnd()) : null;
}

/** Of a hidden test no more is shown. */
export function kindOfValue(got: string | null): string {
  if (got === null || got.trim() === '') return 'nothing';
  const value = read(got.trim());
  if (/^(?:undefined|NaN|null|None)$/.test(got.trim())) return got.trim();
  if (typeof value === 'number') return 'a number';
  if (typeof value === 'boolean') return 'true or false';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isObject(value)) return 'an object';
  return 'a text';
}
