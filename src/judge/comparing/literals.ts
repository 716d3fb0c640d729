import type { Language } from '#src/judge/protocol.ts';

export type Value =
  | { type: 'text'; text: string }
  | { type: 'number'; number: number | bigint; isWhole: boolean; source: string }
  | { type: 'boolean'; source: string }
  | { type: 'nothing'; source: string }
  | { type: 'list'; items: Value[] }
  /** Python's Counter, frozenset, named tuples and others have a name. */
  | { type: 'tuple' | 'set'; items: Value[]; name?: string }
  | { type: 'object'; entries: [Value, Value][]; name?: string }
  | { type: 'other'; source: string };

const MAX_DEPTH = 200;

const NUMBER = /-?(?:0|[1-9][\d_]*)?(?:\.\d*)?(?:[eE][-+]?\d+)?n?/y;
const WORD = /-?[A-Za-z_$][\w$]*(?:\(\))?/y;
const SPACE = /\s*/y;
const FIELD = /[A-Za-z_]\w*=/y;
const NAME = /[A-Za-z_]\w*/y;
const DICT: Value = { type: 'object', entries: [] };
const EMPTY: Record<string, Value> = {
  Counter: DICT,
  OrderedDict: DICT,
  defaultdict: DICT,
  frozenset: { type: 'set', items: [] },
};
/** The default of a defaultdict. */
const FACTORY = /<.*?>,|\w+,/y;
const ESCAPES: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  a: '\x07',
};

const word = (type: 'boolean' | 'nothing', source: string): Value => ({ type, source });
const float = (number: number, source: string): Value => ({ type: 'number', number, isWhole: false, source });
const SCRIPT_WORDS: Record<string, Value> = {
  true: word('boolean', 'true'),
  false: word('boolean', 'false'),
  null: word('nothing', 'null'),
  undefined: word('nothing', 'undefined'),
  NaN: float(Number.NaN, 'NaN'),
  Infinity: float(Number.POSITIVE_INFINITY, 'Infinity'),
  '-Infinity': float(Number.NEGATIVE_INFINITY, '-Infinity'),
};
const WORDS: Partial<Record<Language, Record<string, Value>>> = {
  javascript: SCRIPT_WORDS,
  typescript: SCRIPT_WORDS,
  python: {
    True: word('boolean', 'True'),
    False: word('boolean', 'False'),
    None: word('nothing', 'None'),
    nan: float(Number.NaN, 'nan'),
    inf: float(Number.POSITIVE_INFINITY, 'inf'),
    '-inf': float(Number.NEGATIVE_INFINITY, '-inf'),
    'set()': { type: 'set', items: [] },
  },
};

class NoLiteral extends Error {}

class Reader {
  private at = 0;
  private readonly text: string;
  private readonly words: Record<string, Value>;
  private readonly isPython: boolean;

  constructor(text: string, language: Language) {
    this.text = text;
    this.words = WORDS[language] ?? {};
    this.isPython = language === 'python';
  }

  whole(): Value {
    const value = this.value(0);
    this.match(SPACE);
    if (this.at < this.text.length) throw new NoLiteral();
    return value;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  private takes(sign: string): boolean {
    this.match(SPACE);
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  private value(depth: number): Value {
    if (depth > MAX_DEPTH) throw new NoLiteral();
    this.match(SPACE);
    const next = this.text[this.at] ?? '';
    if (next === '"' || next === "'") return { type: 'text', text: this.quoted(next) };
    if (this.takes('[')) return { type: 'list', items: this.items(']', depth).items };
    if (this.takes('{')) return this.braces(depth);
    if (this.isPython && this.takes('(')) return this.parenthesis(depth);
    const from = this.at;
    const name = this.match(WORD);
    if (Object.hasOwn(this.words, name)) return this.words[name]!;
    this.at = from;
    return (this.isPython && this.named(depth)) || this.number();
  }

  /** A value whose repr is a call: of a class of `collections`, or with the names of all its fields. */
  private named(depth: number): Value | null {
    const name = this.match(NAME);
    if (!name) return null;
    if (!this.takes('(')) throw new NoLiteral();
    const empty = Object.hasOwn(EMPTY, name) ? EMPTY[name]! : null;
    if (empty) {
      if (name === 'defaultdict') this.match(FACTORY);
      const value = this.takes(')') ? empty : this.value(depth + 1);
      if ((value !== empty && !this.takes(')')) || value.type !== empty.type) throw new NoLiteral();
      return { ...value, name } as Value;
    }
    const items: Value[] = [];
    let fields = '';
    do {
      this.match(SPACE);
      const field = this.match(FIELD);
      if (!field) throw new NoLiteral();
      fields += ` ${field}`;
      items.push(this.value(depth + 1));
    } while (this.takes(','));
    if (!this.takes(')')) throw new NoLiteral();
    return { type: 'tuple', items, name: name + fields };
  }

  private quoted(quote: string): string {
    let text = '';
    this.at += 1;
    for (;;) {
      const next = this.text[this.at];
      if (next === undefined || next === '\n') throw new NoLiteral();
      this.at += 1;
      if (next === quote) return text;
      text += next === '\\' ? this.escaped() : next;
    }
  }

  private escaped(): string {
    const kind = this.text[this.at] ?? '';
    this.at += 1;
    const digits = { x: 2, u: 4, U: 8 }[kind];
    if (digits === undefined) return ESCAPES[kind] ?? kind;
    const code = this.text.slice(this.at, this.at + digits);
    if (code.length < digits || !/^[\da-f]+$/i.test(code)) throw new NoLiteral();
    const number = Number.parseInt(code, 16);
    if (number > 0x10ffff) throw new NoLiteral();
    this.at += digits;
    return kind === 'U' ? String.fromCodePoint(number) : String.fromCharCode(number);
  }

  private items(end: string, depth: number): { items: Value[]; hasComma: boolean } {
    const items: Value[] = [];
    let hasComma = false;
    while (!this.takes(end)) {
      items.push(this.value(depth + 1));
      if (this.takes(',')) hasComma = true;
      else if (this.takes(end)) break;
      else throw new NoLiteral();
    }
    return { items, hasComma };
  }

  private parenthesis(depth: number): Value {
    const { items, hasComma } = this.items(')', depth);
    return items.length === 1 && !hasComma ? items[0]! : { type: 'tuple', items };
  }

  private key(depth: number): Value {
    this.match(SPACE);
    if (this.isPython || /["'\d-]/.test(this.text[this.at] ?? '')) return this.value(depth + 1);
    const name = this.match(WORD);
    if (!name) throw new NoLiteral();
    return { type: 'text', text: name };
  }

  private braces(depth: number): Value {
    const entries: [Value, Value][] = [];
    const members: Value[] = [];
    while (!this.takes('}')) {
      const key = this.key(depth);
      if (this.takes(':')) entries.push([key, this.value(depth + 1)]);
      else if (this.isPython) members.push(key);
      else throw new NoLiteral();
      if (this.takes(',')) continue;
      if (this.takes('}')) break;
      throw new NoLiteral();
    }
    if (members.length === 0) return { type: 'object', entries };
    if (entries.length > 0) throw new NoLiteral();
    return { type: 'set', items: members };
  }

  private number(): Value {
    const source = this.match(NUMBER);
    if (!/\d/.test(source) || /[\w.]/.test(this.text[this.at] ?? '')) throw new NoLiteral();
    const plain = source.replaceAll('_', '');
    if (plain.endsWith('n')) {
      if (this.isPython || !/^-?\d+n$/.test(plain)) throw new NoLiteral();
      // Its text is how it is shown, and no number is equal to it.
      return { type: 'other', source };
    }
    const isWhole = /^-?\d+$/.test(plain);
    const number = Number(plain);
    const isExact = !isWhole || Number.isSafeInteger(number);
    return { type: 'number', number: isExact ? number : BigInt(plain), isWhole, source };
  }
}

export function readLiteral(text: string, language: Language): Value | null {
  try {
    return new Reader(text, language).whole();
  } catch (error) {
    if (error instanceof NoLiteral) return null;
    throw error;
  }
}
