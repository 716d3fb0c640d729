/** No change at the edge. */
export function stepItem<T>(items: readonly T[], index: number, by: 1 | -1): T[] {
  const other = items[index + by];
  const item = items[index];
  return other === undefined || item === undefined
    ? [...items]
    : items.with(index, other).with(index + by, item);
}
