import { kept } from './intrinsics.ts';

/** As Node's console, without hidden properties, proxies seen through and custom inspection. */

interface Options {
  depth: number;
  items: number;
  characters: number;
  oneLine: boolean;
  places: number;
}

const CONSOLE: Options = { depth: 2, items: 100, characters: 10_000, oneLine: false, places: Infinity };
const WHOLE: Options = {
  depth: 100,
  items: Infinity,
  characters: Infinity,
  oneLine: true,
  places: Infinity,
};
const SHORT: Options = { depth: 1, items: 20, characters: 80, oneLine: true, places: 1_000 };

const closed = new kept.WeakSet<object>();

export function keepClosed(object: object): void {
  kept.weakAdd(closed, object);
}

const LINE_LENGTH = 80;
const LEVELS_ON_A_LINE = 3;
const MOST_COLUMNS = 15;
const SHORT_KEY = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
interface Walk {
  options: Options;
  seen: object[];
  cycles: object[];
  indentation: number;
  deepest: number;
}

export function show(value: unknown, depth = CONSOLE.depth): string {
  return begin(value, { ...CONSOLE, depth });
}

export function showWhole(value: unknown): string {
  return begin(value, WHOLE);
}

/** At most 80 characters. */
export function showShort(value: unknown): string {
  const text = begin(value, SHORT);
  return text.length > LINE_LENGTH ? `${kept.sliceText(text, 0, LINE_LENGTH - 1)}…` : text;
}

function begin(value: unknown, options: Options): string {
  return format({ options, seen: [], cycles: [], indentation: 0, deepest: 0 }, value, 0);
}

function number(value: number): string {
  return value === 0 && 1 / value < 0 ? '-0' : `${value}`;
}

const NAMED_ESCAPES: Record<string, string> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '\\': '\\\\',
};

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = kept.codeAt(text, at);
    if (code < 0x20 || code === 0x27 || code === 0x5c || (code >= 0x7f && code <= 0x9f)) return false;
    if (code >= 0xd800 && code <= 0xdfff) return false;
  }
  return true;
}

function quote(text: string): string {
  if (isPlain(text)) return `'${text}'`;
  let mark = "'";
  if (kept.indexOfText(text, "'") >= 0) {
    if (kept.indexOfText(text, '"') < 0) mark = '"';
    else if (kept.indexOfText(text, '`') < 0 && kept.indexOfText(text, '${') < 0) mark = '`';
  }
  let result = mark;
  for (let at = 0; at < text.length; at += 1) {
    const character = kept.sliceText(text, at, at + 1);
    const code = kept.codeAt(text, at);
    const isPair =
      code >= 0xd800 &&
      code < 0xdc00 &&
      at + 1 < text.length &&
      (kept.codeAt(text, at + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      result += kept.sliceText(text, at, at + 2);
      at += 1;
    } else if (character === mark) result += `\\${mark}`;
    else if (kept.hasOwn(NAMED_ESCAPES, character)) result += NAMED_ESCAPES[character];
    else if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) {
      result += `\\x${kept.upper(kept.padStart(kept.hex(code), 2, '0'))}`;
    } else if (code >= 0xd800 && code <= 0xdfff) result += `\\u${kept.upper(kept.hex(code))}`;
    else result += character;
  }
  return result + mark;
}

function more(count: number, what: string): string {
  return `... ${count} more ${what}${count > 1 ? 's' : ''}`;
}

function text(walk: Walk, whole: string): string {
  const { characters, oneLine } = walk.options;
  const rest = whole.length - characters;
  const value = rest > 0 ? kept.sliceText(whole, 0, characters) : whole;
  const ending = rest > 0 ? more(rest, 'character') : '';
  const isLong = !oneLine && value.length > 16 && value.length > LINE_LENGTH - walk.indentation - 4;
  if (!isLong || kept.indexOfText(value, '\n') < 0) return quote(value) + ending;
  let lines = '';
  let from = 0;
  while (from < value.length) {
    const end = kept.indexOfText(value, '\n', from);
    const next = end < 0 ? value.length : end + 1;
    if (lines) lines += ` +\n${kept.repeatText(' ', walk.indentation + 2)}`;
    lines += quote(kept.sliceText(value, from, next));
    from = next;
  }
  return lines + ending;
}

function primitive(walk: Walk, value: unknown): string | null {
  if (typeof value === 'string') return text(walk, value);
  if (typeof value === 'number') return number(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return kept.symbolText(value);
  if (value === null || typeof value === 'boolean' || value === undefined) return `${value}`;
  return null;
}

function format(walk: Walk, value: unknown, level: number): string {
  const simple = primitive(walk, value);
  if (simple !== null) return simple;
  const object = value as object;
  if (walk.options === SHORT && kept.weakHas(closed, object)) return 'a Proxy';
  if (indexIn(walk.seen, object) >= 0) {
    if (indexIn(walk.cycles, object) < 0) add(walk.cycles, object);
    return `[Circular *${indexIn(walk.cycles, object) + 1}]`;
  }
  return formatObject(walk, object, level);
}

/** By index: a program may have changed methods. */
function add<T>(list: T[], item: T): void {
  list[list.length] = item;
}

function indexIn(list: readonly unknown[], item: unknown): number {
  for (let index = 0; index < list.length; index += 1) if (list[index] === item) return index;
  return -1;
}

/** Null for objects without any prototype. */
function className(object: object): string | null {
  const first = kept.getPrototypeOf(object) as object | null;
  for (let at: object | null = object; at !== null; at = kept.getPrototypeOf(at) as object | null) {
    const maker = kept.descriptor(at, 'constructor')?.value as unknown;
    if (typeof maker !== 'function' || typeof maker.name !== 'string' || maker.name === '') continue;
    const isMade = kept.hasInPrototypes(object, (maker as { prototype?: unknown }).prototype);
    if (isMade) return maker.name;
  }
  return first === null
    ? null
    : `${'Object'} <${className(first) === null ? '[Object: null prototype] {}' : 'Complex prototype'}>`;
}

function tagOf(object: object): string {
  const tag = (object as { [Symbol.toStringTag]?: unknown })[kept.toStringTag];
  return typeof tag === 'string' && tag !== '' && !kept.descriptor(object, kept.toStringTag)?.enumerable
    ? tag
    : '';
}

function prefix(name: string | null, tag: string, fallback: string, size = ''): string {
  if (name === null) {
    const suffix = tag !== '' && tag !== fallback ? `[${tag}] ` : '';
    return `[${fallback}${size}: null prototype] ${suffix}`;
  }
  return tag !== '' && tag !== name ? `${name}${size} [${tag}] ` : `${name}${size} `;
}

function keysOf(object: object, isList: boolean): PropertyKey[] {
  const keys: PropertyKey[] = [];
  const names = kept.keys(object);
  let from = 0;
  // Elements come first among the names.
  if (isList) while (from < names.length && isIndex(names[from]!)) from += 1;
  for (; from < names.length; from += 1) add(keys, names[from]!);
  const symbols = kept.symbols(object);
  for (let index = 0; index < symbols.length; index += 1) {
    if (kept.descriptor(object, symbols[index]!)?.enumerable) add(keys, symbols[index]!);
  }
  return keys;
}

function isIndex(name: string): boolean {
  const index = +name;
  return index >= 0 && index < 4_294_967_295 && index % 1 === 0 && `${index}` === name;
}

interface Form {
  base: string;
  open: string;
  close: string;
  isList: boolean;
  keys: PropertyKey[];
  contents: ((level: number) => string[]) | null;
  empty: string;
}

function formOf(walk: Walk, object: object): Form {
  const name = className(object);
  const tag = tagOf(object);
  if (kept.isArray(object)) {
    const isPlain = name === 'Array' && tag === '';
    const open = `${isPlain ? '' : prefix(name, tag, 'Array', `(${object.length})`)}[`;
    const keys = object.length > walk.options.places ? [] : keysOf(object, true);
    const contents = object.length > 0 ? (level: number) => elements(walk, object, level) : null;
    return { base: '', open, close: ']', isList: true, keys, contents, empty: `${open}]` };
  }
  const form = { base: '', close: '}', isList: false, keys: keysOf(object, object instanceof kept.String) };
  if (object instanceof kept.Set) {
    const size = kept.setSize(object);
    const start = prefix(name, tag, 'Set', `(${size})`);
    const contents = size > 0 ? (level: number) => members(walk, object, level) : null;
    return { ...form, open: `${start}{`, contents, empty: `${start}{}` };
  }
  if (object instanceof kept.Map) {
    const size = kept.mapSize(object);
    const start = prefix(name, tag, 'Map', `(${size})`);
    const contents = size > 0 ? (level: number) => entries(walk, object, level) : null;
    return { ...form, open: `${start}{`, contents, empty: `${start}{}` };
  }
  if (object instanceof kept.typedArray) {
    const list = object as unknown as { length: number; [index: number]: number | bigint };
    const open = `${prefix(name, tag, 'TypedArray', `(${list.length})`)}[`;
    const contents = list.length > 0 ? () => numbers(walk, list) : null;
    return {
      ...form,
      open,
      close: ']',
      isList: true,
      keys: list.length > walk.options.places ? [] : keysOf(object, true),
      contents,
      empty: `${open}]`,
    };
  }
  const based = baseOf(walk, object, name, tag);
  if (based !== null) return { ...form, base: based, open: '{', contents: null, empty: based };
  if (object instanceof kept.Promise) {
    // What a promise has become cannot be seen from inside the language.
    const start = `${prefix(name, tag, 'Promise')}{`;
    return { ...form, open: start, contents: () => ['<pending>'], empty: '' };
  }
  if (object instanceof kept.WeakSet || object instanceof kept.WeakMap) {
    const start = `${prefix(name, tag, 'WeakMap')}{`;
    return { ...form, open: start, contents: () => ['<items unknown>'], empty: '' };
  }
  if (name === 'Object' && tag === '') {
    const start = kept.classText(object) === '[object Arguments]' ? '[Arguments] ' : '';
    return { ...form, open: `${start}{`, contents: null, empty: `${start}{}` };
  }
  const start = prefix(name, tag, 'Object');
  return { ...form, open: `${start}{`, contents: null, empty: `${start}{}` };
}

function baseOf(walk: Walk, object: object, name: string | null, tag: string): string | null {
  if (typeof object === 'function') return functionBase(object as () => unknown, name, tag);
  const named = (plain: string, kind: string) => {
    const start = prefix(name, tag, kind);
    return start === `${kind} ` ? plain : `${start}${plain}`;
  };
  if (object instanceof kept.RegExp) return named(kept.regExpText(object), 'RegExp');
  if (object instanceof kept.Date) {
    const time = kept.dateTime(object);
    return named(kept.isFinite(time) ? kept.dateText(object) : 'Invalid Date', 'Date');
  }
  if (object instanceof kept.Error) return errorBase(walk, object);
  for (const [Box, kind, read] of kept.boxes) {
    if (!(object instanceof Box)) continue;
    const inner = { ...walk, indentation: 0 };
    return `[${kind}${name === kind ? '' : ` (${name})`}: ${format(inner, read(object), 0)}]`;
  }
  return null;
}

function functionBase(callable: { name: unknown }, name: string | null, tag: string): string {
  const source = kept.functionText(callable);
  const own = kept.descriptor(callable, 'name')?.value as unknown;
  const ownName = typeof own === 'string' ? own : '';
  if (kept.test(/^class[\s{]/, source)) {
    const parent = kept.getPrototypeOf(callable) as { name?: unknown } | null;
    const parentName = parent && typeof parent.name === 'string' ? parent.name : '';
    const meta = name !== 'Function' && name !== null ? ` [${name}]` : '';
    const from = name === null ? ' extends null' : parentName && ` extends ${parentName}`;
    return `[class ${ownName || '(anonymous)'}${meta}${from}]`;
  }
  const kind = kept.sliceText(kept.classText(callable), 8, -1);
  let base = `[${kind}${name === null ? ' (null prototype)' : ''}${ownName ? `: ${ownName}` : ' (anonymous)'}]`;
  if (name !== null && name !== kind) base += ` ${name}`;
  if (tag !== '' && tag !== name) base += ` [${tag}]`;
  return base;
}

function errorBase(walk: Walk, error: Error): string {
  const stack = error.stack as unknown;
  const full = typeof stack === 'string' && stack !== '' ? stack : kept.errorText(error);
  if (kept.indexOfText(full, '\n    at') < 0) return `[${full}]`;
  if (walk.indentation === 0) return full;
  const start = kept.repeatText(' ', walk.indentation);
  let indented = '';
  let from = 0;
  for (let end = kept.indexOfText(full, '\n'); end >= 0; end = kept.indexOfText(full, '\n', from)) {
    indented += kept.sliceText(full, from, end + 1) + start;
    from = end + 1;
  }
  return indented + kept.sliceText(full, from);
}

function elements(walk: Walk, list: unknown[], level: number): string[] {
  const shown: string[] = [];
  const most = walk.options.items;
  const end = kept.min(list.length, walk.options.places);
  let index = 0;
  while (index < end && shown.length < most) {
    if (kept.hasOwn(list, index)) {
      add(shown, property(walk, list, index, level, true));
      index += 1;
      continue;
    }
    const from = index;
    while (index < end && !kept.hasOwn(list, index)) index += 1;
    add(shown, `<${index - from} empty item${index - from > 1 ? 's' : ''}>`);
  }
  if (index < list.length) add(shown, more(list.length - index, 'item'));
  return shown;
}

function numbers(walk: Walk, list: { length: number; [index: number]: number | bigint }): string[] {
  const shown: string[] = [];
  const most = kept.min(list.length, walk.options.items);
  for (let index = 0; index < most; index += 1) {
    const item = list[index]!;
    add(shown, typeof item === 'number' ? number(item) : `${item}n`);
  }
  if (most < list.length) add(shown, more(list.length - most, 'item'));
  return shown;
}

function members(walk: Walk, set: Set<unknown>, level: number): string[] {
  const shown: string[] = [];
  let count = 0;
  walk.indentation += 2;
  kept.setForEach(set, (item) => {
    count += 1;
    if (count <= walk.options.items) add(shown, format(walk, item, level));
  });
  walk.indentation -= 2;
  if (count > walk.options.items) add(shown, more(count - walk.options.items, 'item'));
  return shown;
}

function entries(walk: Walk, map: Map<unknown, unknown>, level: number): string[] {
  const shown: string[] = [];
  let count = 0;
  walk.indentation += 2;
  kept.mapForEach(map, (item, key) => {
    count += 1;
    if (count <= walk.options.items) {
      add(shown, `${format(walk, key, level)} => ${format(walk, item, level)}`);
    }
  });
  walk.indentation -= 2;
  if (count > walk.options.items) add(shown, more(count - walk.options.items, 'item'));
  return shown;
}

function property(walk: Walk, object: object, key: PropertyKey, level: number, isElement: boolean): string {
  const found = kept.descriptor(object, key);
  let shown: string;
  if (found?.get) shown = found.set ? '[Getter/Setter]' : '[Getter]';
  else if (found?.set) shown = '[Setter]';
  else {
    walk.indentation += 2;
    const value = found ? (found.value as unknown) : (object as Record<PropertyKey, unknown>)[key];
    shown = format(walk, value, level);
    walk.indentation -= 2;
  }
  if (isElement) return shown;
  if (typeof key === 'symbol') return `${kept.symbolText(key)}: ${shown}`;
  const name = `${key as string}`;
  if (name === '__proto__') return `['__proto__']: ${shown}`;
  return `${kept.test(SHORT_KEY, name) ? name : quote(name)}: ${shown}`;
}

function formatObject(walk: Walk, object: object, level: number): string {
  const form = formOf(walk, object);
  const { keys, contents, isList } = form;
  let { base } = form;
  if (object instanceof kept.Error) dropShownKeys(object, base, keys);
  if (!contents && keys.length === 0) return form.empty;
  if (level > walk.options.depth) {
    const name = className(object);
    const known = isList && kept.isArray(object) ? (name ?? 'Array') : name;
    if (object instanceof kept.RegExp) return base;
    return known === null
      ? '[Object: null prototype]'
      : `[${known}${tagOf(object) && tagOf(object) !== known ? ` [${tagOf(object)}]` : ''}]`;
  }
  const inner = level + 1;
  add(walk.seen, object);
  walk.deepest = inner;
  const parts = contents ? contents(inner) : [];
  for (let index = 0; index < keys.length; index += 1) {
    add(parts, property(walk, object, keys[index]!, inner, false));
  }
  walk.seen.length -= 1;
  const cycle = indexIn(walk.cycles, object);
  if (cycle >= 0) base = `<ref *${cycle + 1}>${base ? ` ${base}` : ''}`;
  return arrange(walk, parts, base, form, inner, object);
}

function dropShownKeys(error: Error, base: string, keys: PropertyKey[]): void {
  let length = 0;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index]!;
    const isOwn = key === 'name' || key === 'message' || key === 'stack';
    const isShown =
      isOwn && kept.indexOfText(base, `${(error as unknown as Record<PropertyKey, unknown>)[key]}`) >= 0;
    if (isShown) continue;
    keys[length] = key;
    length += 1;
  }
  keys.length = length;
}

function arrange(walk: Walk, all: string[], base: string, form: Form, level: number, object: object): string {
  const { open, close, isList } = form;
  const start = base ? `${base} ` : '';
  if (walk.options.oneLine) return `${start}${open} ${joined(all, ', ')} ${close}`;
  const parts = isList && all.length > 6 ? columns(walk, all, object) : all;
  if (walk.deepest - level < LEVELS_ON_A_LINE && parts.length === all.length) {
    let length = 2 * parts.length + walk.indentation + open.length + base.length + 10;
    for (let index = 0; index < parts.length; index += 1) length += parts[index]!.length;
    const fits = length <= LINE_LENGTH && kept.indexOfText(base, '\n') < 0;
    const line = fits ? joined(parts, ', ') : '';
    if (fits && kept.indexOfText(line, '\n') < 0) return `${start}${open} ${line} ${close}`;
  }
  const margin = `\n${kept.repeatText(' ', walk.indentation)}`;
  return `${start}${open}${margin}  ${joined(parts, `,${margin}  `)}${margin}${close}`;
}

function joined(parts: string[], separator: string): string {
  let result = '';
  for (let index = 0; index < parts.length; index += 1) result += (index > 0 ? separator : '') + parts[index];
  return result;
}

function columns(walk: Walk, parts: string[], object: object): string[] {
  const { items } = walk.options;
  const count = items < parts.length ? parts.length - 1 : parts.length;
  let total = 0;
  let longest = 0;
  for (let index = 0; index < count; index += 1) {
    const { length } = parts[index]!;
    total += length + 2;
    if (length > longest) longest = length;
  }
  const width = longest + 2;
  if (width * 3 + walk.indentation >= LINE_LENGTH) return parts;
  if (total / width <= 5 && longest > 6) return parts;
  // About a square, when a character is two and a half times as high as wide.
  const bias = kept.sqrt(width - total / parts.length) + 3;
  const narrowed = kept.max(width - bias, 1);
  let number = kept.round(kept.sqrt(2.5 * narrowed * count) / narrowed);
  const fitting = kept.floor((LINE_LENGTH - walk.indentation) / width);
  for (const limit of [fitting, LEVELS_ON_A_LINE * 4, MOST_COLUMNS]) if (limit < number) number = limit;
  if (number <= 1) return parts;
  const widths: number[] = [];
  for (let column = 0; column < number; column += 1) {
    let widest = 0;
    for (let index = column; index < count; index += number) {
      if (parts[index]!.length > widest) widest = parts[index]!.length;
    }
    add(widths, widest + 2);
  }
  let isNumeric = true;
  for (let index = 0; index < parts.length && isNumeric; index += 1) {
    const kind = typeof (object as Record<number, unknown>)[index];
    isNumeric = kind === 'number' || kind === 'bigint';
  }
  const lines: string[] = [];
  for (let from = 0; from < count; from += number) {
    const end = kept.min(from + number, count);
    let line = '';
    for (let index = from; index < end; index += 1) {
      const isLast = index === end - 1;
      const part = isLast ? parts[index]! : `${parts[index]}, `;
      const wide = widths[index - from]! - (isLast ? 2 : 0);
      if (isNumeric) line += kept.padStart(part, wide, ' ');
      else line += isLast ? part : kept.padEnd(part, wide, ' ');
    }
    add(lines, line);
  }
  if (count < parts.length) add(lines, parts[count]!);
  return lines;
}

/** `%` formats of a first text, then the rest, parted by blanks. */
export function showAll(values: unknown[]): string {
  const [first] = values;
  let result = '';
  let next = 0;
  if (typeof first === 'string') {
    next = 1;
    result = values.length > 1 && kept.indexOfText(first, '%') >= 0 ? '' : first;
    if (result !== first) [result, next] = filled(first, values);
  }
  for (; next < values.length; next += 1) {
    const value = values[next];
    if (next > 0) result += ' ';
    result += typeof value === 'string' ? value : show(value);
  }
  return result;
}

function filled(format: string, values: unknown[]): [string, number] {
  let result = '';
  let next = 1;
  let from = 0;
  for (let at = kept.indexOfText(format, '%'); at >= 0; at = kept.indexOfText(format, '%', from)) {
    const kind = kept.sliceText(format, at + 1, at + 2);
    result += kept.sliceText(format, from, at);
    from = at + 2;
    if (kind === '%') result += '%';
    else if (next < values.length && kind !== '' && kept.indexOfText('sdifjoOc', kind) >= 0) {
      result += formatted(kind, values[next]);
      next += 1;
    } else {
      result += '%';
      from = at + 1;
    }
  }
  return [result + kept.sliceText(format, from), next];
}

function formatted(kind: string, value: unknown): string {
  if (kind === 'c') return '';
  if (kind === 'j') return kept.stringify(value) ?? 'undefined';
  if (kind === 'o') return show(value, 4);
  if (kind === 'O') return show(value);
  if (kind === 's') {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null || value instanceof kept.Error) {
      return typeof value === 'function' || value instanceof kept.Error ? `${value}` : show(value);
    }
    const own = (value as { toString?: unknown }).toString;
    const isOwn = typeof own === 'function' && kept.indexOfText(kept.functionText(own), '[native code]') < 0;
    return isOwn ? `${kept.apply(own, value, [])}` : show(value, 0);
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return 'NaN';
  if (kind === 'd')
    return typeof value === 'object' && value !== null ? number(+value) : number(+(value as number));
  return number(kind === 'i' ? kept.parseInt(value as string) : kept.parseFloat(value as string));
}
