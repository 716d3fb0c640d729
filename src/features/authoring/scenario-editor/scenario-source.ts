import { Document, isCollection, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { type Draft, readDraft } from './scenario-draft.ts';

export type SourceFormat = 'yaml' | 'json';

/** Bytes of a scenario's file at most: what a request may hold (fault N6). */
export const SOURCE_MAX_BYTES = 1_000_000;

export type ReadSource =
  | { draft: Draft; problem?: never }
  | { draft?: never; problem: { message: string; line: number; column: number } };

const IN_ONE_LINE = new Set(['when', 'value', 'needs', 'phrases', 'unless', 'tone']);

/** A draft as text. */
export function sourceOf(draft: Draft, format: SourceFormat): string {
  if (format === 'json') return `${JSON.stringify(draft, null, 2)}\n`;
  // Equal parts are written out: an author should not have to know anchors.
  const document = new Document(draft, { aliasDuplicateObjects: false });
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && IN_ONE_LINE.has(String(key.value)) && isCollection(value)) value.flow = true;
    },
  });
  return document.toString({ lineWidth: 110, blockQuote: 'literal' });
}

/** Reads YAML or JSON, which is YAML too. */
export function readSource(text: string): ReadSource {
  const refused = (message: string, line = 1, column = 1): ReadSource => ({
    problem: { message, line, column },
  });
  if (text.trim() === '') return refused('There is nothing here yet.');
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > SOURCE_MAX_BYTES) return refused('A scenario may have at most 1 MB.');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    return refused(error.message, line, col);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (problem) {
    return refused((problem as Error).message);
  }
  const read = readDraft(value);
  if (read.draft) return read;
  const { path, message } = read.problem;
  // The place itself may be missing: then the nearest one around it is shown.
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const start = (node as { range?: [number, number, number] } | null)?.range?.[0];
    if (start === undefined) continue;
    const { line, col } = lines.linePos(start);
    return refused(message, line, col);
  }
  return refused(message);
}
