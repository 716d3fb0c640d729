import { PostgreSQL } from '@codemirror/lang-sql';

export interface SqlPiece {
  kind: string;
  text: string;
  from: number;
  to: number;
  /** Position of its bracket; -1 outside of all. */
  around: number;
}

const WORDS = new Set(['Keyword', 'Identifier', 'Type', 'Builtin', 'Bool', 'Null', 'SpecialVar']);
const CLOSED = /^[^'"$]*(?:'[\s\S]*'|"[\s\S]*"|(\$\w*\$)[\s\S]*\1)$/;

/**
 * Pieces and comments of SQL, and whether brackets or texts are left open: the parser tells no other
 * mistakes.
 */
export function sqlPieces(code: string): {
  pieces: SqlPiece[];
  comments: { start: number; end: number }[];
  isBroken: boolean;
} {
  const pieces: SqlPiece[] = [];
  const comments: { start: number; end: number }[] = [];
  const around = [-1];
  let isBroken = false;
  PostgreSQL.language.parser.parse(code).iterate({
    enter: ({ type, name, from, to, node }) => {
      if (/^(?:Parens|Brackets|Braces)$/.test(name)) around.push(from);
      if (node.firstChild) return;
      const text = code.slice(from, to);
      // The parser knows no letters beyond those of English.
      const isLetter = type.isError && /^[\u0080-\uffff]+$/.test(text);
      isBroken ||=
        (type.isError && !isLetter) || (/^(?:String|QuotedIdentifier)$/.test(name) && !CLOSED.test(text));
      if (/Comment$/.test(name)) comments.push({ start: from, end: to });
      else if (from < to) {
        const kind = isLetter ? 'Identifier' : name;
        const last = pieces.at(-1);
        const isWord = WORDS.has(kind);
        // Such a letter parts a word in two.
        if (last && last.to === from && isWord && WORDS.has(last.kind)) {
          last.kind = 'Identifier';
          last.text += text.toLowerCase();
          last.to = to;
        } else
          pieces.push({ kind, text: isWord ? text.toLowerCase() : text, from, to, around: around.at(-1)! });
      }
    },
    leave: ({ name }) => {
      if (/^(?:Parens|Brackets|Braces)$/.test(name)) around.pop();
    },
  });
  return { pieces, comments, isBroken };
}
