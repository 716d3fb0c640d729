import { type SqlPiece, sqlPieces } from '#src/features/practice/groups/sql-pieces.ts';

interface SqlEdit {
  kind: 'statement' | 'condition' | 'boundary' | 'operator' | 'constant';
  from: number;
  to: number;
  text: string;
}

const COMPARISONS: Record<string, { kind: SqlEdit['kind']; text: string }> = {
  '=': { kind: 'operator', text: '<>' },
  '<>': { kind: 'operator', text: '=' },
  '!=': { kind: 'operator', text: '=' },
  '<': { kind: 'boundary', text: '<=' },
  '<=': { kind: 'boundary', text: '<' },
  '>': { kind: 'boundary', text: '>=' },
  '>=': { kind: 'boundary', text: '>' },
};
const ARITHMETIC: Record<string, string> = { '+': '-', '-': '+', '*': '+', '/': '*' };
const WORDS: Record<string, string> = { asc: 'DESC', desc: 'ASC', true: 'false', false: 'true' };
const AGGREGATES: Record<string, string> = { sum: 'max', max: 'min', min: 'max', avg: 'max' };

const CLAUSES = new Set(
  'group having window order limit offset fetch for union except intersect returning on rows range groups'.split(
    ' ',
  ),
);

/** Mutations of SQL; none for an open bracket or string. */
export function sqlEdits(code: string): SqlEdit[] {
  const { pieces, isBroken } = sqlPieces(code);
  if (isBroken) return [];
  const edits: SqlEdit[] = statementEdits(pieces);
  const add = (kind: SqlEdit['kind'], from: number, to: number, text: string) =>
    edits.push({ kind, from, to, text });
  const between = new Set<number>();
  /** `first` begins the statement; `setIn` is the bracket of SET before WHERE. */
  let first = '';
  let setIn: number | null = null;
  pieces.forEach((piece, at) => {
    const { kind, text, from, to, around } = piece;
    const before = pieces[at - 1];
    const next = pieces[at + 1];
    const is = (...words: string[]) => words.every((word, place) => pieces[at + place]?.text === word);
    if (!before || before.text === ';') {
      first = text;
      between.clear();
    }
    if (text === 'set') setIn = around;
    if (text === ';' || (setIn === around && (text === 'where' || text === 'from'))) setIn = null;
    const isWord = kind !== 'String' && kind !== 'QuotedIdentifier';
    if (kind === 'Operator') {
      const swap = COMPARISONS[text];
      if (swap && !(text === '=' && setIn === around)) add(swap.kind, from, to, swap.text);
      else if (
        ARITHMETIC[text] &&
        before?.text !== '(' &&
        next?.text !== ')' &&
        isOperand(before) &&
        isOperand(next)
      )
        add('operator', from, to, ARITHMETIC[text]);
    } else if (kind === 'Number') {
      // EXISTS ignores what it selects.
      const isAny = before?.text === 'select' && pieces[at - 3]?.text === 'exists';
      if (!isAny && !isSize(pieces, at) && /^[\d.]+$/.test(text))
        add('constant', from, to, String(Number(text) + 1));
    } else if (kind === 'String') {
      if (text.startsWith("'")) add('constant', from + 1, to - 1, otherText(text.slice(1, -1)));
    } else if (isWord && text in WORDS) add('operator', from, to, WORDS[text]!);
    else if (isWord && text in AGGREGATES && next?.text === '(') add('operator', from, to, AGGREGATES[text]!);
    else if (is('between')) between.add(around);
    else if (is('and') && between.delete(around)) return;
    else if (is('and')) add('operator', from, to, 'OR');
    else if (is('or') && before?.text !== 'create') add('operator', from, to, 'AND');
    else if (is('join')) {
      const side = before?.text === 'outer' ? pieces[at - 2] : before;
      // Not the other way: with a foreign key LEFT JOIN may be the same.
      if (/^(?:left|right|full)$/.test(side?.text ?? '')) add('operator', side!.from, from, '');
    } else if (is('where') || is('having')) {
      // In FILTER it stands alone.
      if (before?.text !== '(') add('statement', from, endOf(pieces, at), '');
    } else if (is('order', 'by')) edits.push(...orderEdits(pieces, at));
    else if (is('distinct') && !is('distinct', 'on') && !/^(?:is|not)$/.test(before?.text ?? ''))
      add('statement', from, next?.from ?? to, '');
    else if (is('union', 'all')) add('operator', next!.from, next!.to, '');
    else if (is('union')) add('operator', to, to, ' ALL');
    else if (is('is', 'null')) add('operator', to, to, ' NOT');
    else if (is('is', 'not')) add('operator', next!.from, next!.to, '');
    else if (is('not') && /^(?:in|like|ilike|between|exists|\()$/.test(next?.text ?? ''))
      add('condition', from, next!.from, '');
    else if (first === 'create' || first === 'alter') edits.push(...ruleEdits(pieces, at));
  });
  return edits;
}

function statementEdits(pieces: readonly SqlPiece[]): SqlEdit[] {
  const edits: SqlEdit[] = [];
  pieces.forEach((piece, at) => {
    const { from } = piece;
    if (piece.text === ';' || (at > 0 && pieces[at - 1]!.text !== ';')) return;
    const end = pieces.findIndex(({ text }, place) => place > at && text === ';');
    const { to } = pieces[end < 0 ? pieces.length - 1 : end]!;
    edits.push({ kind: 'statement', from, to, text: '' });
  });
  return edits.length > 1 ? edits : [];
}

function orderEdits(pieces: readonly SqlPiece[], at: number): SqlEdit[] {
  const { from, around } = pieces[at]!;
  const to = endOf(pieces, at);
  const own = pieces.filter((piece) => piece.from > from && piece.to <= to);
  // WITHIN GROUP needs one.
  const bracket = pieces.findIndex((piece) => piece.from === around);
  const edits: SqlEdit[] =
    pieces[bracket - 1]?.text === 'group' ? [] : [{ kind: 'statement', from, to, text: '' }];
  return own.some(({ text }) => /^(?:asc|desc|using|nulls)$/.test(text))
    ? edits
    : [...edits, { kind: 'operator', from: to, to, text: ' DESC' }];
}

function ruleEdits(pieces: readonly SqlPiece[], at: number): SqlEdit[] {
  const { text, from, to } = pieces[at]!;
  const [before, next] = [pieces[at - 1]?.text ?? '', pieces[at + 1]];
  const leftOut = (end: number): SqlEdit[] => [{ kind: 'condition', from, to: end, text: '' }];
  if (text === 'not' && next?.text === 'null' && before !== 'is') return leftOut(next.to);
  if (text === 'unique') {
    if (before === 'create') return leftOut(next?.from ?? to);
    return next?.text === '(' || before === 'add' || before === ',' ? [] : leftOut(to);
  }
  if (text === 'check' && next?.text === '(' && !['add', ',', '('].includes(before)) {
    const end = pieces.find((piece) => piece.text === ')' && piece.around === next.from);
    return end ? leftOut(end.to) : [];
  }
  return [];
}

function endOf(pieces: readonly SqlPiece[], at: number): number {
  const { around } = pieces[at]!;
  const next = pieces.findIndex(
    (piece, place) =>
      place > at && piece.around === around && (CLAUSES.has(piece.text) || /^[;)]$/.test(piece.text)),
  );
  return pieces[next < 0 ? pieces.length - 1 : next - 1]!.to;
}

/** Such as the 10 of varchar(10). */
function isSize(pieces: readonly SqlPiece[], at: number): boolean {
  const bracket = pieces.findIndex(({ from }) => from === pieces[at]!.around);
  return pieces[bracket - 1]?.kind === 'Type';
}

const isOperand = (piece: SqlPiece | undefined) =>
  piece !== undefined &&
  (/^(?:Identifier|QuotedIdentifier|Number|String|\(|\))$/.test(piece.kind) ||
    (piece.kind === 'Keyword' &&
      !/^(?:select|distinct|from|by|where|and|or|then|else|when|as|over)$/.test(piece.text)));

/** Of a date or an interval the first number changes: an invalid one would fail every test. */
const otherText = (text: string) =>
  /^\d+[- ]/.test(text)
    ? text.replace(/^\d+/, (number) => String(Number(number) + 1))
    : text === ''
      ? 'changed'
      : '';
