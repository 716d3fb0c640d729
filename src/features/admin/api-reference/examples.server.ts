import type { z } from 'zod';
import { parseInput } from '#src/server/endpoint.ts';
import { LIMITS } from '#src/server/limits/limits.ts';
import { AppError, type ErrorBody, type ErrorCode, STATUS_BY_CODE } from '#src/shared/errors.ts';
import type { Contract } from '#src/shared/contract.ts';
import { FIELDS } from './words/fields.server.ts';
import type { Words } from './words/words.server.ts';

export type JsonSchema = { [word: string]: unknown };

export interface Refusal {
  status: number;
  body: ErrorBody;
  /** The same words for many calls. */
  isUsual: boolean;
}

const parts = (schema: JsonSchema, word: string) => (schema[word] ?? []) as JsonSchema[];
const propertiesOf = (schema: JsonSchema) =>
  Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);

export function describeFields(schema: JsonSchema): void {
  for (const [name, field] of propertiesOf(schema)) {
    const says = FIELDS[name]?.says;
    if (says) field.description = says;
    describeFields(field);
  }
  const inner = [...parts(schema, 'anyOf'), ...parts(schema, 'oneOf'), ...parts(schema, 'prefixItems')];
  for (const one of [...inner, schema.items, schema.additionalProperties]) {
    if (typeof one === 'object' && one !== null) describeFields(one as JsonSchema);
  }
}

/** Enough to choose among examples of one name. */
function fits(schema: JsonSchema, value: unknown): boolean {
  const inner = [...parts(schema, 'anyOf'), ...parts(schema, 'oneOf')];
  if (inner.length > 0) return inner.some((one) => fits(one, value));
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if ('const' in schema) return schema.const === value;
  if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern).test(String(value))) return false;
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const allowed = [schema.type ?? type].flat().map((one) => (one === 'integer' ? 'number' : one));
  if (!allowed.includes(type)) return false;
  return (
    type !== 'array' || (value as unknown[]).every((one) => fits((schema.items || {}) as JsonSchema, one))
  );
}

const MOMENT = '2026-01-31T09:30:00.000Z';
const SIMPLE: Record<string, unknown> = { number: 7, integer: 7, boolean: true, null: null };

/** Made of the examples of its fields' names. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  const known = FIELDS[name]?.example;
  if (known !== undefined && fits(schema, known)) return known;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [first] = [...parts(schema, 'anyOf'), ...parts(schema, 'oneOf')];
  if (first) return exampleOf(first, name);
  const type = [schema.type].flat()[0] as string | undefined;
  if (type === 'object') {
    const fields = propertiesOf(schema);
    const required = (schema.required ?? []) as string[];
    const hasCourse = fields.some(([field]) => field === 'courseId');
    // The call takes one of the two.
    const shown = fields.filter(
      ([field]) => !(hasCourse && field === 'bundleId' && !required.includes(field)),
    );
    return Object.fromEntries(shown.map(([field, of]) => [field, exampleOf(of, field)]));
  }
  if (type === 'array') {
    const tuple = parts(schema, 'prefixItems');
    return tuple.length > 0
      ? tuple.map((one) => exampleOf(one))
      : [exampleOf((schema.items || {}) as JsonSchema, name.replace(/s$/, ''))];
  }
  if (type !== 'string') return type === undefined ? (known ?? {}) : SIMPLE[type];
  if (/At$|On$|^due|^until|deadline/.test(name)) return MOMENT;
  const candidates = [`A ${name || 'text'}`, '7', 'k3vQ'.repeat(10)];
  return candidates.find((value) => fits(schema, value)) ?? '';
}

/** The refusal of a body or query in which nothing is right. */
function invalidInput(schema: z.ZodType): AppError | null {
  try {
    parseInput(schema, {});
    return null;
  } catch (error) {
    return error instanceof AppError ? error : null;
  }
}

const UNREADABLE = 'The request body is not valid JSON.';
const UNTYPED = 'Send the request body as application/json.';
const TOO_LARGE = 'The request is too large.';
const SIGNED_OUT = 'Please sign in to continue.';
const TOO_MANY = 'Too many requests. Please wait a moment and try again.';
const USUAL = new Set([UNREADABLE, UNTYPED, TOO_LARGE, SIGNED_OUT, TOO_MANY]);

/** By its contract, by its access, and by its own rules. */
export function refusalsOf(contract: Contract, words: Words[string] | undefined): Refusal[] {
  const found = new Map<ErrorCode, { message: string; fields?: AppError['fields'] }>();
  const add = (code: ErrorCode, message: string) => found.set(code, { message });
  if (contract.input) {
    add('bad_request', UNREADABLE);
    add('unsupported_media_type', UNTYPED);
    add('too_large', TOO_LARGE);
  }
  const wrong = contract.input && invalidInput(contract.input);
  if (wrong) found.set('invalid_input', wrong);
  if (!words?.open) add('unauthenticated', SIGNED_OUT);
  if (contract.method !== 'GET') add('forbidden', 'This request did not come from our site.');
  if (contract.params) add('not_found', 'Not found.');
  for (const [code, message] of Object.entries(words?.refuses ?? {})) {
    add(code as ErrorCode, message.replace(/[{}]/g, ''));
  }
  if (words?.limit) add('too_many_requests', TOO_MANY);
  return [...found]
    .map(([code, { message, fields }]) => ({
      status: STATUS_BY_CODE[code],
      isUsual: USUAL.has(message),
      body: { message, code, requestId: '0f8fad5b', ...(fields && { fields }) },
    }))
    .sort((a, b) => a.status - b.status);
}

export function limitSentence(words: Words[string] | undefined): string {
  if (!words?.limit) return '';
  const { points, seconds, by } = LIMITS[words.limit];
  return ` At most ${points} times in ${seconds} seconds, counted by ${by}.`;
}
