import { type Node, Parser } from 'acorn';
import jsx from 'acorn-jsx';

/** No lesson has longer programs. */
export const LONGEST_SCRIPT = 20_000;

const ScriptParser = Parser.extend(jsx());

export type Tree = Node & { [name: string]: unknown };

type Read = { tree: Tree } | { failedAt: number };

let last: { code: string; read: Read } | null = null;

export function readScript(code: string): Read {
  // The tests of a submission share its program.
  if (last?.code !== code) last = { code, read: parse(code) };
  return last.read;
}

function parse(code: string): Read {
  if (code.length > LONGEST_SCRIPT) return { failedAt: 0 };
  let failedAt = 0;
  for (const sourceType of ['module', 'script'] as const) {
    try {
      const options = { ecmaVersion: 'latest', sourceType, locations: true } as const;
      return { tree: ScriptParser.parse(code, options) as unknown as Tree };
    } catch (error) {
      // Or nested beyond what the parser follows.
      failedAt = Math.max(failedAt, (error as { pos?: number }).pos ?? 0);
    }
  }
  return { failedAt };
}

/** The engine's parser crashes at patterns of some 15,000 levels. */
const BRACKETS_SAFE = 5_000;

export function isBeyondParser(code: string): boolean {
  if ((code.match(/[([{]/g)?.length ?? 0) <= BRACKETS_SAFE) return false;
  try {
    Parser.parse(code, { ecmaVersion: 'latest', allowReturnOutsideFunction: true });
    return false;
  } catch (error) {
    return /stack/i.test((error as Error).message);
  }
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && typeof (value as Tree).type === 'string';
}

export function* nodesIn(root: Tree, enter: (node: Tree) => boolean = () => true): Generator<Tree> {
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    if (node !== root && !enter(node)) continue;
    const children: Tree[] = [];
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isTree(child)) children.push(child);
    }
    waiting.push(...children.reverse());
  }
}

export const isFunction = (node: Tree): boolean => /^(?:Function|Arrow)/.test(node.type);

export function nameOf(node: unknown): string | null {
  return isTree(node) && /Identifier$/.test(node.type) ? (node.name as string) : null;
}

function* bound(pattern: unknown): Generator<string> {
  if (!isTree(pattern)) return;
  for (const node of nodesIn(pattern)) {
    const name = node.type === 'Identifier' ? nameOf(node) : null;
    if (name !== null) yield name;
  }
}

export function declaredNames(tree: Tree): Set<string> {
  const names = new Set<string>();
  const add = (pattern: unknown) => {
    for (const name of bound(pattern)) names.add(name);
  };
  for (const node of nodesIn(tree)) {
    if (node.type === 'VariableDeclarator' || /^Class|^Function/.test(node.type)) add(node.id);
    if (isFunction(node)) for (const parameter of node.params as unknown[]) add(parameter);
    if (/^Import.*Specifier$/.test(node.type)) add(node.local);
    if (node.type === 'CatchClause') add(node.param);
  }
  return names;
}

export function ownKeys(tree: Tree): Set<string> {
  const keys = new Set<string>();
  for (const node of nodesIn(tree)) {
    const isKey = /^(?:Property|PropertyDefinition|MethodDefinition)$/.test(node.type) && !node.computed;
    const name = isKey ? nameOf(node.key) : null;
    if (name !== null) keys.add(name);
    const target = node.type === 'AssignmentExpression' ? node.left : null;
    if (isTree(target) && target.type === 'MemberExpression') keys.add(nameOf(target.property) ?? '');
  }
  return keys;
}

export function placeOf(node: Node): { line: number; column: number } {
  return { line: node.loc!.start.line, column: node.loc!.start.column + 1 };
}
