import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Schema = z.ZodType;
type Optional = Schema | undefined;

/** For endpoint and browser; `path` is `/api/courses/{id}`, `params` parses its braces. */
export type Contract<
  P extends Optional = Optional,
  Q extends Optional = Optional,
  I extends Optional = Optional,
  O extends Schema = Schema,
> = {
  readonly method: Method;
  readonly path: `/api/${string}`;
  readonly params?: P;
  readonly query?: Q;
  readonly input?: I;
  readonly output: O;
};

export function contract<
  O extends Schema,
  P extends Optional = undefined,
  Q extends Optional = undefined,
  I extends Optional = undefined,
>(definition: Contract<P, Q, I, O>): Contract<P, Q, I, O> {
  return definition;
}

/** `/api/cart/{courseId}` → `/api/cart/7`, encoded. */
export function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null) throw new Error(`The path ${path} needs ${name}.`);
    return encodeURIComponent(String(value));
  });
}
