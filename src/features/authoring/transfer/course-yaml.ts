import { type Document, isMap, isScalar, Lexer, type LineCounter, visit } from 'yaml';

// The library's own unique keys and pretty errors take seconds for long texts.
export const PARSING = { uniqueKeys: false, prettyErrors: false } as const;

const YAML_PARTS_MAX = 40_000;

export function isTooLong(source: string): boolean {
  let parts = 0;
  for (const _ of new Lexer().lex(source)) {
    parts += 1;
    if (parts > YAML_PARTS_MAX) return true;
  }
  return false;
}

/**
 * A key that occurs twice or is no plain text. A mapping as a key would be written out once for each level
 * above it.
 */
export function keyProblem(document: Document.Parsed): { message: string; at: number } | null {
  let problem: { message: string; at: number } | null = null;
  visit(document, {
    Map(_, { items, range }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const at = (key as { range?: [number, number, number] } | null)?.range?.[0] ?? range?.[0] ?? 0;
        if (!isScalar(key)) problem = { message: 'Keys must be plain text', at };
        else if (seen.has(key.value)) problem = { message: 'Map keys must be unique', at };
        else {
          seen.add(key.value);
          continue;
        }
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return problem;
}

/** A mapping, with the line of each of its fields. */
export interface Mapping {
  value: unknown;
  lineOf(path: readonly PropertyKey[]): number;
}

/** The line of a field, from 1; for a missing one the line of its parent. */
export function lineIn(document: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length);
    const parent = length === 1 ? document.contents : document.getIn(part.slice(0, -1), true);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === part.at(-1))
      : undefined;
    const node = (pair?.key ?? document.getIn(part, true)) as
      | { range?: [number, number, number] }
      | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
