import { comparisons, groups, near, numbers, type Node, type Place, type Rule, rule, swaps } from './tree.ts';

const ENDS = /^(?:limit|offset|fetch|;|\))$/i;

/** Behind each item of an ORDER BY, where nothing says its direction. */
function downwards({ node, text, code }: Place) {
  if (!/^order$/i.test(text)) return [];
  const places: number[] = [];
  let last: Node | null = node.nextSibling;
  const word = (at: Node | null) => (at ? code.slice(at.from, at.to) : ';');
  while (last && !ENDS.test(word(last))) {
    const next: Node | null = last.nextSibling;
    if ((ENDS.test(word(next)) || word(next) === ',') && !/^(?:asc|desc)$/i.test(word(last)))
      places.push(last.to);
    last = next;
  }
  return places.map((at) => ({ from: at, to: at, insert: ' DESC' }));
}

export const SQL: Rule[] = [
  rule('nothing', 0.5, 'Operator', ({ node, text, code }) => {
    const next = node.nextSibling;
    if (!next || !/^(?:null|'')$/i.test(code.slice(next.from, next.to)) || !/^(?:=|<>|!=)$/.test(text))
      return [];
    const insert = text === '=' ? 'IS NULL' : 'IS NOT NULL';
    return [{ from: node.from, to: next.to, insert }];
  }),
  rule('nothing', 1, 'Keyword', ({ node, text }) =>
    /^is$/i.test(text) && node.nextSibling?.name === 'Null' ? ['IS NOT'] : [],
  ),
  ...comparisons('Operator', '=', '<>'),
  groups('logic', 1, 'Keyword', 'AND OR'),
  swaps('join', 1, 'Keyword', 'INNER LEFT', 'LEFT INNER RIGHT', 'RIGHT LEFT', 'FULL LEFT'),
  rule('join', 1, 'Keyword', ({ node, text, code }) =>
    /^join$/i.test(text) && !/(?:left|inner|right|full|outer|cross)\s+$/i.test(code.slice(0, node.from))
      ? ['LEFT JOIN']
      : [],
  ),
  groups('aggregate', 1, 'Keyword Identifier', 'count sum', 'min max', 'avg sum max'),
  swaps('order', 1, 'Keyword', 'ASC DESC', 'DESC ASC'),
  rule('order', 1.2, 'Keyword', downwards),
  rule('rows', 1.3, 'Keyword', ({ text, node, code }) => {
    const word = text.toUpperCase();
    const next = /^\s*(\w+)/.exec(code.slice(node.to))?.[1]?.toUpperCase();
    if (word === 'DISTINCT' || word === 'ALL') return [''];
    if (word === 'UNION') return next === 'ALL' ? [] : ['UNION ALL'];
    return word === 'SELECT' && next !== 'DISTINCT' ? ['SELECT DISTINCT'] : [];
  }),
  rule('rows', 1.3, 'Keyword Identifier', ({ node, text, code }) => {
    const open = /^count$/i.test(text) ? /^\s*\((?=\s*\w)(?!\s*distinct)/i.exec(code.slice(node.to)) : null;
    return open ? [{ from: node.from, to: node.to + open[0].length, insert: 'count(DISTINCT ' }] : [];
  }),
  rule('not', 1.4, 'Keyword', ({ node, text, code }) =>
    /^not$/i.test(text)
      ? ['']
      : /^(?:in|like|between|exists)$/i.test(text) && !/not\s+$/i.test(code.slice(0, node.from))
        ? [`NOT ${text}`]
        : [],
  ),
  rule('pattern', 1.3, 'String', ({ node, text }) => {
    const bare = text.slice(1, -1).replaceAll('%', '');
    return /like$/i.test(node.prevSibling?.name ?? '') || text.includes('%')
      ? [`'${bare}%'`, `'%${bare}'`, `'%${bare}%'`].filter((other) => other !== text)
      : [];
  }),
  swaps('pattern', 1.3, 'Keyword', 'LIKE ILIKE', 'ILIKE LIKE'),
  numbers,
  groups('calculation', 1.8, 'Operator', '+ -', '* /'),
  near('name', 1.4, 'Identifier QuotedIdentifier'),
  near('text', 1.4, 'String'),
];
