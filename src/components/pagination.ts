/** First, last, current and neighbors; null is a gap. */
export function shownPages(page: number, pages: number): (number | null)[] {
  const wanted = [...new Set([1, page - 1, page, page + 1, pages])]
    .filter((number) => number >= 1 && number <= pages)
    .sort((a, b) => a - b);
  return wanted.flatMap((number, index) => {
    const before = wanted[index - 1] ?? 0;
    // A gap of one page is that page.
    if (number - before === 2) return [number - 1, number];
    return number - before > 2 ? [null, number] : [number];
  });
}

export const pagination = {
  list: 'flex flex-wrap items-center justify-center gap-0.5 sm:gap-1',
  page: 'page-link',
  gap: 'page-cell text-ink-soft',
  off: 'page-cell text-ink-faint opacity-60',
};
