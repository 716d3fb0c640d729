import { classNames } from './class-names.ts';

/** Hidden from screen readers: mark the region `aria-busy`. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classNames('skeleton', className)} />;
}
