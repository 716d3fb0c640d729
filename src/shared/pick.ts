/** The entries of an object under these keys, in their order. */
export function pick<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, object[key]])) as unknown as Pick<T, K>;
}
