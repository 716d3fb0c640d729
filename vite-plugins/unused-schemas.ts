import { globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseSync, type Plugin } from 'vite';
import { isServerOnly } from '../walls/layers.ts';

const root = dirname(import.meta.dirname);
const src = `${resolve(root, 'src')}/`;
const PART_OF_CONTRACT = /^(params|query|input|output)$/;

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Piece = { code: string; names: string[]; uses: string[]; isExported: boolean };
type Halves = { imports: string; schemas: Piece[]; rest: Piece[] };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
const childrenOf = (node: Node) => Object.values(node).flat().filter(isNode);
const namesOf = (pieces: Piece[]) => pieces.flatMap(({ names }) => names);

/** `name.part` wherever code for the browser reads a part of a contract: forms check with it what is typed. */
function findReadParts(): Set<string> {
  const read = /(?<!typeof )\b\w+\.(params|query|input|output)\b/g;
  const files = globSync('src/{features,components,shared}/**/*.{ts,tsx}', { cwd: root });
  return new Set(
    files
      .filter((name) => !isServerOnly(name))
      .flatMap((name) => readFileSync(resolve(root, name), 'utf8').match(read) ?? []),
  );
}

/** The names that a pattern such as `{ a: [b], ...c }` binds. */
function boundBy(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [pattern.name as string];
  const inner = pattern.type === 'AssignmentPattern' ? [pattern.left as Node] : childrenOf(pattern);
  return inner.filter((one) => one !== pattern.key && !one.type.startsWith('TS')).flatMap(boundBy);
}

/** The names from outside that code uses, without those of types and properties. */
function usedIn(node: Node): string[] {
  if (node.type === 'Identifier') return [node.name as string];
  if (/^TS(?!As|Satisfies|NonNull)/.test(node.type)) return [];
  const isPlain = !node.computed && !node.shorthand;
  const used = childrenOf(node).flatMap((child) =>
    isPlain && (child === node.property || child === node.key) ? [] : usedIn(child),
  );
  const statements = node.type === 'BlockStatement' ? (node.body as Node[]) : [];
  const declared = statements.flatMap(({ declarations = [] }) => declarations as { id: Node }[]);
  const bound = [...((node.params ?? []) as Node[]), ...declared.map(({ id }) => id)].flatMap(boundBy);
  return used.filter((name) => !bound.includes(name));
}

/**
 * Keeps schemas that no code of a page uses out of the browser, and Zod with them: a call needs only the method and
 * path of its contract. A module that has schemas becomes two, so that its other half is had without them.
 */
export function unusedSchemas(): Plugin {
  let read: Set<string>;
  const known = new Map<string, Halves | null>();

  /** A call falls away where nothing uses it, and of a contract what no form reads. */
  function pieceOf(code: string, statement: Node): Piece {
    const isExported = statement.type === 'ExportNamedDeclaration';
    const node = (isExported && (statement.declaration as Node)) || statement;
    const declared = (node.declarations ?? [node]) as { id?: Node; init?: Node }[];
    const [{ id, init } = node] = declared as [Node];
    if (
      declared.length > 1 ||
      node.kind !== 'const' ||
      !isNode(id) ||
      id.type !== 'Identifier' ||
      !isNode(init)
    )
      return {
        code: code.slice(node.start, node.end),
        names: [...new Set(declared.flatMap((one) => (one.id ? boundBy(one.id) : [])))],
        uses: usedIn(node),
        isExported,
      };
    const name = code.slice(id.start, (id.typeAnnotation as Node | undefined)?.start ?? id.end);
    const given = code.startsWith('contract(', init.start) ? (init.arguments as Node[])[0]! : null;
    const left = ((given?.properties ?? []) as (Node & { key: Node })[]).filter(
      ({ key }) => !PART_OF_CONTRACT.test(key.name as string) || read.has(`${name}.${key.name}`),
    );
    const made = given
      ? `({ ${left.map(({ start, end }) => code.slice(start, end)).join(', ')} })`
      : code.slice(init.start, init.end);
    const isCall = !/^(Arrow|Function|Identifier|Literal|TemplateLiteral)/.test(init.type);
    return {
      code: `const ${name} = ${isCall ? `/* @__PURE__ */ (() => (${made}))()` : made};`,
      names: [name],
      uses: usedIn(given ? { ...given, properties: left } : init),
      isExported,
    };
  }

  /** The two halves of a module, or null for one that uses no schemas. */
  function halvesOf(file: string): Halves | null {
    const done = known.get(file);
    if (done !== undefined) return done;
    known.set(file, null);
    const code = readFileSync(file, 'utf8');
    const body = parseSync(file, code).program.body as unknown as Node[];
    const isImport = ({ type, source }: Node) => type !== 'VariableDeclaration' && isNode(source);
    const dependent = new Set<string>();
    for (const { source, specifiers = [] } of body.filter(({ type }) => type === 'ImportDeclaration')) {
      const from = (source as Node).value as string;
      const path = from.startsWith('#src/') ? src + from.slice(5) : resolve(dirname(file), from);
      const schemas =
        path.startsWith(src) && path.endsWith('.ts') ? namesOf(halvesOf(path)?.schemas ?? []) : [];
      for (const { imported, local } of specifiers as { imported?: Node; local: Node }[]) {
        if (from === 'zod' || schemas.includes(imported?.name as string)) dependent.add(local.name as string);
      }
    }
    const rest = body
      .filter((one) => !isImport(one) && !/^TS/.test(((one.declaration as Node) ?? one).type))
      .map((one) => pieceOf(code, one));
    const schemas: Piece[] = [];
    for (let found = -1; found !== schemas.length; ) {
      found = schemas.length;
      for (const piece of [...rest]) {
        if (!piece.uses.some((name) => dependent.has(name))) continue;
        schemas.push(...rest.splice(rest.indexOf(piece), 1));
        for (const name of piece.names) dependent.add(name);
      }
    }
    const imports = body
      .filter(isImport)
      .map(({ start, end }) => code.slice(start, end))
      .join('\n');
    const halves = dependent.size > 0 ? { imports, schemas, rest } : null;
    known.set(file, halves);
    return halves;
  }

  return {
    name: 'unused-schemas',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    buildStart() {
      read = findReadParts();
      known.clear();
    },
    load(id) {
      // Its JIT probe violates the content security policy.
      if (id.endsWith('/zod/v4/core/core.js'))
        return `(globalThis.__zod_globalConfig ??= {}).jitless = true;\n${readFileSync(id, 'utf8')}`;
      const [file, half] = id.split('?') as [string, string?];
      if (!file.startsWith(src) || !file.endsWith('.ts') || (half && !/^(schemas|rest)$/.test(half)))
        return null;
      const halves = halvesOf(file);
      if (!halves) return null;
      const { imports, schemas, rest } = halves;
      const from = (pieces: Piece[], query: string, verb: string) => {
        const names = namesOf(pieces.filter(({ isExported }) => verb === 'import' || isExported));
        return `${verb} { ${names.join(', ')} } from ${JSON.stringify(file + query)};`;
      };
      const listed = (pieces: Piece[]) =>
        `${pieces.map(({ code }) => code).join('\n')}\nexport { ${namesOf(pieces).join(', ')} };`;
      const code =
        half === 'rest'
          ? [imports, listed(rest)]
          : half === 'schemas'
            ? [imports, from(rest, '?rest', 'import'), listed(schemas)]
            : [from(rest, '?rest', 'export'), from(schemas, '?schemas', 'export')];
      return { code: code.join('\n'), moduleType: 'ts', moduleSideEffects: false };
    },
  };
}
