export interface Crumb {
  label: string;
  href?: string;
}

export const breadcrumbs = {
  list: 'flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-soft',
  item: 'flex min-w-0 items-center gap-2',
  link: 'quiet-link inline-flex min-h-6 items-center hover:text-ink',
  here: 'line-clamp-1 font-medium text-ink',
  dot: 'size-1 shrink-0 rounded-full bg-line-strong',
};
