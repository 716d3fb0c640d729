export function pick<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, object[key]])) as unknown as Pick<T, K>;
}

export function omit<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Omit<T, K> {
  const entries = Object.entries(object).filter(([key]) => !keys.includes(key as K));
  return Object.fromEntries(entries) as unknown as Omit<T, K>;
}
