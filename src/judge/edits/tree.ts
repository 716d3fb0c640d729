import { cssLanguage } from '@codemirror/lang-css';
import { htmlLanguage } from '@codemirror/lang-html';
import { jsxLanguage, typescriptLanguage } from '@codemirror/lang-javascript';
import { pythonLanguage } from '@codemirror/lang-python';
import { PostgreSQL } from '@codemirror/lang-sql';
import { nearest } from '../explanations/nearest.ts';
import type { Language } from '../protocol.ts';
import type { Kind } from './kinds.ts';

export const PARSERS: Partial<Record<Language, typeof cssLanguage.parser>> = {
  javascript: jsxLanguage.parser,
  react: jsxLanguage.parser,
  typescript: typescriptLanguage.parser,
  python: pythonLanguage.parser,
  html: htmlLanguage.parser,
  css: cssLanguage.parser,
  sql: PostgreSQL.language.parser,
};

export type Tree = ReturnType<typeof cssLanguage.parser.parse>;
export type Node = Tree['topNode'];

export interface Place {
  node: Node;
  text: string;
  code: string;
  /** Of the tests, the tables and the program. */
  words: ReadonlySet<string>;
  /** That the program itself gives to values. */
  names: readonly string[];
}

/** In place of the node, or of a range around it. */
export type Change = string | { from: number; to: number; insert: string };

/** A weight: what is one of a few values and fits by chance. */
export const GUESS = 3;

/** The likelier one is tried first. */
export interface Rule {
  kind: Kind;
  weight: number;
  nodes: ReadonlySet<string>;
  to: (place: Place) => readonly Change[];
}

export const rule = (kind: Kind, weight: number, nodes: string, to: Rule['to']): Rule => ({
  kind,
  weight,
  nodes: new Set(nodes.split(' ')),
  to,
});

/** Each row is a word and what may be meant in its place, the likelier first. */
export function swaps(kind: Kind, weight: number, nodes: string, ...rows: string[]): Rule {
  const table = new Map<string, string[]>();
  for (const [word, ...meant] of rows.map((row) => row.split(' ')))
    table.set(word!, [...(table.get(word!) ?? []), ...meant]);
  return rule(kind, weight, nodes, ({ text }) => table.get(text) ?? table.get(text.toUpperCase()) ?? []);
}

/** Each row is words that are taken for one another. */
export const groups = (kind: Kind, weight: number, nodes: string, ...rows: string[]): Rule =>
  swaps(
    kind,
    weight,
    nodes,
    ...rows.flatMap((row) => {
      const words = row.split(' ');
      return words.map((word) => [word, ...words.filter((other) => other !== word)].join(' '));
    }),
  );

/** Each is compared with all known ones. */
const NAMES_MOST = 60;

export function near(kind: Kind, weight: number, nodes: string, known: readonly string[] = []): Rule {
  // A name that comes often is looked for once.
  const found = new WeakMap<Place['words'], Map<string, string | null>>();
  return rule(kind, weight, nodes, ({ text, words }) => {
    const [, open, word = '', close] = /^(["'\s]*)(.*?)(["'\s]*)$/s.exec(text)!;
    const seen = found.get(words) ?? new Map<string, string | null>();
    found.set(words, seen);
    const isMuch = !seen.has(word) && seen.size >= NAMES_MOST;
    const meant = seen.get(word) ?? (isMuch || seen.has(word) ? null : nearest(word, [...words, ...known]));
    seen.set(word, meant);
    return meant === null ? [] : [`${open}${meant}${close}`];
  });
}

/** Names that are called. */
export function calls(weight: number, nodes: string, rows: string): Rule {
  const { to, ...rest } = groups('call', weight, nodes, ...rows.split('|'));
  return { ...rest, to: (place) => (place.code[place.node.to] === '(' ? to(place) : []) };
}

/** Another name of the program for one that is read. */
export const others = (isRead: (node: Node) => boolean): Rule =>
  rule('name', GUESS, 'VariableName', ({ node, text, code, names }) =>
    isRead(node) && code[node.to] !== '(' ? names.filter((name) => name !== text).slice(0, 4) : [],
  );

export const textOf = ({ code }: Pick<Place, 'code'>, node: Node | null): string =>
  node ? code.slice(node.from, node.to) : '';

export const comparisons = (nodes: string, equals: string, unequal: string): Rule[] => [
  groups('comparison', 1, nodes, '< <=', '> >=', `${equals} ${unequal}`),
  swaps('comparison', 1.6, nodes, '< > >=', '> < <=', '<= >= >', '>= <= <'),
];

export const numbers = rule('number', 1.5, 'Number', ({ text }) => {
  if (!/^\d{1,6}$/.test(text)) return [];
  const [less, more] = [`${Number(text) - 1}`, `${Number(text) + 1}`];
  return text === '0' ? [more, less] : [less, more];
});
