import { AppError } from '#src/shared/errors.ts';

/**
 * JSON from the database, sent as it is: parsing a long list costs more than all the rest. Its query must
 * name each field.
 */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const MAX_DEPTH = 32;

function refuse(message: string): never {
  throw new AppError('bad_request', message);
}

/**
 * Parses a request body strictly (fault N5): no doubled or prototype keys, no deep nesting.
 * @throws {AppError} bad_request
 */
export function parseJsonBody(source: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    refuse('The request body is not valid JSON.');
  }
  checkStructure(source);
  return value;
}

// The source is known to be well-formed here, so that strings and braces can be told apart without a grammar.
function checkStructure(source: string): void {
  const open: (Set<string> | null)[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
  const colon = /\s*:/y;
  for (let match = tokens.exec(source); match; match = tokens.exec(source)) {
    const token = match[0];
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : null);
      if (open.length > MAX_DEPTH) refuse('The request body is nested too deeply.');
      continue;
    }
    if (token === '}' || token === ']') {
      open.pop();
      continue;
    }
    colon.lastIndex = tokens.lastIndex;
    if (!colon.test(source)) continue;
    const keys = open.at(-1);
    const key: unknown = JSON.parse(token);
    if (key === '__proto__') refuse('The request body must not have a key named __proto__.');
    if (typeof key !== 'string' || !keys) continue;
    if (keys.has(key)) refuse(`The request body has the key ${key.slice(0, 60)} twice.`);
    keys.add(key);
  }
}
