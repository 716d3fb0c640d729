export const spinnerClass =
  'inline-block size-[1.25em] shrink-0 rounded-full border-2 border-current/25 border-t-current animate-spin';
