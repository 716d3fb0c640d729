import type { Language, LearnerError, Submission } from '../protocol.ts';
import { KINDS, type Kind } from './kinds.ts';
import { CSS, HTML } from './markup.ts';
import { PYTHON } from './python.ts';
import { REACT, SCRIPT } from './script.ts';
import { SQL } from './sql.ts';
import { PARSERS, type Rule, type Tree } from './tree.ts';

const RULES: Partial<Record<Language, readonly Rule[]>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  react: REACT,
  python: PYTHON,
  html: HTML,
  css: CSS,
  sql: SQL,
};

/** Characters, and programs that are parsed: the search shares its thread. */
const LONGEST = 3_000;
const MOST_PARSED = 60;
const MOST_WORDS = 300;
const MOST_EDITS = 1_000;
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
 * Small changes of a program that parse as it does, the likelier first: at the line of its error, then by their kinds.
 * @param errorLine null where none is known
 */
export function* editsOf(
  { language, code, tests, fixture = '' }: Submission,
  errorLine: number | null,
): Generator<Edit> {
  const [rules, parser] = [RULES[language], PARSERS[language]];
  if (!rules || !parser || code.length > LONGEST) return;
  const texts = tests.filter(({ hidden }) => !hidden).map((test) => `${test.input} ${test.expectedOutput}`);
  const own = language === 'html' || language === 'css' || language === 'sql' ? '' : code;
  const words = new Set([own, fixture, ...texts].join(' ').match(WORD)?.slice(0, MOST_WORDS));
  const tree = parser.parse(code);
  const names = new Set<string>();
  const defined = language === 'python' ? 'VariableName' : 'VariableDefinition';
  tree.iterate({
    enter({ name, from, to }) {
      if (name === defined && code[to] !== '(') names.add(code.slice(from, to));
    },
  });
  const found = new Map<string, Edit>();
  let [line, counted] = [1, 0];
  tree.iterate({
    enter({ node }) {
      if (found.size >= MOST_EDITS) return false;
      line += code.slice(counted, node.from).split('\n').length - 1;
      counted = node.from;
      const place = { node, text: code.slice(node.from, node.to), code, words, names: [...names] };
      for (const { kind, weight, nodes, to } of rules) {
        if (!nodes.has(node.name)) continue;
        for (const [at, change] of to(place).entries()) {
          const { from, to, insert } =
            typeof change === 'string' ? { from: node.from, to: node.to, insert: change } : change;
          const edited = code.slice(0, from) + insert + code.slice(to);
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
      return true;
    },
  });
  const most = faultsIn(tree);
  for (const edit of [...found.values()].sort((a, b) => a.weight - b.weight).slice(0, MOST_PARSED))
    if (faultsIn(parser.parse(edit.code)) <= most) yield edit;
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
