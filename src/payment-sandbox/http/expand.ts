import { invalidParameter } from './errors.ts';
import type { State, TableName } from '#src/payment-sandbox/state.ts';

const EXPANDABLE: Record<string, TableName> = {
  latest_charge: 'charges',
  charge: 'charges',
  payment_intent: 'payment_intents',
  payment_method: 'payment_methods',
};

type Answer = Record<string, unknown>;

function isObject(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null;
}

function expandPath(state: State, object: Answer, path: string[], whole: string): void {
  const [field, ...rest] = path;
  if (field === undefined) return;
  if (field === 'data' && Array.isArray(object.data)) {
    object.data = object.data.map((row: Answer) => ({ ...row }));
    for (const row of object.data as Answer[]) expandPath(state, row, rest, whole);
    return;
  }
  if (field === 'refunds' && object.object === 'charge') {
    const data = state.all('refunds').filter((refund) => refund.charge === object.id);
    object.refunds = {
      object: 'list',
      data: data.toReversed(),
      has_more: false,
      url: `/v1/charges/${String(object.id)}/refunds`,
    };
    return;
  }
  const table = EXPANDABLE[field];
  if (!table || !(field in object)) {
    throw invalidParameter('expand', undefined, `This property cannot be expanded (${whole}).`);
  }
  const value = object[field];
  const found = typeof value === 'string' ? state.get(table, value) : value;
  if (!isObject(found)) return;
  const copy = { ...found };
  object[field] = copy;
  expandPath(state, copy, rest, whole);
}

/** A copy of the answer in which the named relations (`latest_charge`, `data.charge`, …) are whole objects. */
export function expand(state: State, answer: object, paths: string[]): object {
  if (paths.length === 0) return answer;
  const copy: Answer = { ...answer };
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > 4) {
      throw invalidParameter('expand', undefined, 'You can expand at most 4 levels of a property.');
    }
    expandPath(state, copy, parts, path);
  }
  return copy;
}
