export interface Token {
  type: 'word' | 'quoted' | 'text' | 'number' | 'sign' | 'end';
  /** Words in lower case. */
  text: string;
  /** From 0. */
  at: number;
}

const WORD = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const NUMBER = /(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const DOLLAR = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const SIGNS = /<>|!=|<=|>=|==|&&|::|\|\||->>|->|:=|=>|./sy;

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** PostgreSQL ends lines at a carriage return too. */
const LINE_END = /[\n\r]|$/g;
/** Any other space is part of a name. */
const SPACE = /[ \t\n\r\f\v]/;

/** Block comments nest. */
function commentEnd(text: string, at: number): number | null {
  if (text.startsWith('--', at)) {
    LINE_END.lastIndex = at;
    return LINE_END.exec(text)!.index;
  }
  if (!text.startsWith('/*', at)) return null;
  let depth = 0;
  for (let place = at; place < text.length; place += 1) {
    if (text.startsWith('/*', place)) depth += 1;
    else if (text.startsWith('*/', place)) depth -= 1;
    else continue;
    place += 1;
    if (depth === 0) return place + 1;
  }
  return text.length;
}

/** A line break continues a string. */
const CONTINUED = /(?:[ \t\f\v]|--[^\n\r]*)*[\n\r](?:[ \t\n\r\f\v]|--[^\n\r]*[\n\r])*'/y;

function quotedEnd(text: string, at: number, quote: string, hasEscapes: boolean): number {
  for (let place = at; place < text.length; place += 1) {
    if (hasEscapes && text[place] === '\\') place += 1;
    else if (text[place] === quote) {
      if (text[place + 1] === quote) {
        place += 1;
        continue;
      }
      const more = quote === "'" ? match(CONTINUED, text, place + 1) : null;
      if (!more) return place + 1;
      place += more.length;
    }
  }
  return text.length;
}

/** Without comments; `end` is a semicolon. Unclosed ones reach to the end. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const add = (type: Token['type'], end: number) => {
    const found = text.slice(at, end);
    tokens.push({ type, text: type === 'word' ? found.toLowerCase() : found, at });
    at = end;
  };
  while (at < text.length) {
    const sign = text[at]!;
    const afterComment = commentEnd(text, at);
    if (afterComment !== null) at = afterComment;
    else if (SPACE.test(sign)) at += 1;
    else if (sign === ';') add('end', at + 1);
    else if (sign === "'") add('text', quotedEnd(text, at + 1, "'", false));
    else if (/[eE]/.test(sign) && text[at + 1] === "'") add('text', quotedEnd(text, at + 2, "'", true));
    else if (/[bBxXnN]/.test(sign) && text[at + 1] === "'") add('text', quotedEnd(text, at + 2, "'", false));
    else if (sign === '"') add('quoted', quotedEnd(text, at + 1, '"', false));
    else if (sign === '$' && match(DOLLAR, text, at)) {
      const tag = match(DOLLAR, text, at)!;
      const end = text.indexOf(tag, at + tag.length);
      add('text', end < 0 ? text.length : end + tag.length);
    } else {
      const word = match(WORD, text, at);
      const number = word ? null : match(NUMBER, text, at);
      if (word) add('word', at + word.length);
      else if (number) add('number', at + number.length);
      else add('sign', at + (match(SIGNS, text, at)?.length ?? 1));
    }
  }
  return tokens;
}

export interface Statement {
  text: string;
  /** From 0. */
  at: number;
  tokens: Token[];
}

function isRoutine(tokens: readonly Token[]): boolean {
  const [create, or, , kind] = tokens.map(({ text }) => text);
  const made = or === 'or' ? kind : or;
  return create === 'create' && (made === 'function' || made === 'procedure');
}

/** Split at semicolons outside brackets, as psql does. */
export function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let tokens: Token[] = [];
  let depth = 0;
  /** Blocks of a routine in SQL. */
  let blocks = 0;
  const close = (end: number) => {
    const [first] = tokens;
    if (first) statements.push({ text: text.slice(first.at, end), at: first.at, tokens });
    tokens = [];
    depth = blocks = 0;
  };
  for (const token of tokensOf(text)) {
    if (token.text === '(') depth += 1;
    else if (token.text === ')') depth = Math.max(0, depth - 1);
    else if (token.type === 'word' && depth === 0 && isRoutine(tokens)) {
      if (token.text === 'begin' || (blocks > 0 && token.text === 'case')) blocks += 1;
      else if (blocks > 0 && token.text === 'end') blocks -= 1;
    }
    if (token.type === 'end' && depth === 0 && blocks === 0) close(token.at);
    else tokens.push(token);
  }
  const last = tokens.at(-1);
  if (last) close(last.at + last.text.length);
  return statements;
}
