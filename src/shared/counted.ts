const number = new Intl.NumberFormat('en-US');

/** "1 student", "2,400 students". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number.format(count)} ${count === 1 ? one : many}`;
}

const list = new Intl.ListFormat('en-US');

/**
 * "“Loops” and “Arrays”".
 * @param most of the others only the number
 */
export function quotedTitles(titles: readonly string[], most = titles.length): string {
  const others = titles.length - most;
  return list.format([
    ...titles.slice(0, most).map((title) => `“${title}”`),
    ...(others > 0 ? [`${others} more`] : []),
  ]);
}
