import { kept } from './intrinsics.ts';
import { showWhole } from './show.ts';

const NOT_JSON = { notJson: true };

function isBeyondJson(value: object): boolean {
  return (
    value instanceof kept.Map ||
    value instanceof kept.Set ||
    value instanceof kept.RegExp ||
    value instanceof kept.Error ||
    value instanceof kept.Promise ||
    value instanceof kept.WeakMap ||
    value instanceof kept.WeakSet ||
    value instanceof kept.typedArray ||
    value instanceof kept.ArrayBuffer ||
    value instanceof kept.DataView ||
    value instanceof kept.String ||
    value instanceof kept.Number ||
    value instanceof kept.Boolean
  );
}

/** Undefined for what JSON leaves out. */
function write(value: unknown, key: string, above: object[]): string | undefined {
  if (value === null || value === true || value === false) return `${value}`;
  if (typeof value === 'string') return kept.stringify(value);
  if (typeof value === 'number') {
    if (!kept.isFinite(value)) throw NOT_JSON;
    return value === 0 && 1 / value < 0 ? '-0' : `${value}`;
  }
  if (typeof value === 'bigint') throw NOT_JSON;
  if (typeof value !== 'object') return undefined;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return write(kept.apply(toJSON, value, [key]), key, above);
  for (let index = 0; index < above.length; index += 1) if (above[index] === value) throw NOT_JSON;
  if (isBeyondJson(value)) throw NOT_JSON;
  const within = [...above, value];
  let text = '';
  if (kept.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) text += ',';
      text += write(value[index], `${index}`, within) ?? 'null';
    }
    return `[${text}]`;
  }
  const keys = kept.keys(value);
  for (let index = 0; index < keys.length; index += 1) {
    const name = keys[index]!;
    const item = write((value as Record<string, unknown>)[name], name, within);
    if (item === undefined) continue;
    if (text) text += ',';
    text += `${kept.stringify(name)}:${item}`;
  }
  return `{${text}}`;
}

/** Strings as they are, else JSON (with `-0`), else the console's text on one line. */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return write(value, '', []) ?? showWhole(value);
  } catch (error) {
    if (error !== NOT_JSON) throw error;
    return showWhole(value);
  }
}
