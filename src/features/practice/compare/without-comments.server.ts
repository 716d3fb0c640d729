import { pythonLanguage } from '@codemirror/lang-python';
import * as css from 'css-tree';
import { defaultTreeAdapter as tree, type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { type Comments, parseScript } from '../script-parser.ts';
import { sqlPieces } from '../groups/sql-pieces.ts';

const GONE = '\0';

/** A program without comments, where people put their names; null where it cannot be read. */
export async function withoutComments(language: CodingLanguage, code: string): Promise<string | null> {
  const comments = await FINDERS[language]?.(code);
  if (!comments) return null;
  let cut = '';
  let at = 0;
  for (const { start, end } of comments.toSorted((a, b) => a.start - b.start)) {
    cut += code.slice(at, start) + GONE;
    at = end;
  }
  return (
    (cut + code.slice(at))
      // A line that was nothing but a comment goes with it; what stood before and behind one stays apart.
      .replace(/^[ \t]*\0[ \t\0]*(\r?\n|$)/gm, '')
      // Looking back keeps long runs of blanks from being read again from each of them.
      .replace(/(?<![ \t])[ \t]*\0+[ \t]*$/gm, '')
      .replace(/\0+/g, ' ')
      .trim()
  );
}

const FINDERS: Partial<Record<CodingLanguage, (code: string) => Comments | null | Promise<Comments | null>>> =
  {
    javascript: (code) => scriptComments(code, false),
    react: (code) => scriptComments(code, true),
    python: pythonComments,
    html: htmlComments,
    css: cssComments,
    sql: sqlComments,
    typescript: typedComments,
  };

function scriptComments(code: string, withJsx: boolean): Comments | null {
  const comments: Comments = [];
  return 'program' in parseScript(code, withJsx, comments) ? comments : null;
}

const IN_TYPES = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|(\/\*[\s\S]*?\*\/|\/\/.*)/g;

async function typedComments(code: string): Promise<Comments | null> {
  const { default: blankTypes } = await import('ts-blank-space');
  let isBeyond = false;
  const plain = blankTypes(code, () => {
    isBeyond = true;
  });
  const comments = isBeyond ? null : scriptComments(plain, false);
  if (!comments) return null;
  // Blanks stand where types stood, so that each place is the learner's.
  const types = Array.from({ length: code.length }, (_, at) =>
    code[at] === plain[at] ? blank(code[at]!) : code[at],
  );
  for (const { 1: comment, index } of types.join('').matchAll(IN_TYPES)) {
    if (comment) comments.push({ start: index, end: index + comment.length });
  }
  return comments;
}

const blank = (sign: string) => (/\s/.test(sign) ? sign : ' ');

function pythonComments(code: string): Comments | null {
  const comments: Comments = [];
  let isBroken = false;
  pythonLanguage.parser.parse(code).iterate({
    enter: ({ type, name, from, to, node }) => {
      isBroken ||= type.isError;
      if (name === 'Comment') comments.push({ start: from, end: to });
      if (name !== 'ExpressionStatement' || !/String$/.test(node.firstChild?.name ?? '')) return;
      // A body has to be something: a text that is all of it stays, and is empty.
      const isBody = node.parent?.name === 'Body' && !node.nextSibling && node.prevSibling?.name === ':';
      const prefix = /^\w*/.exec(code.slice(from, to))![0].length;
      comments.push(isBody ? { start: from + prefix + 1, end: to - 1 } : { start: from, end: to });
    },
  });
  return isBroken ? null : comments;
}

function htmlComments(code: string): Comments {
  const comments: Comments = [];
  /** What cannot be read is not shown. */
  const within = (from: number, to: number, find: (text: string) => Comments | null): void => {
    const inside = find(code.slice(from, to)) ?? [{ start: 0, end: to - from }];
    comments.push(...inside.map(({ start, end }) => ({ start: from + start, end: from + end })));
  };
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    const place = node.sourceCodeLocation;
    if (tree.isCommentNode(node) && place) {
      comments.push({ start: place.startOffset, end: place.endOffset });
    } else if (tree.isTextNode(node) && place && node.parentNode && tree.isElementNode(node.parentNode)) {
      const find = { style: cssComments, script: (text: string) => scriptComments(text, false) }[
        node.parentNode.tagName
      ];
      if (find) within(place.startOffset, place.endOffset, find);
    } else if (tree.isElementNode(node)) {
      for (const [name, at] of Object.entries(node.sourceCodeLocation?.attrs ?? {})) {
        const find = name === 'style' ? cssComments : name.startsWith('on') ? handlerComments : null;
        const written = /^[^=]*=\s*(["']?)/.exec(code.slice(at.startOffset, at.endOffset));
        if (find && written)
          within(at.startOffset + written[0].length, at.endOffset - written[1]!.length, find);
      }
    }
    if (tree.isElementNode(node) && node.tagName === 'template' && 'content' in node) {
      visit((node as DefaultTreeAdapterTypes.Template).content);
    } else if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  // As a browser without scripts reads it: with them, what is in a `noscript` is text.
  visit(parse(code, { sourceCodeLocationInfo: true, scriptingEnabled: false }));
  return comments;
}

function handlerComments(code: string): Comments | null {
  const before = 'function f(event) {';
  const comments = scriptComments(`${before}${code}\n}`, false);
  return (
    comments?.map(({ start, end }) => ({ start: start - before.length, end: end - before.length })) ?? null
  );
}

function cssComments(code: string): Comments {
  const comments: Comments = [];
  css.tokenize(code, (type, start, end) => {
    if (type === css.tokenTypes.Comment) comments.push({ start, end });
  });
  return comments;
}

function sqlComments(code: string): Comments | null {
  const { pieces, comments, isBroken } = sqlPieces(code);
  if (isBroken) return null;
  for (const { kind, text, from, to } of pieces) {
    // A text between dollars is most often a program of its own; of one that cannot be read nothing is shown.
    const quote = kind === 'String' ? /^\$\w*\$/.exec(text)?.[0].length : undefined;
    if (quote === undefined) continue;
    const [begins, ends] = [from + quote, to - quote];
    const inside = sqlComments(code.slice(begins, ends)) ?? [{ start: 0, end: ends - begins }];
    comments.push(...inside.map(({ start, end }) => ({ start: begins + start, end: begins + end })));
  }
  return comments;
}
