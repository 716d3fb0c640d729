import type { Condition, Effect, Json } from '#src/features/scenario/scenario.ts';

export const COMPARISONS = [
  { value: 'yes', label: 'is yes' },
  { value: 'no', label: 'is no' },
  { value: '==', label: 'is' },
  { value: '!=', label: 'is not' },
  { value: '<', label: 'is less than' },
  { value: '<=', label: 'is at most' },
  { value: '>', label: 'is more than' },
  { value: '>=', label: 'is at least' },
  { value: 'has', label: 'contains' },
] as const;
export type Comparison = (typeof COMPARISONS)[number]['value'];

export type ConditionNode =
  | { kind: 'always' }
  | {
      kind: 'test';
      variable: string;
      comparison: Comparison;
      value: Json;
      listed?: true;
    }
  | { kind: 'group'; mode: 'all' | 'any'; parts: ConditionNode[] }
  | { kind: 'raw'; json: Json };

export type EffectRow =
  | { kind: 'set' | 'append'; variable: string; value: Json }
  | { kind: 'increase' | 'decrease'; variable: string; by: number }
  | { kind: 'choose'; variable: string; when: ConditionNode; value: Json; otherwise: Json }
  | { kind: 'formula'; variable: string; logic: Json }
  | { kind: 'remove'; variable: string }
  | { kind: 'raw'; json: Json };

/** Equal as JSON, whatever the order of keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key as keyof typeof a], b[key as keyof typeof b]))
  );
}

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

function only(value: Json | undefined): [string, Json] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value);
  return entries.length === 1 ? entries[0]! : null;
}

function variableRead(value: Json | undefined): string | null {
  const entry = only(value);
  return entry?.[0] === 'var' && typeof entry[1] === 'string' ? entry[1] : null;
}

export function conditionOf(node: ConditionNode): Condition {
  switch (node.kind) {
    case 'always':
      return true;
    case 'raw':
      return node.json;
    case 'group':
      return { [node.mode === 'all' ? 'and' : 'or']: node.parts.map(conditionOf) };
    case 'test': {
      const read = { var: node.variable };
      if (node.comparison === 'yes') return read;
      if (node.comparison === 'no') return { '!': node.listed ? [read] : read };
      if (node.comparison === 'has') return { in: [node.value, read] };
      return { [node.comparison]: [read, node.value] };
    }
  }
}

function guessedNode(condition: Condition | undefined): ConditionNode {
  const raw = { kind: 'raw', json: condition ?? null } as const;
  if (condition === true || condition === undefined) return { kind: 'always' };
  const variable = variableRead(condition);
  if (variable !== null) return { kind: 'test', variable, comparison: 'yes', value: true };
  const entry = only(condition);
  if (!entry) return raw;
  const [operator, operands] = entry;
  if (operator === '!') {
    const listed = Array.isArray(operands);
    const negated = variableRead(listed ? operands[0] : operands);
    if (negated === null) return raw;
    return {
      kind: 'test',
      variable: negated,
      comparison: 'no',
      value: false,
      ...(listed && { listed }),
    };
  }
  if (!Array.isArray(operands)) return raw;
  if (operator === 'and' || operator === 'or')
    return { kind: 'group', mode: operator === 'and' ? 'all' : 'any', parts: operands.map(nodeOf) };
  const isContained = operator === 'in';
  const [first, second] = isContained ? [operands[1], operands[0]] : operands;
  const compared = variableRead(first);
  const comparison = COMPARISONS.find(({ value }) => value === (isContained ? 'has' : operator))?.value;
  if (compared === null || !comparison || !isScalar(second)) return raw;
  return { kind: 'test', variable: compared, comparison, value: second };
}

export function nodeOf(condition: Condition | undefined): ConditionNode {
  const node = guessedNode(condition);
  if (condition === undefined || sameJson(conditionOf(node), condition)) return node;
  return { kind: 'raw', json: condition };
}

/** `checkout.errors` → `/checkout/errors` (RFC 6901). */
export const pathOf = (variable: string) => `/${variable.replaceAll('.', '/')}`;

function variableAt(path: string): string | null {
  const parts = path.split('/');
  return parts[0] !== '' || parts.length < 2 || parts.some((part) => /[.~]/.test(part))
    ? null
    : parts.slice(1).join('.');
}

export function effectOf(row: EffectRow): Effect {
  if (row.kind === 'raw') return row.json as Effect;
  const path = pathOf(row.variable);
  switch (row.kind) {
    case 'set':
      return { op: 'replace', path, value: row.value };
    case 'append':
      return { op: 'add', path: `${path}/-`, value: row.value };
    case 'remove':
      return { op: 'remove', path };
    case 'increase':
    case 'decrease':
      return {
        op: 'replace',
        path,
        value: { logic: { [row.kind === 'increase' ? '+' : '-']: [{ var: row.variable }, row.by] } },
      };
    case 'choose':
      return {
        op: 'replace',
        path,
        value: { logic: { if: [conditionOf(row.when), row.value, row.otherwise] } },
      };
    case 'formula':
      return { op: 'replace', path, value: { logic: row.logic } };
  }
}

function guessedRow(effect: Effect): EffectRow {
  const raw = { kind: 'raw', json: effect as unknown as Json } as const;
  const { op, path, value } = effect;
  if (typeof path !== 'string') return raw;
  const isAppended = op === 'add' && path.endsWith('/-');
  const variable = variableAt(isAppended ? path.slice(0, -2) : path);
  if (variable === null) return raw;
  if (op === 'remove') return { kind: 'remove', variable };
  if (value === undefined) return raw;
  if (isAppended) return { kind: 'append', variable, value };
  if (op !== 'replace') return raw;
  const entry = only(value);
  if (entry?.[0] !== 'logic') return { kind: 'set', variable, value };
  const logic = entry[1];
  const [operator, operands] = only(logic) ?? ['', null];
  if (Array.isArray(operands)) {
    const [first, second, third] = operands;
    if ((operator === '+' || operator === '-') && variableRead(first) === variable)
      if (typeof second === 'number')
        return { kind: operator === '+' ? 'increase' : 'decrease', variable, by: second };
    if (operator === 'if' && isScalar(second) && isScalar(third))
      return { kind: 'choose', variable, when: nodeOf(first), value: second, otherwise: third };
  }
  return { kind: 'formula', variable, logic };
}

/** What would not come back the same stays `raw`. */
export function rowOf(effect: Effect): EffectRow {
  for (const row of [guessedRow(effect), formulaRow(effect)])
    if (row && sameJson(effectOf(row), effect)) return row;
  return { kind: 'raw', json: effect as unknown as Json };
}

/** A computed value that has more to it than the form's words: the place in words, the formula as it is. */
export function formulaRow({ op, path, value }: Effect): EffectRow | null {
  const entry = only(value);
  const variable = typeof path === 'string' ? variableAt(path) : null;
  return op === 'replace' && entry?.[0] === 'logic' && variable !== null
    ? { kind: 'formula', variable, logic: entry[1] }
    : null;
}

export function conditionText(node: ConditionNode): string {
  if (node.kind === 'always') return 'always';
  if (node.kind === 'raw') return 'a formula';
  if (node.kind === 'group') {
    const word = node.mode === 'all' ? ' and ' : ' or ';
    return node.parts
      .map((part) => (part.kind === 'group' ? `(${conditionText(part)})` : conditionText(part)))
      .join(word);
  }
  const words = COMPARISONS.find(({ value }) => value === node.comparison)!.label;
  const value = typeof node.value === 'string' ? `“${node.value}”` : JSON.stringify(node.value);
  return `${node.variable} ${words}${node.comparison === 'yes' || node.comparison === 'no' ? '' : ` ${value}`}`;
}

export type ShownNode =
  | { kind: 'variable'; variable: string }
  | { kind: 'texts'; when: ConditionNode; value: string; otherwise: string }
  | { kind: 'raw'; json: Json };

/** The expression that a line's choice stands for. */
export function expressionOf(node: ShownNode): Condition {
  if (node.kind === 'raw') return node.json;
  if (node.kind === 'variable') return { var: node.variable };
  return { if: [conditionOf(node.when), node.value, node.otherwise] };
}

export function shownNodeOf(expression: Condition): ShownNode {
  const variable = variableRead(expression);
  if (variable !== null) return { kind: 'variable', variable };
  const entry = only(expression);
  if (entry?.[0] === 'if' && Array.isArray(entry[1])) {
    const [when, value, otherwise] = entry[1];
    if (typeof value === 'string' && typeof otherwise === 'string') {
      const node = { kind: 'texts', when: nodeOf(when), value, otherwise } as const;
      if (sameJson(expressionOf(node), expression)) return node;
    }
  }
  return { kind: 'raw', json: expression };
}
