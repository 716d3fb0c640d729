/** Puts an item of a list one place up or down; at the edge nothing changes. */
export function stepItem<T>(items: readonly T[], index: number, by: 1 | -1): T[] {
  const other = items[index + by];
  const item = items[index];
  return other === undefined || item === undefined
    ? [...items]
    : items.with(index, other).with(index + by, item);
}
