export function pick<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, object[key]])) as unknown as Pick<T, K>;
}

export function omit<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Omit<T, K> {
  const entries = Object.entries(object).filter(([key]) => !keys.includes(key as K));
  return Object.fromEntries(entries) as unknown as Omit<T, K>;
}

type Filled<T> = { [K in keyof T]?: Exclude<T[K], null | false> };

/** Leaves out what is empty, zero, false or null. */
export const filled = <T extends object>(object: T): Filled<T> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value)) as Filled<T>;
