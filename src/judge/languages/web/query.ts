import { lexer } from 'css-tree';

export type Read =
  /** White space collapsed, a line for each block; of the first match. */
  | { what: 'text' }
  | { what: 'count' }
  | { what: 'html' }
  /** Attributes that are on or off give `true` or `false`. */
  | { what: 'attribute'; name: string }
  /** After the cascade; `of`: of its pseudo-element. */
  | { what: 'style'; name: string; of?: string };

export interface Query {
  /** Null in react: all that was rendered. */
  selector: string | null;
  read: Read;
  media: string | null;
  container?: string;
}

export type Step =
  | { act: 'click' | 'hover' | 'clear' | 'submit' | 'focus' | 'blur'; selector: string; text: string | null }
  | { act: 'type' | 'press' | 'select'; selector: string; text: string }
  | { act: 'wait'; ms: number };

export interface ReactInput {
  /** Null: the component without props. */
  element: string | null;
  steps: Step[];
  query: Query;
}

export class InvalidInput extends Error {
  override name = 'InvalidInput';
}

const TEXT: Read = { what: 'text' };
const PIPE = /\s\|\s/g;

function readOf(words: string): Read {
  const word = words.trim();
  const lower = word.toLowerCase();
  if (lower === 'text' || lower === 'count' || lower === 'html') return { what: lower };
  if (/^@[a-z_][\w:.-]*$/i.test(word)) return { what: 'attribute', name: word.slice(1) };
  if (word.startsWith('--')) return { what: 'style', name: word };
  if (/^-?[a-z][a-z-]*$/i.test(word)) return { what: 'style', name: lower };
  throw new InvalidInput(
    `"${word}" is none of: text, count, html, @attribute, or the name of a CSS property.`,
  );
}

function isPropertyName(word: string): boolean {
  return word.startsWith('--') || Boolean(lexer.getProperty(word.toLowerCase()));
}

/** Outside quotes and brackets. */
function splitAtPipe(input: string): [string, string | null] {
  const at = [...maskNested(input).matchAll(PIPE)].at(-1)?.index;
  return at === undefined ? [input.trim(), null] : [input.slice(0, at).trim(), input.slice(at + 3).trim()];
}

/** Separators are found in the same text with nested parts blanked. */
function maskNested(text: string): string {
  let masked = '';
  let quote: string | null = null;
  let depth = 0;
  for (const character of text) {
    const outside = depth === 0 && quote === null;
    if (quote) {
      if (character === quote) quote = null;
    } else if (character === '"' || character === "'" || character === '`') quote = character;
    else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
    masked += outside && depth === 0 && quote === null ? character : '_'.repeat(character.length);
  }
  return masked;
}

const MEDIA_WORD = /^(?:only|not|and|or|all|screen|print)\b\s*,?\s*|^,\s*/i;

function mediaLength(text: string): number {
  let at = 0;
  for (;;) {
    const rest = text.slice(at);
    const word = MEDIA_WORD.exec(rest);
    if (word) {
      at += word[0].length;
      continue;
    }
    if (!rest.startsWith('(')) return at;
    let depth = 0;
    let end = 0;
    for (; end < rest.length; end++) {
      if (rest[end] === '(') depth++;
      else if (rest[end] === ')' && --depth === 0) break;
    }
    if (depth > 0) throw new InvalidInput('A bracket of the media query is not closed.');
    at += end + 1;
    at += /^\s*/.exec(text.slice(at))![0].length;
  }
}

const CONDITION = /^@(media|container)\b\s*/i;
const PSEUDO_ELEMENT =
  /(?:::(?:before|after|marker|placeholder|first-line|first-letter|selection|backdrop|file-selector-button)|:(?:before|after|first-line|first-letter))$/i;

function withoutPseudoElement(written: string): { selector: string; of: string | null } {
  const found = PSEUDO_ELEMENT.exec(written);
  if (!found) return { selector: written, of: null };
  const before = written.slice(0, found.index);
  return {
    selector: before === '' || /[\s>+~,]$/.test(before) ? `${before}*` : before,
    of: `::${found[0].replace(/^:+/, '').toLowerCase()}`,
  };
}

/** `selector` or `selector | read`, either behind `@media (…)` or `@container (…)` (decisions 47 and 48). */
export function parseQuery(input: string): Query {
  let rest = input.trim();
  const conditions: Partial<Record<'media' | 'container', string>> = {};
  for (let at = CONDITION.exec(rest); at; at = CONDITION.exec(rest)) {
    const name = at[1]!.toLowerCase() as 'media' | 'container';
    rest = rest.slice(at[0].length);
    const length = mediaLength(rest);
    const condition = rest.slice(0, length).trim();
    if (!condition)
      throw new InvalidInput(
        `A condition belongs after @${name}, as in @${name} (max-width: 600px) h1 | color.`,
      );
    conditions[name] = condition;
    rest = rest.slice(length).trim();
  }
  const [written, read] = splitAtPipe(rest);
  const { selector, of } = withoutPseudoElement(written);
  if (!selector || selector.startsWith('|'))
    throw new InvalidInput('A CSS selector is missing, as in: h1 | text.');
  const asked = read === null ? TEXT : readOf(read);
  if (of !== null && asked.what !== 'style')
    throw new InvalidInput(`Of ${of} only a property can be read, as in: ${written} | content.`);
  const { media = null, ...rests } = conditions;
  return { selector, read: of === null ? asked : ({ ...asked, of } as Read), media, ...rests };
}

function parseReactQuery(text: string): Query {
  const [first, second] = splitAtPipe(text);
  if (second !== null) return { selector: first || null, read: readOf(second), media: null };
  return isRead(first)
    ? { selector: null, read: readOf(first), media: null }
    : { selector: first, read: TEXT, media: null };
}

function isRead(word: string): boolean {
  return /^(?:text|count|html)$/i.test(word) || word.startsWith('@') || isPropertyName(word);
}

const STEP = /^(click|hover|clear|submit|focus|blur|type|press|select|wait)(?:\s+|$)/i;

function parseStep(text: string): Step {
  const word = STEP.exec(text)![1]!.toLowerCase();
  const rest = text.slice(word.length).trim();
  if (word === 'wait') {
    const time = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/.exec(rest);
    if (!time) throw new InvalidInput(`"${text}" needs a time, as in: wait 500ms.`);
    return { act: 'wait', ms: Number(time[1]) * (time[2] === 's' ? 1_000 : 1) };
  }
  const quoted = /^(.*?)\s*"((?:[^"\\]|\\.)*)"$/s.exec(rest) ?? /^(.*?)\s*'((?:[^'\\]|\\.)*)'$/s.exec(rest);
  // A quote that closes an attribute selector is not a text of its own.
  const isText = quoted && !/[=[(]$/.test(quoted[1]!);
  const selector = (isText ? quoted[1]! : rest).trim();
  const said = isText ? unescapeText(quoted[2]!) : null;
  if (word === 'type' || word === 'press' || word === 'select') {
    const key = word === 'press' && said === null ? /^(.+)\s+(\S+)$/.exec(selector) : null;
    const [target, value] = key ? [key[1]!, key[2]!] : [selector, said];
    if (!target || value === null) {
      const example = {
        type: 'type input "Ada"',
        press: 'press input Enter',
        select: 'select #size "Large"',
      }[word];
      throw new InvalidInput(`"${text}" needs an element and a value, as in: ${example}.`);
    }
    return { act: word, selector: target, text: value };
  }
  if (!selector && said === null) throw new InvalidInput(`"${text}" needs a selector, as in: click button.`);
  return {
    act: word as 'click',
    selector: selector || 'button, a, [role="button"], label, summary',
    text: said,
  };
}

const unescapeText = (text: string): string =>
  text.replace(/\\(.)/gs, (_all, character: string) => (character === 'n' ? '\n' : character));

/** A JSX expression, steps and a query, separated by `;`, or the query behind ` | ` (decision 49). */
export function parseReactInput(input: string): ReactInput {
  const element = /^\s*</.test(input) ? jsxLength(input) : 0;
  const parsed: ReactInput = {
    element: element > 0 ? input.slice(0, element).trim() : null,
    steps: [],
    query: { selector: null, read: TEXT, media: null },
  };
  let rest = input.slice(element).trim();
  const direct = /^\|\s/.exec(rest);
  if (direct) rest = rest.slice(1).trim();
  else if (rest.startsWith(';')) rest = rest.slice(1);
  else if (element > 0 && rest) {
    throw new InvalidInput(`After the element, "${rest}" must be set apart by ";" or " | ".`);
  }
  const segments = splitSegments(rest);
  for (const [i, segment] of segments.entries()) {
    if (STEP.test(segment)) {
      const [step, read] = splitAtPipe(segment);
      parsed.steps.push(parseStep(step));
      if (read === null) continue;
      if (i < segments.length - 1) throw new InvalidInput('The query must come last.');
      parsed.query = parseReactQuery(read);
    } else if (i < segments.length - 1) {
      throw new InvalidInput(
        `"${segment}" is no step: click, type, select, press, submit, hover, clear, wait.`,
      );
    } else {
      parsed.query = parseReactQuery(segment.replace(/^\|\s+/, ''));
    }
  }
  return parsed;
}

function splitSegments(text: string): string[] {
  const masked = maskNested(text);
  const segments: string[] = [];
  let start = 0;
  for (let i = 0; i <= masked.length; i++) {
    if (i < masked.length && masked[i] !== ';') continue;
    const segment = text.slice(start, i).trim();
    if (segment) segments.push(segment);
    start = i + 1;
  }
  return segments;
}

function jsxLength(text: string): number {
  let i = text.search(/\S/);
  let open = 0;
  const skipBraces = () => {
    const length = maskedBlockLength(text.slice(i));
    i += length;
  };
  while (i < text.length) {
    if (text[i] === '{') {
      skipBraces();
    } else if (text[i] === '<') {
      const closing = text[i + 1] === '/';
      i++;
      while (i < text.length && text[i] !== '>') {
        if (text[i] === '{') skipBraces();
        else if (text[i] === '"' || text[i] === "'") i = endOfQuote(text, i);
        else i++;
      }
      if (closing) open--;
      else if (text[i - 1] !== '/') open++;
      i++;
      if (open === 0) return Math.min(i, text.length);
    } else {
      i++;
    }
  }
  throw new InvalidInput('The JSX element of the test is not closed.');
}

function endOfQuote(text: string, start: number): number {
  const end = text.indexOf(text[start]!, start + 1);
  if (end < 0) throw new InvalidInput('A quote in the JSX element of the test is not closed.');
  return end + 1;
}

function maskedBlockLength(text: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === '"' || character === "'" || character === '`') i = endOfQuote(text, i) - 1;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return i + 1;
  }
  throw new InvalidInput('A brace in the JSX element of the test is not closed.');
}

/** Null where an input asks for no CSS property. */
export function comparedProperty(language: string, input: string): string | null {
  try {
    if (language !== 'html' && language !== 'css' && language !== 'react') return null;
    const { read } = language === 'react' ? parseReactInput(input).query : parseQuery(input);
    return read.what === 'style' ? read.name : null;
  } catch {
    return null;
  }
}
