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

const LOOPS = /^(?:For|While|If)Statement$/;
const methods = [Array.prototype, String.prototype, Math].flatMap((one) => Object.getOwnPropertyNames(one));

function isAsync({ node, code }: Place): boolean {
  for (let at: Node | null = node; at; at = at.parent)
    if (/Function|Method/.test(at.name))
      return /^(?:export )?(?:default )?async\b/.test(code.slice(at.from, at.to));
  return true;
}

const isLast = ({ nextSibling }: Node) => nextSibling?.name === '}';

/** The statement at the end of a block goes behind it, the one behind a block into it. */
function moved({ node, text, code }: Place) {
  const block = node.parent?.name === 'Block' ? node.parent.parent : null;
  const before = node.prevSibling;
  return [
    ...(block && LOOPS.test(block.name) && isLast(node)
      ? [{ from: node.from, to: block.to, insert: `${code.slice(node.to, block.to)}\n${text}` }]
      : []),
    ...(before && LOOPS.test(before.name) && code[before.to - 1] === '}'
      ? [{ from: before.to - 1, to: node.to, insert: `${text}\n}` }]
      : []),
  ];
}

export const SCRIPT: Rule[] = [
  ...comparisons('CompareOp', '===', '!=='),
  swaps('comparison', 1, 'CompareOp', '== === !=', '!= !== =='),
  rule('comparison', 1, 'AssignmentExpression', ({ node, text }) =>
    node.parent?.name === 'ParenthesizedExpression' ? [text.replace('=', '===')] : [],
  ),
  groups('logic', 1, 'LogicOp', '&& ||', '?? ||'),
  rule('logic', 0.9, 'BinaryExpression', (place) => {
    const [left, sign] = [place.node.firstChild!, place.node.firstChild!.nextSibling];
    const middle = left.firstChild?.nextSibling?.name === 'CompareOp' ? textOf(place, left.lastChild) : null;
    return middle && sign?.name === 'CompareOp'
      ? [`${textOf(place, left)} && ${middle} ${place.code.slice(sign.from, place.node.to)}`]
      : [];
  }),
  rule('not', 1.5, 'UnaryExpression', ({ text }) => (/^!/.test(text) ? [text.slice(1)] : [])),
  rule('not', 2, 'ParenthesizedExpression', ({ node, text }) =>
    LOOPS.test(node.parent!.name) ? [`(!${text})`] : [],
  ),
  rule('loop', 1, 'in of', ({ node, text }) =>
    /For/.test(node.parent!.name) ? [text === 'in' ? 'of' : 'in'] : [],
  ),
  numbers,
  rule('number', 1.5, 'BinaryExpression', (place) =>
    /[-+]\s*1$/.test(place.text) ? [textOf(place, place.node.firstChild)] : [],
  ),
  rule('number', 2, 'VariableName MemberExpression', ({ node, text }) =>
    (node.name === 'VariableName' &&
      node.prevSibling?.name === '[' &&
      node.parent!.name === 'MemberExpression') ||
    /\.length$/.test(text)
      ? [`${text} - 1`, `${text} + 1`]
      : [],
  ),
  rule('wait', 1.5, 'CallExpression', (place) =>
    place.node.parent!.name !== 'AwaitExpression' &&
    isAsync(place) &&
    /\basync\b|\bPromise\b/.test(place.code)
      ? [`(await ${place.text})`]
      : [],
  ),
  rule('return', 1, 'ExpressionStatement', ({ node, text }) => {
    if (node.parent!.name !== 'Block' || !isLast(node)) return [];
    const printed = /^console\.log\((.*)\);?$/s.exec(text)?.[1];
    return [`return ${printed ?? text}`];
  }),
  rule('return', 0.9, 'ReturnStatement', (place) => {
    const next = place.node.nextSibling;
    return /^return;?$/.test(place.text) && next?.name === 'ExpressionStatement'
      ? [{ from: place.node.from, to: next.to, insert: `return ${textOf(place, next)}` }]
      : [];
  }),
  rule('return', 0.9, 'Block', ({ node, text }) =>
    node.parent!.name === 'ArrowFunction' ? [`(${text})`] : [],
  ),
  rule('call', 1.6, 'VariableName', ({ node, text }) =>
    node.parent!.name === 'ReturnStatement' ? [`${text}()`] : [],
  ),
  rule('place', 1.2, 'ReturnStatement ExpressionStatement', moved),
  groups('calculation', 1.7, 'ArithOp', '+ - *', '* / **', '/ %', '++ --'),
  swaps('calculation', 1, 'BitOp', '^ **', '& &&', '| ||'),
  rule('calculation', 1.8, 'BinaryExpression', (place) => {
    const [left, op, right] = [
      place.node.firstChild!,
      place.node.firstChild?.nextSibling,
      place.node.lastChild!,
    ];
    const sign = textOf(place, op ?? null);
    return /^[-/%+]$/.test(sign) ? [`${textOf(place, right)} ${sign} ${textOf(place, left)}`] : [];
  }),
  rule('calculation', 1.8, 'ArgList', ({ node, text, code }) =>
    text === '()' && /\.(?:sort|toSorted)$/.test(code.slice(0, node.from)) ? ['((a, b) => a - b)'] : [],
  ),
  swaps('name', 1, 'PropertyName', 'size length', 'length size'),
  swaps('update', 1.3, 'UpdateOp', '+= = -= *=', '-= +=', '*= +=', '/= *='),
  rule('update', 1, 'ExpressionStatement', ({ node, text }) =>
    node.firstChild!.name === 'BinaryExpression' && /===?/.test(text) ? [text.replace(/===?/, '=')] : [],
  ),
  rule('update', 1.3, 'Equals', ({ node }) =>
    node.parent!.name === 'AssignmentExpression' ? ['+=', '*='] : [],
  ),
  swaps('constant', 1, 'const var', 'const let', 'var let'),
  rule('constant', 1.1, 'VariableDeclaration', ({ node, text, code }) => {
    const loop = node.parent!.name === 'Block' ? node.parent!.parent! : null;
    return loop && /^(?:For|While)Statement$/.test(loop.name)
      ? [{ from: loop.from, to: node.to, insert: `${text}\n${code.slice(loop.from, node.from)}` }]
      : [];
  }),
  rule('constant', 1, 'VariableDefinition', ({ node, text }) =>
    node.parent!.name === 'VariableDeclaration' && node.nextSibling?.name !== 'Equals'
      ? [`${text} = 0`, `${text} = 1`, `${text} = ''`]
      : [],
  ),
  rule('kept', 1, 'ExpressionStatement', ({ node, text }) => {
    const name = /^(\w+)\.\w+\(/.exec(text)?.[1];
    return name && node.firstChild!.name === 'CallExpression' ? [`${name} = ${text}`] : [];
  }),
  rule('kept', 1, 'ReturnStatement', ({ text }) => {
    const name = /^return (\w+)\.\w+\(/.exec(text)?.[1];
    return name ? [`${text.slice(7)}\nreturn ${name};`] : [];
  }),
  rule('copy', 1, 'VariableName', ({ node, text }) =>
    node.prevSibling?.name === 'Equals' && node.parent!.name === 'VariableDeclaration'
      ? [`[...${text}]`]
      : [],
  ),
  rule('template', 0.9, 'String', ({ text }) => (/\$\{/.test(text) ? [`\`${text.slice(1, -1)}\``] : [])),
  rule('template', 0.9, 'TemplateString', ({ text, words }) => {
    const put = text.replace(/\$?\{(\w+)\}|\$(\w+)/g, (all, a, b) =>
      words.has(a ?? b) ? `\${${a ?? b}}` : all,
    );
    return [put];
  }),
  rule('not', 1, ';', ({ node, text }) =>
    /^(?:If|For|While)Statement$/.test(node.parent!.name) && text ? [''] : [],
  ),
  calls(
    1.5,
    'PropertyName',
    'min max|push unshift|pop shift|some every|map filter forEach find|floor ceil round trunc|indexOf lastIndexOf|' +
      'toUpperCase toLowerCase|keys values entries|slice splice|startsWith endsWith|padStart padEnd|trimStart trimEnd trim|' +
      'sort toSorted|reverse toReversed|replace replaceAll|all race|findLast find|reduce reduceRight|includes has get',
  ),
  rule('call', 1.7, 'MemberExpression', ({ node, text }) =>
    node.parent!.name !== 'CallExpression' &&
    methods.includes(text.split('.').at(-1)!) &&
    !/\.length$/.test(text)
      ? [`${text}()`]
      : [],
  ),
  groups('truth', GUESS, 'BooleanLiteral', 'true false'),
  rule('spread', 1, 'Property', (place) => {
    const next = place.node.nextSibling?.nextSibling;
    if (next?.name !== 'Property' || !/\.\.\./.test(place.text + textOf(place, next))) return [];
    return [{ from: place.node.from, to: next.to, insert: `${textOf(place, next)}, ${place.text}` }];
  }),
  near('name', 1.4, 'VariableName PropertyName', methods),
  others(() => true),
];

export const REACT: Rule[] = [
  groups('attribute', 1, 'JSXIdentifier', 'class className', 'for htmlFor', 'onClick onSubmit onChange'),
  swaps('attribute', 1, 'JSXIdentifier', 'onclick onClick', 'onchange onChange', 'onsubmit onSubmit'),
  near('text', 1.5, 'JSXText JSXAttributeValue'),
  ...SCRIPT,
];
