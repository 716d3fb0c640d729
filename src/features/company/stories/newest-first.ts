export const newestFirst = <T extends { data: { published: Date } }>(entries: readonly T[]): T[] =>
  entries.toSorted((a, b) => b.data.published.getTime() - a.data.published.getTime());
