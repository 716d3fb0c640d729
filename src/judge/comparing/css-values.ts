import { type CssNode, type List, parse as parseCss } from 'css-tree';
import { converter, parse as parseColor } from 'culori';

/** One spelling for each CSS value: notations of colours, units, defaults of shorthands (decision 48). */

const toRgb = converter('rgb');
const COLOR_FUNCTIONS = new Set([
  'rgb',
  'rgba',
  'hsl',
  'hsla',
  'hwb',
  'lab',
  'lch',
  'oklab',
  'oklch',
  'color',
]);
const MAY_BE_COLORED =
  /color|^(?:background|border|outline|column-rule|box-shadow|text-shadow|text-decoration|text-emphasis|fill|stroke|filter|backdrop-filter|list-style|mask)|^--/;
const HAS_OWN_WORDS =
  /^(?:--|font-family$|font$|animation|grid|counter|will-change$|view-transition|container)/;

const IS_FONT = /^font(?:-family)?$/;
const NEEDS_QUOTES =
  /,|^\s*(?:(?:ui-)?(?:sans-)?serif|(?:ui-)?monospace|ui-rounded|cursive|fantasy|system-ui|math|emoji|fangsong)\s*$/i;

const TO_PX: Record<string, number> = {
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
};
const TO_DEGREES: Record<string, number> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };
const TO_SECONDS: Record<string, number> = { s: 1, ms: 0.001 };
const PLACES = { left: '0%', top: '0%', center: '50%', right: '100%', bottom: '100%' } as const;

/** A learner's page gives them: one must not keep the judge busy. */
const LONGEST_VALUE = 2_000;

const PAGE_ADDRESS = 'https://lesson.invalid/';

function number(value: number): string {
  const rounded = Math.round(value * 1_000) / 1_000;
  return String(Object.is(rounded, -0) ? 0 : rounded);
}

function color(text: string): string | null {
  const parsed = toRgb(parseColor(text));
  if (!parsed) return null;
  const channels = [parsed.r, parsed.g, parsed.b].map((channel) =>
    Math.round(Math.min(1, Math.max(0, channel || 0)) * 255),
  );
  const alpha = Math.min(1, Math.max(0, parsed.alpha ?? 1));
  return `rgb(${channels.join(' ')}${alpha === 1 ? '' : ` / ${number(Math.round(alpha * 100) / 100)}`})`;
}

function dimension(value: string, unit: string): string {
  const amount = Number(value);
  const lower = unit.toLowerCase();
  for (const [units, base] of [
    [TO_PX, 'px'],
    [TO_DEGREES, 'deg'],
    [TO_SECONDS, 's'],
  ] as const) {
    const factor = units[lower];
    if (factor !== undefined) return amount === 0 ? '0' : `${number(amount * factor)}${base}`;
  }
  if (lower === 'fr' || lower === 'dppx' || lower === 'x') return `${number(amount)}${lower}`;
  return amount === 0 ? '0' : `${number(amount)}${lower}`;
}

type Parts = string[][][];

class Writer {
  readonly #property: string;
  readonly #source: string;

  constructor(property: string, source: string) {
    this.#property = property;
    this.#source = source;
  }

  parts(nodes: Iterable<CssNode>): Parts {
    const parts: Parts = [[[]]];
    for (const node of nodes) {
      if (node.type === 'Operator' && node.value.trim() === ',') parts.push([[]]);
      else if (node.type === 'Operator' && node.value.trim() === '/') parts.at(-1)!.push([]);
      else if (node.type !== 'WhiteSpace') parts.at(-1)!.at(-1)!.push(this.#write(node));
    }
    return parts;
  }

  #write(node: CssNode): string {
    switch (node.type) {
      case 'Identifier':
        return this.#word(node.name);
      case 'Hash':
        return color(`#${node.value}`) ?? `#${node.value}`;
      case 'Number':
        return number(Number(node.value));
      case 'Percentage':
        return this.#property === 'opacity'
          ? number(Number(node.value) / 100)
          : `${number(Number(node.value))}%`;
      case 'Dimension':
        return dimension(node.value, node.unit);
      case 'String':
        return IS_FONT.test(this.#property) && !NEEDS_QUOTES.test(node.value)
          ? node.value.toLowerCase()
          : JSON.stringify(node.value);
      case 'Url':
        return `url(${node.value.startsWith(PAGE_ADDRESS) ? node.value.slice(PAGE_ADDRESS.length) : node.value})`;
      case 'Function':
        return this.#function(node.name, node.children);
      case 'Parentheses':
        return `(${write(this.parts(node.children))})`;
      case 'Brackets':
        return `[${write(this.parts(node.children))}]`;
      case 'Operator':
        return node.value.trim();
      default:
        return node.loc ? this.#source.slice(node.loc.start.offset, node.loc.end.offset).trim() : '';
    }
  }

  #word(name: string): string {
    const lower = name.toLowerCase();
    if (lower === 'transparent') return 'rgb(0 0 0 / 0)';
    if (this.#property === 'font-weight' || this.#property === 'font') {
      if (lower === 'bold') return '700';
      if (lower === 'normal' && this.#property === 'font-weight') return '400';
    }
    if (MAY_BE_COLORED.test(this.#property)) {
      const named = color(lower);
      if (named) return named;
    }
    if (IS_FONT.test(this.#property)) return lower;
    return HAS_OWN_WORDS.test(this.#property) ? name : lower;
  }

  #function(name: string, children: List<CssNode>): string {
    const lower = name.toLowerCase();
    const parts = this.parts(children);
    const written = `${lower}(${write(parts)})`;
    if (COLOR_FUNCTIONS.has(lower)) {
      const { start, end } = {
        start: children.first?.loc?.start.offset,
        end: children.last?.loc?.end.offset,
      };
      const source = start === undefined || end === undefined ? '' : this.#source.slice(start, end);
      return color(`${lower}(${source})`) ?? written;
    }
    if (lower === 'repeat') return repeated(parts) ?? written;
    return written;
  }
}

function write(parts: Parts): string {
  return parts.map((list) => list.map((words) => words.join(' ')).join(' / ')).join(', ');
}

function repeated(parts: Parts): string | null {
  const count = Number(parts[0]?.[0]?.[0]);
  if (parts.length !== 2 || !Number.isInteger(count) || count < 1 || count > 50) return null;
  const once = write([parts[1]!]);
  // One inside another multiplies.
  if (once.length * count > LONGEST_VALUE) return null;
  return Array.from({ length: count }, () => once).join(' ');
}

function collapseSides(words: string[]): string[] {
  const [top, right = top, bottom = top, left = right] = words as [string, string?, string?, string?];
  if (left !== right) return [top, right, bottom, left] as string[];
  if (bottom !== top) return [top, right, bottom] as string[];
  return right === top ? [top] : ([top, right] as string[]);
}

const SIDES =
  /^(?:margin|padding|inset|border-(?:width|style|color|radius)|scroll-(?:margin|padding)|border-image-(?:width|outset))$/;
const PAIRS =
  /^(?:gap|grid-gap|overflow|overscroll-behavior|place-(?:items|content|self)|(?:margin|padding|inset|border)-(?:inline|block)(?:-width|-style|-color)?|border-(?:top|bottom)-(?:left|right)-radius|border-spacing)$/;
const LINES = /^(?:border(?:-(?:top|right|bottom|left|inline|block)(?:-start|-end)?)?|outline|column-rule)$/;
const LINE_STYLES = /^(?:none|hidden|dotted|dashed|solid|double|groove|ridge|inset|outset|auto)$/;
const IS_COLOR = /^(?:rgb\(|color\(|currentcolor$)/;
const IS_LENGTH = /^(?:[-+]?[\d.]|thin$|medium$|thick$|calc\()/;
const IS_TIME = /^(?:[-+]?[\d.]+s|0)$/;

function line(words: string[]): string[] {
  const style = words.find((word) => LINE_STYLES.test(word)) ?? 'none';
  const width = words.find((word) => IS_LENGTH.test(word)) ?? 'medium';
  if (style === 'none' || style === 'hidden' || width === '0') return ['none'];
  const paint = words.find((word) => IS_COLOR.test(word)) ?? 'currentcolor';
  return [{ medium: '3px', thin: '1px', thick: '5px' }[width] ?? width, style, paint];
}

function flex(words: string[]): string[] {
  const text = words.join(' ');
  if (text === 'none') return ['0', '0', 'auto'];
  if (text === 'auto') return ['1', '1', 'auto'];
  if (text === 'initial') return ['0', '1', 'auto'];
  const factors = words.filter((word) => /^[\d.]+$/.test(word));
  const basis = words.find((word) => !/^[\d.]+$/.test(word)) ?? (factors.length > 2 ? factors.pop()! : '0');
  return [factors[0] ?? '1', factors[1] ?? '1', basis === '0%' ? '0' : basis];
}

function shadow(words: string[], lengths: number): string[] {
  if (words.join() === 'none') return words;
  const sizes = words.filter((word) => IS_LENGTH.test(word));
  while (sizes.length < lengths) sizes.push('0');
  const paint = words.find((word) => IS_COLOR.test(word)) ?? 'currentcolor';
  return [paint, ...sizes, ...words.filter((word) => word === 'inset')];
}

function without(words: string[], defaults: RegExp, empty: string): string[] {
  const kept = words.filter((word) => !defaults.test(word));
  return kept.length > 0 ? kept : [empty];
}

function timed(words: string[], defaults: RegExp): string[] {
  const times = words.filter((word) => IS_TIME.test(word));
  while (times.at(-1) === '0') times.pop();
  const others = words.filter((word) => !IS_TIME.test(word) && !defaults.test(word)).sort();
  const all = [...others, ...times];
  return all.length > 0 ? all : ['none'];
}

function transition(words: string[]): string[] {
  const duration = words.find((word) => IS_TIME.test(word)) ?? '0';
  return duration === '0' || words.includes('none') ? ['none'] : timed(words, /^(?:all|ease|normal)$/);
}

function place(words: string[]): string[] {
  const swapped = /^(?:top|bottom)$/.test(words[0] ?? '') || /^(?:left|right)$/.test(words[1] ?? '');
  const ordered = swapped && words.length === 2 ? [words[1]!, words[0]!] : words;
  if (words.length > 2) return words;
  const [x = 'center', y = 'center'] = words.length === 1 && swapped ? ['center', words[0]!] : ordered;
  const placed = (word: string) => (word === '0' ? '0%' : ((PLACES as Record<string, string>)[word] ?? word));
  return [placed(x), placed(y)];
}

function shortest(property: string, words: string[]): string[] {
  if (SIDES.test(property)) return collapseSides(words);
  if (PAIRS.test(property)) return words.length === 2 && words[0] === words[1] ? [words[0]!] : words;
  if (LINES.test(property)) return line(words);
  if (property === 'flex') return flex(words);
  if (property === 'flex-flow') return without(words, /^(?:row|nowrap)$/, 'row');
  if (property === 'box-shadow') return shadow(words, 4);
  if (property === 'text-shadow') return shadow(words, 3);
  if (property === 'transition') return transition(words);
  if (property === 'animation') return timed(words, /^(?:ease|normal|none|running|1|auto)$/);
  if (/^(?:background-position|object-position|perspective-origin|transform-origin)$/.test(property))
    return place(words);
  if (property === 'text-decoration') {
    return without(words, words.length > 1 ? /^(?:solid|auto|rgb\(0 0 0\)|currentcolor)$/ : /^$/, 'none');
  }
  if (property === 'list-style') return without(words, /^(?:outside|disc)$/, 'disc').slice(0, 3);
  return words;
}

function gridPlace(ends: string[][]): string[][] {
  if (ends.length !== 2) return ends;
  const [start, end] = ends.map((words) => words.join(' ')) as [string, string];
  const isOpen = (text: string) => text === 'auto' || text.startsWith('span ');
  if (start === 'auto' && isOpen(end)) return [ends[1]!];
  return isOpen(start) && isOpen(end) ? [ends[0]!] : ends;
}

const BACKGROUND_DEFAULTS = /^(?:none|repeat|scroll|padding-box|border-box|rgb\(0 0 0 \/ 0\))$/;

/** A computed one names its colour, even a transparent one, and its place in percentages. */
function background([words = [], afterSlash = []]: string[][]): string[][] {
  const isPlace = (word: string) => word in PLACES || /^(?:[-+]?[\d.]|calc\()/.test(word);
  const isSize = (word: string) => isPlace(word) || /^(?:auto|cover|contain)$/.test(word);
  const sizes = afterSlash.filter(isSize);
  const isSized = sizes.some((word) => word !== 'auto');
  const given = words.filter(isPlace);
  const placed = given.length > 0 ? place(given) : [];
  const position = placed.join(' ') === '0% 0%' && !isSized ? [] : placed;
  const others = [...words.filter((word) => !isPlace(word)), ...afterSlash.filter((word) => !isSize(word))];
  const all = [...others.filter((word) => !BACKGROUND_DEFAULTS.test(word)).sort(), ...position];
  if (isSized) return [all, sizes];
  return [all.length > 0 ? all : ['none']];
}

export function normalizeCss(property: string, value: string): string {
  const name = property
    .trim()
    .toLowerCase()
    .replace(/^-(?:webkit|moz|ms|o)-/, '');
  const spaced = value.replace(/\s+/g, ' ').trim();
  // A search for the end of so long a text could start at each of its characters.
  if (spaced.length > LONGEST_VALUE) return spaced;
  const text = spaced.replace(/[ ;]+$/, '');
  // A text alone may be written without its quotes, and an empty one is what a test calls empty.
  const quoted = name === 'content' ? /^(["'])((?:(?!\1)[^\\])*)\1$/.exec(text) : null;
  if (quoted) return quoted[2]!;
  if (text === '') return text;
  try {
    let failed = false;
    const ast = parseCss(text, {
      context: 'value',
      positions: true,
      onParseError() {
        failed = true;
      },
    });
    if (failed || ast.type !== 'Value') return text;
    const parts = new Writer(name, text).parts(ast.children);
    if (name === 'background') return write(parts.map(background));
    if (name === 'grid-column' || name === 'grid-row') return write(parts.map(gridPlace));
    return write(parts.map((list) => list.map((words) => shortest(name, words))));
  } catch {
    // Nested beyond what a parser follows.
    return text;
  }
}
