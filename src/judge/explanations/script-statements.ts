import { isFunction, isTree, nameOf, nodesIn, type Tree } from './script.ts';

export interface Found {
  node?: Tree;
  message: string;
  explanation: string;
}

export const trees = (value: unknown): Tree[] => (Array.isArray(value) ? value.filter(isTree) : []);

export function methodOf(call: unknown): string | null {
  if (!isTree(call) || call.type !== 'CallExpression') return null;
  const { callee } = call as unknown as { callee: Tree };
  return callee.type === 'MemberExpression' ? nameOf(callee.property) : nameOf(callee);
}

const isNumber = (node: unknown): node is Tree => isTree(node) && typeof node.value === 'number';
const isBinary = (node: unknown, operators: RegExp): boolean =>
  isTree(node) && node.type === 'BinaryExpression' && operators.test(node.operator as string);

const EQUALITY = /^[=!]==?$/;
const ORDER = /^[<>]=?$/;

function atComparison(node: Tree): Found | null {
  if (node.type === 'LogicalExpression' && node.operator === '||') {
    const { left, right } = node as unknown as { left: Tree; right: Tree };
    const compared =
      isBinary(left, EQUALITY) || (left.type === 'LogicalExpression' && isBinary(left.left, EQUALITY));
    if (!compared || right.type !== 'Literal' || typeof right.value === 'boolean') return null;
    return {
      node: right,
      message: 'After || stands a value alone.',
      explanation: 'A comparison is needed on each side of it: c === "a" || c === "e".',
    };
  }
  if (isBinary(node, ORDER) && isBinary(node.left, ORDER)) {
    return {
      node,
      message: 'Three values are compared at once.',
      explanation: 'JavaScript compares two at a time. Join two comparisons with &&: 1 < n && n < 5.',
    };
  }
  if (!isBinary(node, EQUALITY)) return null;
  const sides = [node.left, node.right] as Tree[];
  if (sides.some((side) => nameOf(side) === 'NaN')) {
    return { node, message: 'Nothing equals NaN, not even NaN.', explanation: 'Ask Number.isNaN(value).' };
  }
  if (sides.some(({ type }) => type === 'ArrayExpression' || type === 'ObjectExpression')) {
    return {
      node,
      message: 'A value is compared with a new list or object.',
      explanation:
        'Each [] and {} is another one, so that this is never equal. For an empty list ask list.length === 0.',
    };
  }
  const kind = sides.find(({ type }) => type === 'Literal')?.value;
  if (
    sides.some(({ type, operator }) => type === 'UnaryExpression' && operator === 'typeof') &&
    (kind === 'array' || kind === 'null')
  ) {
    return {
      node,
      message: `typeof never gives "${kind}".`,
      explanation:
        kind === 'array'
          ? 'It says "object" of a list. Ask Array.isArray(value).'
          : 'It says "object" of null. Ask value === null.',
    };
  }
  const isDecimal = (side: unknown) => isNumber(side) && !Number.isInteger(side.value);
  if (
    sides.some(
      (side) =>
        isDecimal(side) || (isBinary(side, /^[-+*/]$/) && (isDecimal(side.left) || isDecimal(side.right))),
    )
  ) {
    return {
      node,
      message: 'Decimal numbers are compared.',
      explanation:
        'They are rounded, so that 0.1 + 0.2 is not quite 0.3. Ask whether they are close: Math.abs(a - b) < 0.001.',
    };
  }
  return null;
}

const GIVING =
  /^(?:toUpperCase|toLowerCase|trim|trimStart|trimEnd|replace|replaceAll|slice|concat|map|filter|padStart|padEnd|repeat|toFixed|toSorted|toReversed)$/;

function atUnkept(node: Tree): Found | null {
  if (node.type !== 'ExpressionStatement') return null;
  const does = node.expression as Tree;
  if (isBinary(does, EQUALITY)) {
    return {
      node,
      message: 'This line compares two values and does nothing with the answer.',
      explanation: 'To give a name a value write one =.',
    };
  }
  const method = methodOf(does);
  if (method && GIVING.test(method) && (does.callee as Tree).type === 'MemberExpression') {
    return {
      node,
      message: `What ${method} gives is not kept.`,
      explanation: `${method} gives a new value and leaves the old one as it is. Give it a name, or return it.`,
    };
  }
  if (does.type === 'MemberExpression' && !does.computed && nameOf(does.property)) {
    const name = nameOf(does.property)!;
    return {
      node,
      message: `${name} is named on this line and not called.`,
      explanation: `A method runs when parentheses follow its name: ${name}().`,
    };
  }
  return null;
}

/** In longer loops no names are looked for: nested loops would be read again and again. */
const LONGEST_LOOP = 1_000;

function atLoop(node: Tree): Found | null {
  if (!/^For|^While/.test(node.type) || node.end - node.start > LONGEST_LOOP) return null;
  const body = node.body as Tree;
  if (node.type === 'ForStatement') {
    const { test } = node as unknown as { test: Tree | null };
    if (
      isTree(test) &&
      isBinary(test, /^<=$/) &&
      isTree(test.right) &&
      test.right.type === 'MemberExpression' &&
      nameOf(test.right.property) === 'length'
    ) {
      return {
        node: test,
        message: 'This loop goes one place too far.',
        explanation: 'Places are counted from 0, so the last one is length - 1: write < and not <=.',
      };
    }
    const { init } = node as unknown as { init: Tree | null };
    const isVar = init?.type === 'VariableDeclaration' && init.kind === 'var';
    const name = isVar ? nameOf(trees(init.declarations)[0]?.id) : null;
    const made =
      name &&
      [...nodesIn(body)].find(
        (each) => isFunction(each) && [...nodesIn(each)].some((inner) => nameOf(inner) === name),
      );
    if (made) {
      return {
        node: init!,
        message: `The functions of this loop share one "${name}".`,
        explanation: 'A var is one for all rounds, and holds its last value when they run. Write let.',
      };
    }
  }
  if (node.type === 'ForInStatement') {
    const { left } = node as unknown as { left: Tree };
    const name = nameOf(left.type === 'VariableDeclaration' ? trees(left.declarations)[0]?.id : left);
    const isKey = [...nodesIn(body)].some(
      (each) => each.type === 'MemberExpression' && each.computed && nameOf(each.property) === name,
    );
    if (name && !isKey && !/^(?:k|key|prop|property|index|i)$/.test(name)) {
      return {
        node,
        message: `"${name}" is a key here, and no item.`,
        explanation:
          'for … in goes through the keys of an object, and the places of a list as texts. For its items write for … of.',
      };
    }
  }
  const statements = trees(body.body);
  const last = statements.at(-1);
  if (body.type === 'BlockStatement' && statements.length > 1 && last?.type === 'ReturnStatement') {
    return {
      node: last,
      message: 'A return stands at the end of a loop.',
      explanation: 'It ends the function in the first round. Move it below the loop, after its brace.',
    };
  }
  if (last?.type === 'IfStatement' && node.type !== 'WhileStatement' && endsBothWays(last)) {
    return {
      node: last.alternate as Tree,
      message: 'Both ways out of this if end the loop in its first round.',
      explanation:
        'Only the first item is looked at. Leave the else out, and put its return below the loop, after its brace.',
    };
  }
  return null;
}

function endsBothWays(node: Tree): boolean {
  return [node.consequent, node.alternate].every((way) => {
    if (!isTree(way)) return false;
    const end = way.type === 'BlockStatement' ? trees(way.body).at(-1) : way;
    return end?.type === 'ReturnStatement';
  });
}

function atSwitch(node: Tree): Found | null {
  if (node.type !== 'SwitchStatement') return null;
  const cases = trees(node.cases);
  for (const each of cases.slice(0, -1)) {
    const statements = trees(each.consequent);
    const last = statements.at(-1);
    if (!last || !/^(?:Expression|Variable)/.test(last.type)) continue;
    return {
      node: each,
      message: 'A case ends without break.',
      explanation: 'It goes on with the lines of the next case. Put break; at its end.',
    };
  }
  return null;
}

function atSign(node: Tree, code: string): Found | null {
  if (isBinary(node, /^\^$/)) {
    return {
      node,
      message: 'The sign ^ is no power in JavaScript.',
      explanation: 'It works on the bits of numbers. For powers write **, as in n ** 2.',
    };
  }
  if (node.type === 'AssignmentExpression' && node.operator === '=') {
    const right = node.right as Tree;
    const isPlus = right.type === 'UnaryExpression' && right.operator === '+';
    if (isPlus && /=\+\s*$/.test(code.slice(node.start, (right.argument as Tree).start))) {
      return {
        node,
        message: 'There is a =+ on this line.',
        explanation: 'That gives the name a new value. To add to the old one write +=.',
      };
    }
  }
  if (methodOf(node) === 'sort' && trees(node.arguments).length === 0) {
    return {
      node,
      message: 'sort compares texts.',
      explanation:
        'As texts 10 comes before 9. To sort numbers say how two of them compare: list.sort((a, b) => a - b).',
    };
  }
  return null;
}

const CHANGES = /^(?:push|pop|shift|unshift|splice|sort|reverse|fill)$/;

export function atAlias(tree: Tree): Found | null {
  const names = new Map<string, Tree>();
  for (const node of nodesIn(tree)) {
    if (node.type === 'VariableDeclarator' && nameOf(node.init) && nameOf(node.id))
      names.set(nameOf(node.id)!, node);
    if (!CHANGES.test(methodOf(node) ?? '')) continue;
    const callee = node.callee as Tree;
    const made = callee.type === 'MemberExpression' ? names.get(nameOf(callee.object) ?? '') : undefined;
    if (!made) continue;
    const [name, other] = [nameOf(made.id), nameOf(made.init)];
    return {
      node: made,
      message: `"${name}" and "${other}" are the same list.`,
      explanation: `A second name makes no second list: what changes one changes both. Write ${name} = [...${other}].`,
    };
  }
  return null;
}

export function atPlainText(tree: Tree, value: string | null): Found | null {
  if (!value || !/[{$]/.test(value)) return null;
  const names = new Set(
    [...nodesIn(tree)].flatMap((node) => (node.type === 'Identifier' ? [nameOf(node)] : [])),
  );
  for (const node of nodesIn(tree)) {
    if (node.type === 'Literal' && typeof node.value === 'string' && /\$\{[^}]/.test(node.value)) {
      if (!value.includes('${')) continue;
      return {
        node,
        message: 'The braces of a text are shown as they stand.',
        explanation: 'Values are put into texts in backticks only: write ` and not a quote at both ends.',
      };
    }
    if (node.type !== 'TemplateElement') continue;
    const text = String((node.value as { raw?: unknown } | null)?.raw ?? '');
    for (const [all, name] of text.matchAll(/(?:\{|\$)(\w+)\}?/g)) {
      if (!names.has(name!) || !value.includes(all)) continue;
      return {
        node,
        message: `${all} is shown as it stands.`,
        explanation: `Between backticks a value is put in with a $ and braces: \${${name}}.`,
      };
    }
  }
  return null;
}

export function atMeaning(node: Tree, code: string): Found | null {
  return atComparison(node) ?? atUnkept(node) ?? atLoop(node) ?? atSwitch(node) ?? atSign(node, code);
}
