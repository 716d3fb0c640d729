/** Taken before any program runs: changed prototypes cannot change how it is looked at (fault J4). */
const { bind, call } = Function.prototype;

/** Immune to changes of `Function.prototype`. */
// biome-ignore lint/suspicious/noExplicitAny: any method of the platform
export function uncurried<This, Args extends any[], Result>(
  fn: (this: This, ...args: Args) => Result,
): (self: This, ...args: Args) => Result {
  return bind.call(call, fn) as (self: This, ...args: Args) => Result;
}

/** Reads an accessor of the platform as it was before any program ran. */
export function getterOf<Result>(prototype: object, name: string): (self: object) => Result {
  let owner: object | null = prototype;
  while (owner) {
    const { get } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
    if (get) return uncurried(get as (this: object) => Result);
    owner = Object.getPrototypeOf(owner);
  }
  throw new Error(`no accessor ${name}`);
}

export const stringify = JSON.stringify;
export const parseJson = JSON.parse;

/** Each with its length in front. */
export function packed(fields: readonly string[]): string {
  let text = '';
  for (let i = 0; i < fields.length; i++) text += `${fields[i]!.length}:${fields[i]}`;
  return text;
}

/** Only primitives leave a sandbox (fault J5). */
export const textOnly = (value: unknown): string => (typeof value === 'string' ? value : '');
