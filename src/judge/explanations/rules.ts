/** What of an error a rule is for, and of its line. The $1 of a text is the first group of the message. */
export type Rule = [message: RegExp, text: string, line?: RegExp | null, isGeneral?: true];

/** By the names of errors, apart by spaces. */
export type Groups = readonly (readonly [names: string, rules: readonly Rule[]])[];

export const rulesFor = (groups: Groups, name: string): Rule[] =>
  groups.flatMap(([names, rules]) => (names.split(' ').includes(name) ? rules : []));

const LONGEST_PIECE = 60;

export const fill = (
  text: string,
  groups: readonly (string | undefined)[],
  longest = LONGEST_PIECE,
): string => text.replace(/\$(\d)/g, (_, group: string) => (groups[Number(group)] ?? '').slice(0, longest));

export const PAGE =
  '"$1" belongs to a web page. This program runs without one: use console.log to show something and prompt() to read input.';
export const NODE =
  '"$1" belongs to Node.js programs made of several files. Here the program is one file and has no modules.';
