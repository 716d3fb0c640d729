const list = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** "a, b or c". */
export function anyOf(choices: readonly string[]): string {
  return list.format(choices);
}
