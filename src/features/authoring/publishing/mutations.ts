import type { Node } from 'acorn';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';

/** A small change of a program that its tests should notice. */
export interface Mutation {
  code: string;
  line: number;
  original: string;
  mutated: string;
}

/** Each costs a run of all tests. */
export const MUTATIONS_MAX = 20;

type Kind = 'statement' | 'condition' | 'boundary' | 'operator' | 'constant' | 'text';

const KINDS: readonly Kind[] = ['statement', 'condition', 'boundary', 'operator', 'constant', 'text'];

interface Edit {
  kind: Kind;
  from: number;
  to: number;
  text: string;
}

/**
 * Small changes of a reference solution. Deterministic; skips lines of the starter.
 * @returns at most `MUTATIONS_MAX`, one of each line before any second one; none for a syntax error
 */
export async function mutationsOf(
  language: CodingLanguage,
  solution: string,
  starter = '',
): Promise<Mutation[]> {
  const edits = (await EDITORS[language]?.(solution)) ?? [];
  const given = new Set(
    starter
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );
  const starts = lineStarts(solution);
  const seen = new Set([solution]);
  const byLine = new Map<number, { edit: Edit; mutation: Mutation }[]>();
  for (const edit of edits) {
    const mutation = applied(solution, edit, starts);
    if (seen.has(mutation.code) || given.has(mutation.original)) continue;
    seen.add(mutation.code);
    byLine.set(mutation.line, [...(byLine.get(mutation.line) ?? []), { edit, mutation }]);
  }
  const rows = [...byLine.values()].map((row) =>
    row.sort((a, b) => KINDS.indexOf(a.edit.kind) - KINDS.indexOf(b.edit.kind)),
  );
  // A long line must not crowd out the others.
  const chosen: Mutation[] = [];
  for (let round = 0; chosen.length < MUTATIONS_MAX && rows.some((row) => row.length > round); round += 1) {
    for (const row of rows) {
      if (row[round] && chosen.length < MUTATIONS_MAX) chosen.push(row[round]!.mutation);
    }
  }
  return chosen;
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

const SHOWN_MAX = 160;

function applied(source: string, { from, to, text }: Edit, starts: readonly number[]): Mutation {
  const code = source.slice(0, from) + text + source.slice(to);
  const line = starts.findLastIndex((start) => start <= from) + 1;
  const start = starts[line - 1]!;
  const shown = (program: string) => program.slice(start).split('\n', 1)[0]!.trim().slice(0, SHOWN_MAX);
  const changed = shown(code);
  return {
    code,
    line,
    original: shown(source),
    mutated: /^(;|pass)?$/.test(changed) ? '(left out)' : changed,
  };
}

const EDITORS: Partial<Record<CodingLanguage, (code: string) => Promise<Edit[]>>> = {
  javascript: (code) => scriptEdits(code, false),
  react: (code) => scriptEdits(code, true),
  python: pythonEdits,
  html: htmlEdits,
  css: (code) => cssEdits(code, 0),
  typescript: typedEdits,
  sql: async (code) => (await import('./sql-mutations.ts')).sqlEdits(code),
};

async function typedEdits(code: string): Promise<Edit[]> {
  const { default: blankTypes } = await import('ts-blank-space');
  const beyond: { pos: number; end: number }[] = [];
  // Blanks replace types, so that positions stay.
  let plain = blankTypes(code, (node) => beyond.push(node));
  // Such as an enum, which JavaScript lacks.
  for (const { pos, end } of beyond) {
    plain = plain.slice(0, pos) + plain.slice(pos, end).replace(/[^\n]/g, ' ') + plain.slice(end);
  }
  return scriptEdits(plain, false);
}

const SWAPS: Record<string, { kind: Kind; text: string }> = {
  '<': { kind: 'boundary', text: '<=' },
  '<=': { kind: 'boundary', text: '<' },
  '>': { kind: 'boundary', text: '>=' },
  '>=': { kind: 'boundary', text: '>' },
  '===': { kind: 'operator', text: '!==' },
  '!==': { kind: 'operator', text: '===' },
  '==': { kind: 'operator', text: '!=' },
  '!=': { kind: 'operator', text: '==' },
  '+': { kind: 'operator', text: '-' },
  '-': { kind: 'operator', text: '+' },
  '*': { kind: 'operator', text: '+' },
  '/': { kind: 'operator', text: '*' },
  '//': { kind: 'operator', text: '*' },
  '%': { kind: 'operator', text: '*' },
  '**': { kind: 'operator', text: '*' },
  '+=': { kind: 'operator', text: '-=' },
  '-=': { kind: 'operator', text: '+=' },
  '*=': { kind: 'operator', text: '+=' },
  '/=': { kind: 'operator', text: '*=' },
  '&&': { kind: 'operator', text: '||' },
  '||': { kind: 'operator', text: '&&' },
  and: { kind: 'operator', text: 'or' },
  or: { kind: 'operator', text: 'and' },
  '++': { kind: 'operator', text: '--' },
  '--': { kind: 'operator', text: '++' },
};

function otherNumber(text: string): string | null {
  const value = Number(text.replaceAll('_', ''));
  return Number.isFinite(value) ? String(value + 1) : null;
}

type ScriptNode = Node & {
  operator?: string;
  left?: Node;
  right?: Node;
  argument?: ScriptNode | null;
  test?: Node | null;
  value?: unknown;
  raw?: string;
  body?: ScriptNode | ScriptNode[];
  expression?: ScriptNode | boolean;
  directive?: string;
  prefix?: boolean;
  key?: Node;
  computed?: boolean;
  source?: Node;
  name?: { name?: string };
};

const PLAIN_ATTRIBUTES = new Set(['className', 'style', 'key', 'id', 'htmlFor']);

async function scriptEdits(code: string, withJsx: boolean): Promise<Edit[]> {
  const { nodesOf, parseScript } = await import('#src/features/practice/script-parser.ts');
  const parsed = parseScript(code, withJsx);
  if (!('program' in parsed)) return [];
  const edits: Edit[] = [];
  const add = (kind: Kind, from: number, to: number, text: string) => edits.push({ kind, from, to, text });
  const names = new Set<Node>();
  for (const node of nodesOf(parsed.program) as Generator<ScriptNode>) {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression': {
        const swap = SWAPS[node.operator!];
        // Parentheses and comments may lie between the sides.
        const between = code
          .slice(node.left!.end, node.right!.start)
          .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => ' '.repeat(comment.length));
        const at = swap ? between.indexOf(node.operator!) : -1;
        if (swap && at !== -1) {
          const from = node.left!.end + at;
          add(swap.kind, from, from + node.operator!.length, swap.text);
        }
        break;
      }
      case 'UpdateExpression': {
        const at = node.prefix ? node.start : node.end - 2;
        add('operator', at, at + 2, SWAPS[node.operator!]!.text);
        break;
      }
      case 'UnaryExpression':
        if (node.operator === '!' || node.operator === '-') add('condition', node.start, node.start + 1, ' ');
        break;
      case 'IfStatement':
      case 'ConditionalExpression': {
        const { start, end } = node.test!;
        add('condition', start, end, `!(${code.slice(start, end)})`);
        break;
      }
      case 'ExpressionStatement':
        if (node.directive === undefined) add('statement', node.start, node.end, ';');
        else names.add(node.expression as ScriptNode);
        break;
      case 'ReturnStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        add('statement', node.start, node.end, ';');
        break;
      case 'ArrowFunctionExpression':
        if (node.expression === true) {
          const { start, end } = node.body as ScriptNode;
          // An object in parentheses keeps its own.
          add('statement', start, end, 'undefined');
        }
        break;
      case 'Property':
      case 'PropertyDefinition':
      case 'MethodDefinition':
        if (!node.computed && node.key) names.add(node.key);
        break;
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (node.source) names.add(node.source);
        break;
      case 'JSXAttribute':
        if (PLAIN_ATTRIBUTES.has(node.name?.name ?? '')) {
          for (const inner of nodesOf(node.value as Node)) names.add(inner);
        }
        break;
      case 'JSXText': {
        const words = String(node.value).trim();
        const at = words ? code.indexOf(words, node.start) : -1;
        if (at !== -1 && at < node.end) add('text', at, at + words.length, 'changed');
        break;
      }
      case 'Literal':
        if (names.has(node)) break;
        if (typeof node.value === 'number') {
          const other = otherNumber(node.raw!);
          if (other) add('constant', node.start, node.end, other);
        } else if (typeof node.value === 'boolean') {
          add('constant', node.start, node.end, String(!node.value));
        } else if (typeof node.value === 'string') {
          add('constant', node.start + 1, node.end - 1, node.value === '' ? 'changed' : '');
        }
        break;
    }
  }
  // A syntax error says nothing about the tests.
  return edits.filter(
    ({ from, to, text }) => 'program' in parseScript(code.slice(0, from) + text + code.slice(to), withJsx),
  );
}

async function pythonEdits(code: string): Promise<Edit[]> {
  const { pythonLanguage } = await import('@codemirror/lang-python');
  const tree = pythonLanguage.parser.parse(code);
  const edits: Edit[] = [];
  const add = (kind: Kind, from: number, to: number, text: string) => edits.push({ kind, from, to, text });
  let broken = false;
  tree.iterate({
    enter: ({ type, from, to, node }) => {
      const text = code.slice(from, to);
      if (type.isError) broken = true;
      switch (type.name) {
        case 'ArithOp':
        case 'CompareOp':
        case 'UpdateOp':
        case 'and':
        case 'or': {
          // A star before an argument is no operator.
          if (!/^(Binary|Unary)Expression$|^UpdateStatement$/.test(node.parent?.name ?? '')) break;
          const swap = SWAPS[text];
          if (swap && node.parent?.name !== 'UnaryExpression') add(swap.kind, from, to, swap.text);
          else if (text === '-') add('condition', from, to, ' ');
          break;
        }
        case 'not':
          if (node.parent?.name === 'UnaryExpression') add('condition', from, to, '');
          break;
        case 'IfStatement':
        case 'ConditionalExpression': {
          const test =
            type.name === 'IfStatement' ? node.getChild('if')?.nextSibling : node.getChild('if')?.nextSibling;
          if (test) add('condition', test.from, test.to, `not (${code.slice(test.from, test.to)})`);
          break;
        }
        case 'Number': {
          const other = otherNumber(text);
          if (other) add('constant', from, to, other);
          break;
        }
        case 'Boolean':
          add('constant', from, to, text === 'True' ? 'False' : 'True');
          break;
        case 'String': {
          const inner = /^([a-zA-Z]*)('''|"""|'|")([\s\S]*)\2$/.exec(text);
          // A lone string is documentation.
          if (!inner || node.parent?.name === 'ExpressionStatement') break;
          const at = from + inner[1]!.length + inner[2]!.length;
          add('constant', at, at + inner[3]!.length, inner[3] === '' ? 'changed' : '');
          break;
        }
        case 'ExpressionStatement':
          if (node.firstChild?.name !== 'String') add('statement', from, to, 'pass');
          break;
        case 'ReturnStatement':
        case 'UpdateStatement':
        case 'BreakStatement':
        case 'ContinueStatement':
        case 'YieldStatement':
          add('statement', from, to, 'pass');
          break;
      }
    },
  });
  return broken ? [] : edits;
}

async function htmlEdits(code: string): Promise<Edit[]> {
  const { parse } = await import('parse5');
  type Part = {
    nodeName: string;
    value?: string;
    attrs?: { name: string; value: string }[];
    childNodes?: Part[];
    content?: Part;
    sourceCodeLocation?: {
      startOffset: number;
      endOffset: number;
      attrs?: Record<string, { startOffset: number; endOffset: number }>;
    } | null;
  };
  const edits: Edit[] = [];
  const visit = async (part: Part, parent: string): Promise<void> => {
    const place = part.sourceCodeLocation;
    if (part.nodeName === '#text' && place) {
      const written = code.slice(place.startOffset, place.endOffset);
      const words = written.trim();
      const at = place.startOffset + written.indexOf(words);
      if (parent === 'style') edits.push(...(await cssEdits(written, place.startOffset)));
      else if (words && parent !== 'script') {
        edits.push({ kind: 'text', from: at, to: at + words.length, text: 'changed' });
      }
    }
    for (const { name, value } of part.attrs ?? []) {
      const span = place?.attrs?.[name];
      if (!span) continue;
      edits.push({ kind: 'statement', from: span.startOffset, to: span.endOffset, text: '' });
      const inside = value ? code.slice(span.startOffset, span.endOffset).lastIndexOf(value) : -1;
      if (inside > 0) {
        const from = span.startOffset + inside;
        edits.push({ kind: 'constant', from, to: from + value.length, text: 'changed' });
      }
    }
    const children = [...(part.childNodes ?? []), ...(part.content?.childNodes ?? [])];
    if (place && part.attrs && !/^(html|head|body|title|meta|style|script)$/.test(part.nodeName)) {
      // Removing a whole list says as little as removing an item.
      if (children.every(({ nodeName }) => nodeName === '#text')) {
        edits.push({ kind: 'statement', from: place.startOffset, to: place.endOffset, text: '' });
      }
    }
    for (const child of children) await visit(child, part.nodeName);
  };
  await visit(parse(code, { sourceCodeLocationInfo: true }) as unknown as Part, '');
  return edits;
}

async function cssEdits(code: string, offset: number): Promise<Edit[]> {
  const { parse, walk } = await import('css-tree');
  const edits: Edit[] = [];
  let broken = false;
  const tree = parse(code, {
    positions: true,
    parseCustomProperty: true,
    onParseError: () => (broken = true),
  });
  const add = (kind: Kind, from: number, to: number, text: string) =>
    edits.push({ kind, from: offset + from, to: offset + to, text });
  walk(tree, (node) => {
    const from = node.loc?.start.offset;
    const to = node.loc?.end.offset;
    if (from === undefined || to === undefined) return;
    if (node.type === 'Declaration') add('statement', from, to, '');
    if (node.type === 'Hash') add('constant', from, to, /^#12/.test(code.slice(from, to)) ? '#345' : '#123');
    if (node.type === 'Number' || node.type === 'Dimension' || node.type === 'Percentage') {
      const other = otherNumber(node.value);
      if (other) add('constant', from, from + node.value.length, other);
    }
    if (node.type === 'ClassSelector') add('constant', from, to, '.changed');
  });
  return broken ? [] : edits;
}
