import type { LearnerError } from '../protocol.ts';
import { nearest } from './nearest.ts';
import { explainReactWarning } from './react.ts';
import { isFunction, isTree, nameOf, nodesIn, ownKeys, placeOf, readScript, type Tree } from './script.ts';
import { atAlias, atMeaning, atPlainText, type Found, methodOf, trees } from './script-statements.ts';

/** Null for hidden values. */
interface SeenScript {
  input: string | null;
  value: string | null;
  output: string;
}

const hint = ({ node, message, explanation }: Found): LearnerError => ({
  name: 'Hint',
  message,
  ...(node ? placeOf(node) : { line: null, column: null }),
  explanation,
});

const ASKING = /^(?:map|filter|find|findIndex|findLast|some|every|reduce|sort|flatMap)$/;

const returnsOf = (body: Tree): Tree[] =>
  [...nodesIn(body, (node) => !isFunction(node))].filter(({ type }) => type === 'ReturnStatement');

const isTag = (node: unknown): boolean => isTree(node) && /^JSX(?:Element|Fragment)$/.test(node.type);

function alwaysReturns(node: unknown): boolean {
  if (!isTree(node)) return false;
  if (node.type === 'ReturnStatement' || node.type === 'ThrowStatement') return true;
  if (node.type === 'BlockStatement') return trees(node.body).some(alwaysReturns);
  if (node.type === 'IfStatement') return alwaysReturns(node.consequent) && alwaysReturns(node.alternate);
  // Loops, switch and try may do anything.
  return /^(?:For|While|DoWhile|Switch|Try|Labeled)/.test(node.type);
}

function atStatement(node: Tree): Found | null {
  if (node.type === 'ReturnStatement' || node.type !== 'BlockStatement') return null;
  const statements = trees(node.body);
  for (const [i, statement] of statements.entries()) {
    const next = statements[i + 1];
    if (statement.type !== 'ReturnStatement' || !next || /Declaration$/.test(next.type)) continue;
    if (statement.argument === null && next.type === 'ExpressionStatement') {
      return {
        node: statement,
        message: 'A return stands alone on its line.',
        explanation:
          'What it gives back begins on the same line, or in a parenthesis that opens there: return (. A return alone gives nothing.',
      };
    }
    return {
      node: next,
      message: 'This line never runs.',
      explanation: 'What stands after a return is never reached. Move the return to the end.',
    };
  }
  return null;
}

function atCondition(node: Tree): Found | null {
  if (!/^(?:If|While|For)Statement$/.test(node.type)) return null;
  const { test, body, consequent } = node as unknown as { test: unknown; body: unknown; consequent: unknown };
  if (
    isTree(test) &&
    test.type === 'AssignmentExpression' &&
    test.operator === '=' &&
    node.type !== 'ForStatement'
  ) {
    return {
      node: test,
      message: 'A single = stands in a condition.',
      explanation: 'It gives the name on its left a new value. To compare two values write ===.',
    };
  }
  if (isTree(test) && test.type === 'ArrowFunctionExpression' && node.type !== 'ForStatement') {
    return {
      node: test,
      message: 'In this condition => stands, which makes a function.',
      explanation: 'A function counts as true, so that the condition always holds. To compare write >=.',
    };
  }
  const does = consequent ?? body;
  if (isTree(does) && does.type === 'EmptyStatement') {
    return {
      node: does,
      message: 'A semicolon stands right after a condition.',
      explanation:
        'It ends the statement there, so that the block below runs in any case, and once. Take the semicolon away.',
    };
  }
  return null;
}

function atBraces(node: Tree, parent: Tree | null): Found | null {
  if (!isFunction(node)) return null;
  const body = node.body as Tree;
  if (body.type !== 'BlockStatement' || returnsOf(body).length > 0) return null;
  const statements = trees(body.body);
  const [only] = statements;
  const isAsked = parent?.type === 'CallExpression' && ASKING.test(methodOf(parent) ?? '');
  if (
    node.type === 'ArrowFunctionExpression' &&
    statements.length === 1 &&
    only!.type === 'LabeledStatement'
  ) {
    return {
      node,
      message: 'The braces after => are those of a block, not of an object.',
      explanation: 'To give back an object put parentheses around it: => ({ name: value }).',
    };
  }
  if (isAsked && statements.length > 0) {
    const isJsx = statements.some((each) => each.type === 'ExpressionStatement' && isTag(each.expression));
    return {
      node,
      message: `The function for ${methodOf(parent)} gives nothing back.`,
      explanation: `After => with braces a return is needed: => { return ${isJsx ? '<li>…</li>' : '…'}; }. Or leave the braces out: => ${isJsx ? '<li>…</li>' : '…'}.`,
    };
  }
  return null;
}

function atResult(node: Tree): Found | null {
  const given =
    node.type === 'ReturnStatement'
      ? node.argument
      : node.type === 'ArrowFunctionExpression'
        ? node.body
        : null;
  const method = methodOf(given);
  const named =
    node.type === 'VariableDeclarator' ? node.init : node.type === 'AssignmentExpression' ? node.right : null;
  if (methodOf(named) === 'forEach') {
    return {
      node: named as Tree,
      message: 'The result of forEach gets a name.',
      explanation: 'forEach gives nothing. To make a new list of the results use map.',
    };
  }
  if (node.type === 'JSXExpressionContainer' && methodOf(node.expression) === 'forEach') {
    return {
      node,
      message: 'forEach gives nothing to show.',
      explanation:
        'To make an element of each item use map: {items.map((item) => <li key={item}>{item}</li>)}.',
    };
  }
  if (method === 'forEach') {
    return {
      node: given as Tree,
      message: 'The result of forEach is given back.',
      explanation: 'forEach gives nothing. To make a new list of the results use map.',
    };
  }
  if (method === 'push' || method === 'unshift') {
    return {
      node: given as Tree,
      message: `The result of ${method} is given back.`,
      explanation: `${method} gives the new length of the list. Call it on a line of its own, and then return the list.`,
    };
  }
  return null;
}

function atProperty(node: Tree, own: ReadonlySet<string>, code: string): Found | null {
  if (node.type !== 'MemberExpression' || node.computed) return null;
  const name = nameOf(node.property);
  if (name === null || name === 'length' || own.has(name)) return null;
  if (name === 'size' && !/\b(?:Map|Set)\b/.test(code)) {
    return {
      node: node.property as Tree,
      message: 'A list and a text have no "size".',
      explanation: 'They know their length: list.length. Only a Map and a Set have a size.',
    };
  }
  if (name.length < 4 || nearest(name, ['length']) === null) return null;
  return {
    node: node.property as Tree,
    message: `There is no property "${name}".`,
    explanation: 'Did you mean "length"?',
  };
}

function inText(tree: Tree, code: string): Found | null {
  const own = ownKeys(tree);
  const parents = new Map<Tree, Tree>();
  // A condition that is none makes the lines around it look wrong.
  for (const node of nodesIn(tree)) {
    const found = atCondition(node);
    if (found) return found;
  }
  for (const node of nodesIn(tree)) {
    for (const child of trees(node.arguments)) parents.set(child, node);
    const found =
      atProperty(node, own, code) ??
      atStatement(node) ??
      atBraces(node, parents.get(node) ?? null) ??
      atResult(node) ??
      atMeaning(node, code);
    if (found) return found;
  }
  return atAlias(tree);
}

function functionsOf(tree: Tree): Map<string, Tree> {
  const functions = new Map<string, Tree>();
  for (const node of nodesIn(tree)) {
    const name = nameOf(node.id) ?? (node.type === 'MethodDefinition' ? nameOf(node.key) : null);
    const made = node.type === 'FunctionDeclaration' ? node : ((node.init ?? node.value) as unknown);
    if (name !== null && isTree(made) && isFunction(made)) functions.set(name, made);
  }
  return functions;
}

const awaitedIn = (tree: Tree): Set<unknown> =>
  new Set(
    [...nodesIn(tree)].filter(({ type }) => type === 'AwaitExpression').map(({ argument }) => argument),
  );

function inNumber(tree: Tree, input: string | null, functions: ReadonlyMap<string, Tree>): Found | null {
  const empty = new Map<string, Tree>();
  for (const node of nodesIn(tree)) {
    const name = node.type === 'VariableDeclarator' && node.init === null ? nameOf(node.id) : null;
    if (name) empty.set(name, node);
    const added = node.type === 'AssignmentExpression' && /^[-+*/]=$/.test(String(node.operator));
    const sum = added ? empty.get(nameOf(node.left) ?? '') : undefined;
    if (sum) {
      const start = node.operator === '*=' || node.operator === '/=' ? 1 : 0;
      return {
        node: sum,
        message: `"${nameOf(node.left)}" begins without a value.`,
        explanation: `It is undefined then, and undefined with a number gives NaN. Begin with one: let ${nameOf(node.left)} = ${start}.`,
      };
    }
  }
  const asked = input === null ? null : readScript(input);
  if (!asked || !('tree' in asked)) return null;
  for (const call of nodesIn(asked.tree)) {
    const name = call.type === 'CallExpression' ? nameOf(call.callee) : null;
    const made = name === null ? undefined : functions.get(name);
    const missing = trees(made?.params)[trees(call.arguments).length];
    if (missing?.type !== 'Identifier') continue;
    const parameter = nameOf(missing);
    return {
      node: missing,
      message: `This call gives "${parameter}" no value.`,
      explanation: `It is undefined then, and undefined with a number gives NaN. Give it a default: ${parameter} = 0.`,
    };
  }
  return null;
}

function inValue(tree: Tree, { input, value }: SeenScript): Found | null {
  if (value === null) return null;
  const functions = functionsOf(tree);
  const unasked = /^\[(?:Async)?(?:Generator)?Function: ([\w$]+)\]|^\[class ([\w$]+)/.exec(value);
  if (unasked) {
    const name = unasked[1] ?? unasked[2]!;
    return {
      message: `${name} is given back without its parentheses.`,
      explanation: `That is the function itself and not what it gives. Call it: ${name}().`,
    };
  }
  const number = /\bNaN\b/.test(value) ? inNumber(tree, input, functions) : null;
  if (number) return number;
  if (!/^undefined$|\bNaN\b|undefined|null|Promise \{|object Promise/.test(value)) return null;
  const awaited = awaitedIn(tree);
  for (const node of nodesIn(tree)) {
    const name = node.type === 'CallExpression' ? nameOf(node.callee) : null;
    const called = name === null ? undefined : functions.get(name);
    if (called?.async && !awaited.has(node)) {
      return {
        node,
        message: `${name} is async, and nobody waits for it.`,
        explanation: `An async function gives a promise. Write await ${name}(…), in a function that is async itself.`,
      };
    }
  }
  const asked = [...(input ?? '').matchAll(/([\w$]+)\s*\(/g)].map((match) => match[1]!);
  for (const name of asked) {
    const made = functions.get(name);
    const body = made?.body as Tree | undefined;
    if (!made || body?.type !== 'BlockStatement') continue;
    const returns = returnsOf(body).filter(({ argument }) => argument !== null);
    if (returns.length === 0) {
      const prints = [...nodesIn(body)].some((node) => methodOf(node) === 'log');
      const isArrow = made.type === 'ArrowFunctionExpression' && !prints;
      return {
        node: made,
        message: `${name} gives nothing back.`,
        explanation: prints
          ? 'console.log shows a value and does not give it back. Write return before the value instead.'
          : isArrow
            ? 'An arrow function with braces needs a return: => { return …; }. Or leave the braces out.'
            : 'Write return before the value that it should give.',
      };
    }
    if (value === 'undefined' && !alwaysReturns(body)) {
      return {
        node: made,
        message: `${name} gives something back, but not on every way through it.`,
        explanation: 'Where no if holds, it reaches its end without a return. Add one there.',
      };
    }
  }
  return null;
}

// React

function inComponents(tree: Tree, code: string): Found | null {
  const functions = functionsOf(tree);
  const setters = new Map<string, string>();
  for (const node of nodesIn(tree)) {
    if (node.type !== 'VariableDeclarator' || !/^use(?:State|Reducer)$/.test(methodOf(node.init) ?? ''))
      continue;
    const [state, setter] = trees((node.id as Tree).elements).map(nameOf);
    if (state && setter) setters.set(state, setter);
  }
  for (const node of nodesIn(tree)) {
    const found =
      atState(node, setters) ??
      atZero(node) ??
      atTag(node, functions) ??
      atHandler(node) ??
      atDependencies(node, code);
    if (found) return found;
  }
  return null;
}

function atState(node: Tree, setters: ReadonlyMap<string, string>): Found | null {
  const assigned =
    node.type === 'AssignmentExpression'
      ? node.left
      : node.type === 'UpdateExpression'
        ? node.argument
        : null;
  const changed = assigned ?? (node.type === 'CallExpression' ? node.callee : null);
  if (!isTree(changed)) return null;
  const isPart = changed.type === 'MemberExpression';
  const name = nameOf(isPart ? changed.object : changed);
  const setter = name === null ? undefined : setters.get(name);
  if (!setter) return null;
  if (!assigned && !/^(?:push|pop|shift|unshift|splice|sort|reverse)$/.test(nameOf(changed.property) ?? ''))
    return null;
  return isPart
    ? {
        node,
        message: `The state "${name}" is changed in place.`,
        explanation: `React sees no change in a list or an object that it has already. Give it a new one: ${setter}([...${name}, item]) or ${setter}({ ...${name}, key: value }).`,
      }
    : {
        node,
        message: `The state "${name}" is assigned.`,
        explanation: `Only its setter makes React show the new value: ${setter}(…).`,
      };
}

function atZero(node: Tree): Found | null {
  if (node.type !== 'LogicalExpression' || node.operator !== '&&' || !isTag(node.right)) return null;
  const left = node.left as Tree;
  if (left.type !== 'MemberExpression' || nameOf(left.property) !== 'length') return null;
  return {
    node,
    message: 'The length of an empty list stands before &&.',
    explanation: 'What stands before && is shown where it is 0. Compare it: list.length > 0 && ….',
  };
}

function atHandler(node: Tree): Found | null {
  const name = node.type === 'JSXAttribute' ? nameOf(node.name) : null;
  if (!name || !/^on[A-Z]/.test(name) || !isTree(node.value) || node.value.type !== 'Literal') return null;
  const called = String(node.value.value).replace(/;\s*$/, '');
  return {
    node,
    message: `${name} is a text here.`,
    explanation: `React needs a function, in braces: ${name}={() => ${called || '…'}}.`,
  };
}

function atTag(node: Tree, functions: ReadonlyMap<string, Tree>): Found | null {
  if (node.type !== 'JSXOpeningElement') return null;
  const name = nameOf(node.name);
  const component = name === null ? undefined : functions.get(name);
  if (component && /^[a-z]/.test(name!)) {
    return {
      node,
      message: `<${name}> is read as an element of HTML.`,
      explanation: 'Components begin with a capital letter, elements of HTML with a small one.',
    };
  }
  const [pattern] = trees(component?.params);
  if (pattern?.type !== 'ObjectPattern') return null;
  const taken = trees(pattern.properties).map((each) => (each.type === 'Property' ? nameOf(each.key) : null));
  // A rest takes whatever comes.
  if (taken.includes(null)) return null;
  for (const attribute of trees(node.attributes)) {
    const given = nameOf(attribute.name);
    if (given === null || taken.includes(given) || given === 'key' || given === 'children') continue;
    const meant = nearest(given, taken as string[]);
    return {
      node: attribute,
      message: `<${name}> takes no property "${given}".`,
      explanation: meant ? `Did you mean "${meant}"?` : `It takes ${taken.join(', ') || 'none'}.`,
    };
  }
  return null;
}

function atDependencies(node: Tree, code: string): Found | null {
  if (node.type !== 'CallExpression' || methodOf(node) !== 'useEffect' || trees(node.arguments).length !== 1)
    return null;
  if (!/\bset[A-Z]\w*\(/.test(code.slice(node.start, node.end))) return null;
  return {
    node,
    message: 'An effect without a list of dependencies sets state.',
    explanation:
      'It runs after each rendering, and setting state renders again. Give useEffect a list of what it depends on as its second argument, [] for once only.',
  };
}

/** Says nothing of the component itself, which React's warning tells better. */
export function hintAtScript(
  language: 'javascript' | 'react',
  code: string,
  seen: SeenScript,
): LearnerError | null {
  if (language === 'react') {
    const warning = explainReactWarning(seen.output);
    if (warning) return hint({ message: 'React printed a warning.', explanation: warning });
  }
  const read = readScript(code);
  if (!('tree' in read)) return null;
  const { tree } = read;
  const found =
    language === 'react'
      ? (inComponents(tree, code) ?? inText(tree, code) ?? emptyRender(tree))
      : (atPlainText(tree, seen.value ?? seen.output) ?? inText(tree, code) ?? inValue(tree, seen));
  return found && hint(found);
}

function emptyRender(tree: Tree): Found | null {
  for (const [name, made] of functionsOf(tree)) {
    const body = made.body as Tree;
    if (!/^[A-Z]/.test(name) || body.type !== 'BlockStatement' || returnsOf(body).length > 0) continue;
    if (![...nodesIn(body)].some(isTag)) continue;
    return {
      node: made,
      message: `The component ${name} returns nothing.`,
      explanation: 'Put "return" before the JSX; with an arrow function and braces, too.',
    };
  }
  return null;
}
