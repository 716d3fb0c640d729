import {
  calls,
  comparisons,
  GUESS,
  groups,
  near,
  numbers,
  others,
  type Node,
  type Place,
  type Rule,
  rule,
  swaps,
  textOf,
} from './tree.ts';

const BLOCKS = /^(?:For|While|If)Statement$/;
const STATEMENTS = 'ReturnStatement ExpressionStatement AssignStatement UpdateStatement';

const indentOf = (code: string, node: Node) => node.from - (code.lastIndexOf('\n', node.from - 1) + 1);

/** The statement at the end of a block goes behind it, the one behind a block into it. */
function moved({ node, code }: Place) {
  const block = node.parent?.name === 'Body' && !node.nextSibling ? node.parent.parent : null;
  const before = node.prevSibling;
  const inside = before && BLOCKS.test(before.name) ? before.lastChild?.lastChild : null;
  const from = node.from - indentOf(code, node);
  return [
    ...(block && BLOCKS.test(block.name) ? [indentOf(code, block)] : []),
    ...(inside ? [indentOf(code, inside)] : []),
  ].map((indent) => ({ from, to: node.from, insert: ' '.repeat(indent) }));
}

const LOOP = /^(?:For|While)Statement$/;
const isLoop = (node: Node | null | undefined): node is Node => LOOP.test(node?.name ?? '');

function isInLoop(node: Node): boolean {
  for (let at = node.parent; at && !/Definition/.test(at.name); at = at.parent)
    if (LOOP.test(at.name)) return true;
  return false;
}

/** A first value in a loop goes before it, the one right before a loop into it. */
function movedStart({ node, text, code }: Place) {
  const [loop, next] = [node.parent?.parent, node.nextSibling];
  const first = isLoop(next) ? next.lastChild?.firstChild?.nextSibling : null;
  const put = (to: Node, from: Node, indent: Node, before: string, after: string) => ({
    from: from.from,
    to: to.from,
    insert: `${before}${text}\n${' '.repeat(indentOf(code, indent))}${after}`,
  });
  return [
    ...(isLoop(loop) && next ? [put(next, loop, loop, '', code.slice(loop.from, node.from))] : []),
    ...(first ? [put(first, node, first, code.slice(next!.from, first.from), '')] : []),
  ];
}

export const PYTHON: Rule[] = [
  ...comparisons('CompareOp', '==', '!='),
  groups('comparison', 2, 'is CompareOp', 'is =='),
  groups('logic', 1, 'and or', 'and or'),
  rule('not', 1.5, 'UnaryExpression', ({ text }) => (/^not\b/.test(text) ? [text.slice(4)] : [])),
  rule('not', 1.5, 'not', ({ node }) => (node.parent!.name === 'BinaryExpression' ? [''] : [])),
  rule('not', 1.5, 'in', ({ node }) =>
    node.parent!.name === 'BinaryExpression' && node.prevSibling?.name !== 'not' ? ['not in'] : [],
  ),
  rule('not', 2, 'BinaryExpression CallExpression VariableName MemberExpression', ({ node, text }) =>
    /^(?:el)?if$|^while$/.test(node.prevSibling?.name ?? '') ? [`not (${text})`] : [],
  ),
  numbers,
  rule('number', 1.5, 'BinaryExpression', (place) =>
    /[-+]\s*1$/.test(place.text) ? [textOf(place, place.node.firstChild)] : [],
  ),
  rule('number', 1.4, 'CallExpression', ({ text }) => {
    const range = /^range\((.*)\)$/s.exec(text)?.[1];
    return range
      ? [
          `range(${range} + 1)`,
          `range(${range} - 1)`,
          ...(range.includes(',') ? [] : [`range(1, ${range} + 1)`]),
        ]
      : /^len\(/.test(text)
        ? [`(${text} - 1)`, `(${text} + 1)`]
        : [];
  }),
  rule('number', 2, 'VariableName', ({ node, text }) =>
    node.prevSibling?.name === '[' && node.parent!.name === 'MemberExpression'
      ? [`${text} - 1`, `${text} + 1`]
      : [],
  ),
  rule('return', 1, 'ExpressionStatement', ({ node, text }) =>
    node.parent!.name !== 'Body' || node.nextSibling || /^["']/.test(text)
      ? []
      : [`return ${/^print\((.*)\)$/s.exec(text)?.[1] ?? text}`],
  ),
  swaps('return', 1.5, 'yield return', 'return yield', 'yield return'),
  rule('return', 0.9, 'ReturnStatement', (place) => {
    const next = place.node.nextSibling;
    return place.text === 'return' && next
      ? [{ from: place.node.from, to: next.to, insert: `return ${textOf(place, next)}` }]
      : [];
  }),
  rule('return', 0.9, 'ReturnStatement', ({ text }) => {
    const printed = /^return print\((.*)\)$/s.exec(text)?.[1];
    return printed ? [`return ${printed}`] : [];
  }),
  rule('call', 1.6, 'VariableName', ({ node, text }) =>
    node.parent!.name === 'ReturnStatement' ? [`${text}()`] : [],
  ),
  rule('kept', 1, 'ExpressionStatement', ({ text }) => {
    const name = /^(\w+)\.\w+\(/.exec(text)?.[1] ?? /^\w+\((\w+)[),]/.exec(text)?.[1];
    return name ? [`${name} = ${text}`] : [];
  }),
  rule('kept', 1, 'ReturnStatement AssignStatement', ({ node, text, code }) => {
    const [, name, call, list] = /^(?:return|(\w+) =) ((\w+)\.\w+\(.*)$/s.exec(text) ?? [];
    const line = `\n${' '.repeat(indentOf(code, node))}`;
    return call
      ? [`${call}${line}${name ? `${name} =` : 'return'} ${list}`, ...(name === list ? [call] : [])]
      : [];
  }),
  rule('copy', 1, 'VariableName', ({ node, text }) =>
    (node.prevSibling?.name === 'AssignOp' && !node.nextSibling) || node.prevSibling?.name === 'in'
      ? [`list(${text})`]
      : [],
  ),
  rule('template', 0.9, 'String', ({ text }) => (/\{\w+/.test(text) ? [`f${text}`] : [])),
  rule('text', 1, 'ContinuedString', ({ text }) => [text.replace(/(["'])\s+(?=["'])/, '$1, ')]),
  rule('update', 1, 'ExpressionStatement', ({ text }) => {
    const [, sign, name] = /^(\+|-)\1(\w+)$/.exec(text) ?? [];
    return sign ? [`${name} ${sign}= 1`] : / == /.test(text) ? [text.replace('==', '=')] : [];
  }),
  rule('place', 1.1, STATEMENTS, moved),
  swaps('calculation', 1, 'BitOp', '^ **', '& and', '| or'),
  groups('calculation', 1.7, 'ArithOp', '+ - *', '* / **', '// / %', '- +'),
  rule('calculation', 1.8, 'BinaryExpression', (place) => {
    const sign = textOf(place, place.node.firstChild!.nextSibling);
    const [left, right] = [place.node.firstChild, place.node.lastChild];
    return /^(?:[-/%+]|\/\/)$/.test(sign) ? [`${textOf(place, right)} ${sign} ${textOf(place, left)}`] : [];
  }),
  swaps('update', 1.3, 'UpdateOp', '+= = -= *=', '-= +=', '*= +=', '/= //=', '//= /='),
  rule('update', 1.3, 'AssignOp', ({ node }) => (isInLoop(node) ? ['+=', '*='] : [])),
  rule('constant', 1.2, 'AssignStatement', movedStart),
  calls(
    1.4,
    'VariableName PropertyName',
    'min max|sum len|append extend|upper lower title capitalize|keys values items|floor ceil|startswith endswith|' +
      'strip lstrip rstrip|int float str|any all|sorted reversed|find rfind|set list|isalpha isalnum isdigit|' +
      'remove pop|split join',
  ),
  rule('call', 1.7, 'MemberExpression', ({ node, text }) =>
    node.parent!.name !== 'CallExpression' && /\.[a-z]+$/.test(text) ? [`${text}()`] : [],
  ),
  groups('truth', GUESS, 'Boolean', 'True False'),
  rule('order', 1.8, 'CallExpression', ({ text }) =>
    /^sorted\(|\.sort\(/.test(text) && !/reverse/.test(text)
      ? [text.replace(/,?\s*\)$/, `${/\(\)$/.test(text) ? '' : ', '}reverse=True)`)]
      : [],
  ),
  near('name', 1.4, 'VariableName PropertyName'),
  others(
    ({ parent, prevSibling, nextSibling }) =>
      !(
        /^(?:ParamList|FunctionDefinition)$/.test(parent!.name) ||
        prevSibling?.name === 'for' ||
        nextSibling?.name === 'AssignOp'
      ),
  ),
];
