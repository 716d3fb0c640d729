import { classNames } from './class-names.ts';
import { skeletonClass } from './surface.ts';

/** Hidden from screen readers: mark the region `aria-busy`. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classNames(skeletonClass, className)} />;
}
