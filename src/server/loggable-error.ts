const WITH_VALUES = new Set(['params', 'parameters', 'args', 'detail', 'where']);

export function withoutQueryValues(text: string): string {
  return text.replace(
    /(Failed query: (?:(?!\nparams: )[\s\S])*)\nparams: [\s\S]*?(?=\n {4}at .*:\d+:\d+\)?(?:\n|$)|$(?![\s\S]))/g,
    '$1',
  );
}

function ownMessage(error: Error): string {
  const { query } = error as { query?: unknown };
  if ('params' in error && typeof query === 'string') return `Failed query: ${query}`;
  // PostgreSQL quotes what it could not read: invalid input syntax for type integer: "…"
  if (error.name === 'PostgresError') return error.message.replace(/: "[\s\S]*"$/, '');
  return withoutQueryValues(error.message);
}

export function loggableError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > 8) return error;
  const message = ownMessage(error);
  const copy = new Error(message);
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  for (const [key, value] of Object.entries(error)) {
    if (!WITH_VALUES.has(key) && key !== 'cause')
      Object.assign(copy, { [key]: loggableError(value, depth + 1) });
  }
  const hidden = { enumerable: false, configurable: true, writable: true };
  const stack = (error.stack ?? '').replace(error.message, () => message);
  Object.defineProperties(copy, {
    message: { ...hidden, value: message },
    name: { ...hidden, value: error.name },
    stack: { ...hidden, value: stack },
    ...(error.cause === undefined
      ? {}
      : { cause: { ...hidden, value: loggableError(error.cause, depth + 1) } }),
  });
  if (error instanceof AggregateError) {
    const errors = error.errors.map((one) => loggableError(one, depth + 1));
    Object.defineProperty(copy, 'errors', { ...hidden, value: errors });
  }
  return copy;
}

/** The deepest cause: a failed query's own message is its text. */
export function reasonInOneLine(error: unknown): string {
  let deepest = loggableError(error);
  for (let depth = 0; deepest instanceof Error && deepest.cause instanceof Error && depth < 8; depth += 1) {
    deepest = deepest.cause;
  }
  const said = deepest instanceof Error ? deepest.message || (deepest as NodeJS.ErrnoException).code : '';
  return (said || String(deepest)).split('\n')[0]!;
}

/** A refusal by the system names its file, and no stack says more. */
export const isOfSystem = (error: unknown): boolean =>
  typeof (error as { syscall?: unknown })?.syscall === 'string';
