import type { Language, LearnerError, Submission } from '../protocol.ts';
import { KINDS, type Kind } from './kinds.ts';
import { CSS, HTML } from './markup.ts';
import { PYTHON } from './python.ts';
import { REACT, SCRIPT } from './script.ts';
import { SQL } from './sql.ts';
import { PARSERS, type Rule, type Tree } from './tree.ts';

const RULES: Record<Language, readonly Rule[]> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  react: REACT,
  python: PYTHON,
  html: HTML,
  css: CSS,
  sql: SQL,
};

const LONGEST = 20_000;
const MOST_WORDS = 300;
const WORD = /[\p{L}_][\p{L}\d_-]*/gu;
/** The second of two changes at one place waits for the first at others. */
const LATER = 0.25;

export interface Edit {
  code: string;
  kind: Kind;
  line: number;
  weight: number;
}

/**
 * At most `count` small changes of a program, the likelier first: at the line of its error, then by their kinds.
 * @param errorLine null where none is known
 */
export function editsOf(
  { language, code, tests, fixture = '' }: Submission,
  errorLine: number | null,
  count: number,
): Edit[] {
  if (code.length > LONGEST) return [];
  const texts = tests.filter(({ hidden }) => !hidden).map((test) => `${test.input} ${test.expectedOutput}`);
  const own = language === 'html' || language === 'css' || language === 'sql' ? '' : code;
  const words = new Set([own, fixture, ...texts].join(' ').match(WORD)?.slice(0, MOST_WORDS));
  const found = new Map<string, Edit>();
  const tree = PARSERS[language].parse(code);
  tree.iterate({
    enter({ node }) {
      const text = code.slice(node.from, node.to);
      for (const { kind, weight, nodes, to } of RULES[language]) {
        if (!nodes.has(node.name)) continue;
        for (const [at, change] of to({ node, text, code, words }).entries()) {
          const { from, to, insert } =
            typeof change === 'string' ? { from: node.from, to: node.to, insert: change } : change;
          const edited = code.slice(0, from) + insert + code.slice(to);
          const line = code.slice(0, node.from).split('\n').length;
          const edit = {
            code: edited,
            kind,
            line,
            weight: weight + at * LATER - (line === errorLine ? 2 : 0),
          };
          if (edited !== code && edit.weight < (found.get(edited)?.weight ?? Infinity))
            found.set(edited, edit);
        }
      }
    },
  });
  const most = faultsIn(tree);
  return [...found.values()]
    .sort((a, b) => a.weight - b.weight)
    .slice(0, 2 * count)
    .filter((edit) => faultsIn(PARSERS[language].parse(edit.code)) <= most)
    .slice(0, count);
}

function faultsIn(tree: Tree): number {
  let count = 0;
  tree.iterate({
    enter({ type }) {
      if (type.isError) count += 1;
    },
  });
  return count;
}

/** Where to look and what to ask there, never what to write. */
export function sayingOf({ kind, line }: Edit): LearnerError {
  const [what, explanation] = KINDS[kind];
  return { name: 'Hint', message: `Look at the ${what} in line ${line}.`, line, column: null, explanation };
}
