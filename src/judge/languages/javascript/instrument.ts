import { markOf } from './marks.ts';
import {
  isFunction,
  isTree,
  nameOf,
  nodesIn,
  readScript,
  type Tree,
} from '#src/judge/explanations/script.ts';

/** Calls a recorder, a global of this name; no line moves. */
export interface Instrumented {
  code: string;
  recorder: string;
}

interface Scope {
  fn: string;
  names: readonly string[];
  /** Functions that pause do not tell entry and end, as calls would no longer nest. */
  nests: boolean;
}

/** Every statement names all variables that it sees. */
const MOST_ADDED = 500_000;
const LOOPS = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;
const lineOf = (node: Tree) => node.loc!.start.line;
const listOf = (value: unknown) => (Array.isArray(value) ? value : [value]).filter(isTree);

function bindings(pattern: unknown): string[] {
  if (!isTree(pattern)) return [];
  if (pattern.type === 'Identifier') return [nameOf(pattern)!];
  if (pattern.type === 'AssignmentPattern') return bindings(pattern.left);
  if (pattern.type === 'RestElement') return bindings(pattern.argument);
  if (pattern.type === 'ArrayPattern') return listOf(pattern.elements).flatMap(bindings);
  return listOf(pattern.properties).flatMap((one) => bindings(one.type === 'Property' ? one.value : one));
}

const declared = (node: Tree) => listOf(node.declarations).flatMap(({ id }) => bindings(id));

function vars(root: Tree): string[] {
  return [...nodesIn(root, (node) => !isFunction(node))].flatMap((node) =>
    node.type === 'VariableDeclaration' && node.kind === 'var' ? declared(node) : [],
  );
}

const lexical = (statements: Tree[]) =>
  statements.flatMap((one) => (one.type === 'VariableDeclaration' ? declared(one) : []));

/** Puts recorder calls into a program; null for one unreadable, too deep or too long. */
export function instrument(source: string): Instrumented | null {
  const read = readScript(source);
  if ('failedAt' in read) return null;
  try {
    return withCalls(source, read.tree);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function withCalls(source: string, tree: Tree): Instrumented {
  let recorder = '$trace';
  while (source.includes(recorder)) recorder += '_';
  const opened = new Map<number, string>();
  const closed = new Map<number, string>();
  let added = 0;
  const mark = markOf(recorder);
  const marked = (text: string) => {
    added += text.length;
    if (added > MOST_ADDED) throw new RangeError('the program would become too long');
    return mark + text + mark;
  };
  // Parents open before and close behind their children.
  const open = (at: number, text: string) => opened.set(at, (opened.get(at) ?? '') + marked(text));
  const close = (at: number, text: string) => closed.set(at, marked(text) + (closed.get(at) ?? ''));

  const readers = (names: readonly string[]) =>
    `[${[...new Set(names)].map((name) => `${JSON.stringify(name)},()=>${name}`).join()}]`;
  const step = (node: Tree, { fn, names }: Scope) =>
    // A full record asks for no variable: a long loop keeps most of its speed.
    `${recorder}.on&&${recorder}.line(${lineOf(node)},${JSON.stringify(fn)},${readers(names)})`;

  const statements = (list: Tree[], scope: Scope) => {
    for (const one of list) {
      // It must stay first to count; a function's declaration does nothing when it is reached.
      const isSilent = one.directive !== undefined || one.type === 'FunctionDeclaration';
      if (!isSilent && !/^(?:While|DoWhile|Block|Empty)/.test(one.type))
        open(one.start, `${step(one, scope)};`);
      walk(one, scope);
    }
  };
  const body = (node: unknown, scope: Scope) => {
    if (!isTree(node)) return;
    if (node.type === 'BlockStatement' || node.type === 'FunctionDeclaration') {
      walk(node, scope);
      return;
    }
    open(node.start, '{');
    close(node.end, '}');
    statements([node], scope);
  };

  const enter = (node: Tree, name: string) => {
    const parameters = listOf(node.params);
    const names = [...parameters.flatMap(bindings), ...vars(node)];
    const scope: Scope = { fn: name, names, nests: !node.async && !node.generator };
    for (const parameter of parameters) walk(parameter, scope);
    const inside = node.body as Tree;
    const call = `${recorder}.call(${lineOf(node)},${JSON.stringify(name)},${readers(parameters.flatMap(bindings))})`;
    if (inside.type !== 'BlockStatement') {
      if (scope.nests) {
        open(inside.start, `(${call},${recorder}.give(${lineOf(inside)},()=>(`);
        close(inside.end, ')))');
      }
      walk(inside, scope);
      return;
    }
    const list = listOf(inside.body);
    const directives = list.filter(({ directive }) => directive !== undefined);
    if (scope.nests) {
      // Both behind something, as in an empty body they stand in one place.
      close(inside.end - 1, `;${recorder}.value(${inside.loc!.end.line})}finally{${recorder}.end()}`);
      close(directives.at(-1)?.end ?? inside.start + 1, `;${call};try{`);
    }
    statements(list, { ...scope, names: [...names, ...lexical(list)] });
  };

  const walk = (node: Tree, scope: Scope, name = ''): void => {
    if (isFunction(node)) {
      enter(node, nameOf(node.id) ?? (name || '(anonymous)'));
      return;
    }
    if (node.type === 'BlockStatement') {
      const list = listOf(node.body);
      statements(list, { ...scope, names: [...scope.names, ...lexical(list)] });
      return;
    }
    if (node.type === 'SwitchStatement') {
      walk(node.discriminant as Tree, scope);
      const cases = listOf(node.cases);
      const inner = cases.flatMap(({ consequent }) => lexical(listOf(consequent)));
      for (const one of cases) {
        statements(listOf(one.consequent), { ...scope, names: [...scope.names, ...inner] });
      }
      return;
    }
    if (node.type === 'IfStatement') {
      walk(node.test as Tree, scope);
      body(node.consequent, scope);
      body(node.alternate, scope);
      return;
    }
    if (node.type === 'CatchClause') {
      walk(node.body as Tree, { ...scope, names: [...scope.names, ...bindings(node.param)] });
      return;
    }
    if (LOOPS.test(node.type)) {
      const head = listOf([node.init, node.left]).flatMap((one) => declared(one));
      const inner = { ...scope, names: [...scope.names, ...head] };
      if (isTree(node.test)) {
        open(node.test.start, `(${step(node.test, inner)},(`);
        close(node.test.end, '))');
      }
      for (const part of listOf([node.init, node.left, node.right, node.test, node.update]))
        walk(part, inner);
      body(node.body, inner);
      return;
    }
    if (node.type === 'ReturnStatement' && scope.nests && scope.fn) {
      const tell = `${recorder}.value(${lineOf(node)}`;
      if (!isTree(node.argument)) close(node.start + 'return'.length, ` ${tell})`);
      else {
        open(node.argument.start, `${tell},(`);
        close(node.argument.end, '))');
      }
    }
    // Fields and static blocks of a class run in a scope of their own.
    const named =
      node.type === 'VariableDeclarator'
        ? nameOf(node.id)
        : /^(?:Property|PropertyDefinition|MethodDefinition)$/.test(node.type)
          ? nameOf(node.key)
          : node.type === 'AssignmentExpression'
            ? nameOf(
                isTree(node.left) && node.left.type === 'MemberExpression' ? node.left.property : node.left,
              )
            : null;
    for (const value of Object.values(node)) {
      for (const child of listOf(value)) walk(child, scope, named ?? '');
    }
  };

  const list = listOf(tree.body);
  statements(list, { fn: '', names: [...vars(tree), ...lexical(list)], nests: false });
  const places = [...new Set([...opened.keys(), ...closed.keys()])].sort((a, b) => a - b);
  let code = '';
  let from = 0;
  for (const at of places) {
    code += source.slice(from, at) + (closed.get(at) ?? '') + (opened.get(at) ?? '');
    from = at;
  }
  return { code: code + source.slice(from), recorder };
}
