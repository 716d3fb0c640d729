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

const cell =
  'grid min-h-11 min-w-9 place-items-center rounded-md px-1 sm:min-w-11 sm:px-3 text-[0.9375rem] font-semibold tabular-nums';

export const pagination = {
  list: 'flex flex-wrap items-center justify-center gap-0.5 sm:gap-1',
  page: `${cell} text-ink hover:bg-ink/6 aria-[current=page]:bg-ink aria-[current=page]:text-canvas`,
  gap: `${cell} text-ink-soft`,
  off: `${cell} text-ink-faint opacity-60`,
};
