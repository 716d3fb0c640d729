import type { LearnerError } from '../protocol.ts';
import { nearest } from './nearest.ts';
import { explainReactWarning } from './react.ts';
import { isFunction, isTree, nameOf, nodesIn, placeOf, readScript, type Tree } from './script.ts';

const hint = (message: string, explanation: string, node?: Tree): LearnerError => ({
  name: 'Hint',
  message,
  ...(node ? placeOf(node) : { line: null, column: null }),
  explanation,
});

const trees = (value: unknown): Tree[] => (Array.isArray(value) ? value.filter(isTree) : []);

function methodOf(call: unknown): string | null {
  if (!isTree(call) || call.type !== 'CallExpression') return null;
  const { callee } = call as unknown as { callee: Tree };
  return callee.type === 'MemberExpression' ? nameOf(callee.property) : nameOf(callee);
}

const isTag = (node: unknown): boolean => isTree(node) && /^JSX(?:Element|Fragment)$/.test(node.type);

function functionsOf(tree: Tree): Map<string, Tree> {
  const functions = new Map<string, Tree>();
  for (const node of nodesIn(tree)) {
    const name = nameOf(node.id) ?? (node.type === 'MethodDefinition' ? nameOf(node.key) : null);
    const made = node.type === 'FunctionDeclaration' ? node : ((node.init ?? node.value) as unknown);
    if (name !== null && isTree(made) && isFunction(made)) functions.set(name, made);
  }
  return functions;
}

function inComponents(tree: Tree, code: string): LearnerError | null {
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

function atState(node: Tree, setters: ReadonlyMap<string, string>): LearnerError | null {
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
    ? hint(
        `The state "${name}" is changed in place.`,
        `React sees no change in a list or an object that it has already. Give it a new one: ${setter}([...${name}, item]) or ${setter}({ ...${name}, key: value }).`,
        node,
      )
    : hint(
        `The state "${name}" is assigned.`,
        `Only its setter makes React show the new value: ${setter}(…).`,
        node,
      );
}

function atZero(node: Tree): LearnerError | null {
  if (node.type !== 'LogicalExpression' || node.operator !== '&&' || !isTag(node.right)) return null;
  const left = node.left as Tree;
  if (left.type !== 'MemberExpression' || nameOf(left.property) !== 'length') return null;
  return hint(
    'The length of an empty list stands before &&.',
    'What stands before && is shown where it is 0. Compare it: list.length > 0 && ….',
    node,
  );
}

function atHandler(node: Tree): LearnerError | null {
  const name = node.type === 'JSXAttribute' ? nameOf(node.name) : null;
  if (!name || !/^on[A-Z]/.test(name) || !isTree(node.value) || node.value.type !== 'Literal') return null;
  const called = String(node.value.value).replace(/;\s*$/, '');
  return hint(
    `${name} is a text here.`,
    `React needs a function, in braces: ${name}={() => ${called || '…'}}.`,
    node,
  );
}

function atTag(node: Tree, functions: ReadonlyMap<string, Tree>): LearnerError | null {
  if (node.type !== 'JSXOpeningElement') return null;
  const name = nameOf(node.name);
  const component = name === null ? undefined : functions.get(name);
  if (component && /^[a-z]/.test(name!)) {
    return hint(
      `<${name}> is read as an element of HTML.`,
      'Components begin with a capital letter, elements of HTML with a small one.',
      node,
    );
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
    return hint(
      `<${name}> takes no property "${given}".`,
      meant ? `Did you mean "${meant}"?` : `It takes ${taken.join(', ') || 'none'}.`,
      attribute,
    );
  }
  return null;
}

function atDependencies(node: Tree, code: string): LearnerError | null {
  if (node.type !== 'CallExpression' || methodOf(node) !== 'useEffect' || trees(node.arguments).length !== 1)
    return null;
  if (!/\bset[A-Z]\w*\(/.test(code.slice(node.start, node.end))) return null;
  return hint(
    'An effect without a list of dependencies sets state.',
    'It runs after each rendering, and setting state renders again. Give useEffect a list of what it depends on as its second argument, [] for once only.',
    node,
  );
}

/** Says nothing of the component itself, which React's warning tells better. */
export function hintAtReact(code: string, output: string): LearnerError | null {
  const warning = explainReactWarning(output);
  if (warning) return hint('React printed a warning.', warning);
  const read = readScript(code);
  return 'tree' in read ? inComponents(read.tree, code) : null;
}
