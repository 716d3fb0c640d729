/** The logo's orbit, with its dot out of place. */
export const emptyState = {
  box: 'flex flex-col items-center px-6 py-12 text-center sm:py-16',
  ring: 'relative mb-6 grid size-16 place-items-center rounded-full border-2 border-line-strong/60 text-ink-soft [&_svg]:size-6',
  dot: 'absolute -right-px top-1.5 size-3.5 rounded-full bg-spark ring-4 ring-[var(--ground,var(--color-canvas))]',
  title: 'text-subheading',
  text: 'mt-2 max-w-[44ch] text-ink-soft',
  actions: 'mt-6 flex flex-wrap justify-center gap-3',
};
