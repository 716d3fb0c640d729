import { createHash } from 'node:crypto';
import { pythonLanguage } from '@codemirror/lang-python';
import type { Node } from 'acorn';
import * as css from 'css-tree';
import { diffArrays } from 'diff';
import { defaultTreeAdapter as tree, type DefaultTreeAdapterTypes, parse } from 'parse5';
import { transform } from 'sucrase';
import { lint } from '../lint.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { parseScript } from '../script-parser.ts';
import { type SqlPiece, sqlPieces } from './sql-pieces.ts';

export interface Token {
  kind: string;
  /** Names by their order of appearance, literals as written, else `kind`. */
  exact: string;
}

export interface Shape {
  hash: string;
  /** Null where it cannot be read. */
  tokens: readonly Token[] | null;
}

/** Characters of a program that are read. */
const READ_MAX = 20_000;
const EDITS_MAX = 40;
const NAME = 'name';

export function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Programs that differ in names, literals and layout alone are the same. */
export async function shapeOf(language: CodingLanguage, code: string): Promise<Shape> {
  if (code.length > READ_MAX) return { hash: hashed('too long'), tokens: null };
  try {
    const tokens = (READERS[language] ?? wordTokens)(code);
    if (tokens) {
      const text = wordsOf(tokens).join('\n');
      return { hash: hashed(text), tokens };
    }
    const [mistake] = await lint(language, code);
    return { hash: hashed(placeOf(code, mistake?.line ?? 1, mistake?.message ?? '')), tokens: null };
  } catch (error) {
    // The parsers call themselves for what is nested.
    if (error instanceof RangeError) return { hash: hashed('too deep'), tokens: null };
    throw error;
  }
}

const wordsOf = (tokens: readonly Token[]): string[] =>
  tokens.map(({ kind, exact }) => (kind === NAME ? exact : kind));

/** From 0, for the same pieces, to 1. */
export function unlikeness(one: readonly Token[], other: readonly Token[]): number {
  const pairs = (tokens: readonly Token[]) =>
    wordsOf(tokens).map((word, at, all) => `${at === 0 ? '' : all[at - 1]}\n${word}`);
  const counts = new Map<string, number>();
  for (const pair of pairs(one)) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of pairs(other)) {
    const count = counts.get(pair) ?? 0;
    if (count > 0) shared += 1;
    counts.set(pair, count - 1);
  }
  const all = one.length + other.length;
  return all === 0 ? 0 : 1 - (2 * shared) / all;
}

function placeOf(code: string, line: number, message: string): string {
  const words = (code.split('\n')[line - 1] ?? '')
    .replace(/(["'`]).*?\1/g, '""')
    .replace(/\b\d[\w.]*/g, '0')
    .replace(/[\p{L}_$][\p{L}\p{N}_$]*/gu, (word) => (KEYWORDS.has(word) ? word : 'x'))
    .replace(/\s+/g, '');
  return `unreadable ${message.replace(/(["'`“]).*?["'`”]/g, '""')} ${words}`;
}

const KEYWORDS = new Set(
  `function return if else for while do const let var class new in of import export default from switch case break
  continue try catch finally throw await async def elif lambda and or not is None True False with as pass raise except
  print null undefined true false`.split(/\s+/),
);

/** The nearest accepted program, in as few pieces as possible: too much, and missing. */
export function differenceFrom(
  tokens: readonly Token[],
  accepted: readonly (readonly Token[])[],
): string | null {
  const kinds = tokens.map(({ kind }) => kind);
  let most = Math.min(EDITS_MAX, Math.ceil(tokens.length / 2));
  let nearest: string | null = null;
  for (const other of accepted) {
    if (most < 0) break;
    const changes = diffArrays(
      other.map(({ kind }) => kind),
      kinds,
      { maxEditLength: most },
    );
    if (!changes) continue;
    const edits = changes.filter(({ added, removed }) => added || removed);
    most = edits.reduce((sum, { count }) => sum + count, 0) - 1;
    nearest =
      edits.length > 0
        ? edits.map(({ added, value }) => `${added ? '+' : '-'}${value.join(' ')}`).join('\n')
        : `exact ${tokens.flatMap(({ exact }, at) => (exact === other[at]!.exact ? [] : [at])).join(' ')}`;
  }
  return nearest;
}

type TreeCursor = ReturnType<ReturnType<typeof pythonLanguage.parser.parse>['cursor']>;

class Pieces {
  readonly tokens: Token[] = [];
  readonly #own: ReadonlySet<string>;
  readonly #numbers = new Map<string, number>();

  constructor(own: ReadonlySet<string> = new Set()) {
    this.#own = own;
  }

  add(kind: string, exact = kind): void {
    this.tokens.push({ kind, exact });
  }

  name(name: string): void {
    if (!this.#own.has(name)) {
      this.add(`=${name}`);
      return;
    }
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    this.add(NAME, `name ${number}`);
  }
}

const wordTokens = (code: string): Token[] =>
  code
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({ kind: word, exact: word }));

const READERS: Partial<Record<CodingLanguage, (code: string) => Token[] | null>> = {
  javascript: (code) => scriptTokens(code, false),
  react: (code) => scriptTokens(code, true),
  python: pythonTokens,
  html: htmlTokens,
  css: cssTokens,
  typescript: typedTokens,
  sql: sqlTokens,
};

type Tree = Node & Record<string, unknown>;

const isNode = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && typeof (value as Tree).type === 'string';

const childrenOf = (node: Tree): Tree[] => Object.values(node).flat().filter(isNode);

function declaredNames(program: Tree): Set<string> {
  const names = new Set<string>();
  const pattern = (node: unknown): void => {
    if (!isNode(node)) return;
    if (node.type === 'Identifier') names.add(String(node.name));
    else if (node.type === 'Property') pattern(node.value);
    else if (node.type === 'AssignmentPattern') pattern(node.left);
    else childrenOf(node).forEach(pattern);
  };
  const visit = (node: Tree): void => {
    for (const declared of [node.id, node.param, node.local, node.params].flat()) pattern(declared);
    childrenOf(node).forEach(visit);
  };
  visit(program);
  return names;
}

function typedTokens(code: string): Token[] | null {
  try {
    const plain = transform(code, { transforms: ['typescript'], disableESTransforms: true }).code;
    return scriptTokens(plain, false);
  } catch {
    return null;
  }
}

function scriptTokens(code: string, withJsx: boolean): Token[] | null {
  const parsed = parseScript(code, withJsx);
  if (!('program' in parsed)) return null;
  const program = parsed.program as Tree;
  const pieces = new Pieces(declaredNames(program));
  visitScript(program, pieces);
  return pieces.tokens;
}

function visitScript(node: Tree, pieces: Pieces): void {
  const visit = (child: unknown): void => {
    if (isNode(child)) visitScript(child, pieces);
  };
  if (visitLeaf(node, pieces)) return;
  // One statement is the same with braces and without; so is a function, however it is written.
  if (node.type === 'BlockStatement' && (node.body as unknown[]).length === 1)
    visit((node.body as Tree[])[0]);
  else if (node.type === 'VariableDeclarator' && isFunction(node.init)) {
    visitFunction({ ...(node.init as Tree), id: node.id } as Tree, pieces, visit);
  } else if (isFunction(node)) visitFunction(node, pieces, visit);
  else if (node.type === 'VariableDeclaration') (node.declarations as Tree[]).forEach(visit);
  else visitParts(node, pieces, visit);
}

function visitLeaf({ type, ...node }: Tree, pieces: Pieces): boolean {
  if (type === 'EmptyStatement') return true;
  if (type === 'Identifier' || type === 'JSXIdentifier') pieces.name(String(node.name));
  else if (type === 'Literal') {
    const { value, raw, regex } = node;
    const isWord = typeof value === 'boolean' || (value === null && !regex);
    pieces.add(regex ? 'regex' : isWord ? String(raw) : typeof value, String(raw));
  } else if (type === 'TemplateElement') pieces.add('string', (node.value as { raw: string }).raw);
  else if (type === 'JSXText') {
    const text = String(node.value).trim();
    if (text !== '') pieces.add('text', text);
  } else return false;
  return true;
}

function visitParts(node: Tree, pieces: Pieces, visit: (child: unknown) => void): void {
  const { type, operator, kind } = node;
  pieces.add([type, operator, node.prefix === false && 'after', kind].filter(Boolean).join(' '));
  if ((type === 'MemberExpression' && !node.computed) || type === 'JSXAttribute') {
    visit(node.object);
    const name = (node.property ?? node.name) as { name?: string; type: string };
    pieces.add(`.${name.name ?? name.type}`);
    visit(node.value);
  } else if (type === 'Property' && !node.computed) {
    const { name, value } = node.key as { name?: string; value?: unknown };
    pieces.add(`:${name ?? value}`);
    visit(node.value);
  } else childrenOf(node).forEach(visit);
  pieces.add('end');
}

const isFunction = (node: unknown): boolean =>
  isNode(node) &&
  /^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type) &&
  node.generator !== true;

function visitFunction(node: Tree, pieces: Pieces, visit: (child: unknown) => void): void {
  pieces.add(node.async ? 'async function' : 'function');
  visit(node.id);
  (node.params as Tree[]).forEach(visit);
  if (node.expression === true) {
    pieces.add('ReturnStatement');
    visit(node.body);
    pieces.add('end');
  } else visit(node.body);
  pieces.add('end');
}

const PYTHON_MARKS = new Set(['(', ')', '[', ']', '{', '}', ',', ':', '.', ';', 'Comment']);
const PYTHON_WRAPPERS = new Set(['Script', 'ParenthesizedExpression', 'ExpressionStatement']);
const PYTHON_DECLARES =
  /^(AssignStatement|ForStatement|FunctionDefinition|ClassDefinition|ParamList|ImportStatement|\w*ComprehensionExpression|WithStatement|NamedExpression|LambdaExpression)$/;

function pythonTokens(code: string): Token[] | null {
  const pieces = new Pieces(namesOfPython(code));
  let isBroken = false;
  const visit = (cursor: TreeCursor): void => {
    const { type, name, from, to } = cursor;
    isBroken ||= type.isError;
    if (PYTHON_MARKS.has(name)) return;
    const isWrapper = PYTHON_WRAPPERS.has(name);
    const text = () => code.slice(from, to);
    if (name === 'VariableName') pieces.name(text());
    else if (name === 'Number' || name === 'String') pieces.add(name, text());
    else if (cursor.firstChild()) {
      if (!isWrapper) pieces.add(name);
      do visit(cursor);
      while (cursor.nextSibling());
      cursor.parent();
      if (!isWrapper) pieces.add('end');
    } else if (name === 'FormatString') pieces.add('String', text());
    else if (!isWrapper) pieces.add(`${name} ${text()}`);
  };
  visit(pythonLanguage.parser.parse(code).cursor());
  return isBroken ? null : pieces.tokens;
}

function namesOfPython(code: string): Set<string> {
  const names = new Set<string>();
  const visit = (cursor: TreeCursor, isTarget: boolean): void => {
    const { name, from, to } = cursor;
    if (name === 'VariableName' && isTarget) names.add(code.slice(from, to));
    // What is assigned to in a list or an object is no new name.
    const declares =
      PYTHON_DECLARES.test(name) || (isTarget && /^(TupleExpression|ParenthesizedExpression)$/.test(name));
    if (!cursor.firstChild()) return;
    let isBefore = declares;
    do {
      const part: string = cursor.name;
      if (part === 'AssignOp' || part === 'in') isBefore = false;
      if (name === 'ParamList' && part === ',') isBefore = true;
      visit(cursor, isBefore);
    } while (cursor.nextSibling());
    cursor.parent();
  };
  visit(pythonLanguage.parser.parse(code).cursor(), false);
  return names;
}

function htmlTokens(code: string): Token[] {
  const pieces = new Pieces();
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (tree.isTextNode(node)) {
      const text = node.value.trim();
      if (text !== '') pieces.add('text', text);
    } else if (tree.isElementNode(node)) {
      pieces.add(`<${node.tagName}>`);
      for (const { name, value } of node.attrs.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        pieces.add(`@${name}`, `@${name} ${value}`);
      }
      for (const child of node.tagName === 'template' && 'content' in node
        ? node.content.childNodes
        : node.childNodes) {
        visit(child);
      }
      pieces.add('end');
    } else if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(code));
  return pieces.tokens;
}

function cssTokens(code: string): Token[] | null {
  let isBroken = false;
  const parsed = css.parse(code, {
    onParseError: () => {
      isBroken = true;
    },
  });
  if (isBroken) return null;
  const pieces = new Pieces();
  css.walk(parsed, {
    enter: (node: css.CssNode) => {
      if (node.type === 'Comment' || node.type === 'StyleSheet') return;
      if (node.type === 'Declaration') pieces.add(`${node.property}${node.important ? ' !' : ''}`);
      else if (node.type === 'Dimension') pieces.add(`0${node.unit}`, css.generate(node));
      else if (/^(Number|Percentage|Hash|String|Url)$/.test(node.type))
        pieces.add(node.type, css.generate(node));
      else if ('name' in node) pieces.add(`${node.type} ${node.name}`);
      else pieces.add(node.type);
    },
    leave: (node: css.CssNode) => {
      if (node.type === 'Rule' || node.type === 'Atrule' || node.type === 'Declaration') pieces.add('end');
    },
  });
  return pieces.tokens;
}

const SQL_FILLERS = new Set(['as', 'inner', 'outer', 'asc']);
const SQL_AFTER_TABLE = new Set(
  'where group order having limit offset fetch union except intersect join left right inner full cross natural on using set returning for window values select and or when then else end default'.split(
    ' ',
  ),
);

/** Names of tables are free; names of columns are part of the answer. */
function sqlTokens(code: string): Token[] {
  const found = sqlPieces(code).pieces.map((piece) => ({ ...piece, text: sqlName(piece) }));
  const pieces = new Pieces(namesOfSql(found));
  found.forEach(({ kind, text }, at) => {
    if (kind === 'Number' || kind === 'String' || kind === 'Bits') pieces.add(kind, text);
    else if (text === ';' && (at === found.length - 1 || found[at + 1]!.text === ';')) return;
    else if (/^[\w\u0080-\uffff]/.test(text)) {
      if (!SQL_FILLERS.has(text)) pieces.name(text);
    } else pieces.add(text === '!=' ? '<>' : text);
  });
  return pieces.tokens;
}

const sqlName = ({ kind, text }: SqlPiece) =>
  kind === 'QuotedIdentifier' && /^"[a-z_]\w*"$/.test(text) && text === text.toLowerCase()
    ? text.slice(1, -1)
    : text;

function namesOfSql(pieces: readonly SqlPiece[]): Set<string> {
  const names = new Set<string>();
  pieces.forEach(({ text, from, around }, at) => {
    if (text === 'with' || text === 'recursive') {
      // Each name in WITH stands before AS and a bracket.
      pieces.forEach((one, place) => {
        const isNamed = pieces[place + 1]?.text === 'as' && pieces[place + 2]?.text === '(';
        if (one.from > from && one.around === around && isNamed) names.add(one.text);
      });
    }
    if (text !== 'from' && text !== 'join') return;
    let next = at;
    do {
      const table = pieces[next + 1];
      // Behind the table: past what stands in its brackets, and past the schema before its name.
      next = table?.text === '(' ? closingOf(pieces, next + 1) + 1 : next + 2;
      while (pieces[next]?.text === '.') next += 2;
      if (pieces[next]?.text === 'as') next += 1;
      const name = pieces[next];
      if (
        name &&
        name.around === around &&
        /^[\w\u0080-\uffff]/.test(name.text) &&
        !SQL_AFTER_TABLE.has(name.text)
      ) {
        names.add(name.text);
        next += 1;
      }
    } while (text === 'from' && pieces[next]?.text === ',' && pieces[next]?.around === around);
  });
  return names;
}

const closingOf = (pieces: readonly SqlPiece[], open: number) => {
  const end = pieces.findIndex(
    ({ text, around }, at) => at > open && text === ')' && around === pieces[open]!.from,
  );
  return end < 0 ? pieces.length : end;
};
