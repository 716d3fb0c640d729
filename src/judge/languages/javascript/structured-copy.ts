import { kept } from './intrinsics.ts';

/** Plain objects, arrays, Map, Set, Date, RegExp and errors, with cycles. */
export function structuredCopy(value: unknown): unknown {
  return copy(value, new kept.Map());
}

function copy(value: unknown, done: Map<object, unknown>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') {
    const error = new kept.Error(`${String(value)} could not be cloned.`);
    error.name = 'DataCloneError';
    throw error;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (done.has(value)) return done.get(value);
  const keep = <T extends object>(made: T): T => {
    done.set(value, made);
    return made;
  };
  if (value instanceof kept.Date) return keep(new kept.Date(value.getTime()));
  if (value instanceof kept.RegExp) return keep(new kept.RegExp(value.source, value.flags));
  if (value instanceof kept.Map) {
    const map = keep(new kept.Map());
    for (const [key, item] of value) map.set(copy(key, done), copy(item, done));
    return map;
  }
  if (value instanceof kept.Set) {
    const set = keep(new kept.Set());
    for (const item of value) set.add(copy(item, done));
    return set;
  }
  if (value instanceof kept.Error) {
    const error = keep(new kept.Error(value.message));
    error.name = value.name;
    return error;
  }
  const made = keep<Record<string, unknown> | unknown[]>(kept.isArray(value) ? [] : {});
  if (kept.isArray(value)) (made as unknown[]).length = value.length;
  for (const key of kept.keys(value)) {
    (made as Record<string, unknown>)[key] = copy((value as Record<string, unknown>)[key], done);
  }
  return made;
}
