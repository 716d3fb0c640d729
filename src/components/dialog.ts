export const overlayClass =
  'fixed inset-0 z-50 bg-black/50 data-[state=open]:animate-fade-in data-[state=closed]:animate-fade-out';
export const dialogClass =
  'fixed inset-x-4 top-1/2 z-50 mx-auto flex max-h-[min(90dvh,52rem)] -translate-y-1/2 flex-col rounded-xl bg-surface text-ink shadow-lg outline-none ' +
  'data-[state=open]:animate-rise-in data-[state=closed]:animate-sink-out';
export const dialogSizes = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-4xl' };
export const dialogCloseClass =
  'absolute top-3.5 right-3.5 grid size-10 place-items-center rounded-md text-ink-soft hover:bg-ink/6 hover:text-ink';
export const dialogFooterClass =
  'flex flex-col-reverse gap-3 border-t border-line px-6 py-4 sm:flex-row sm:justify-end sm:px-8';
