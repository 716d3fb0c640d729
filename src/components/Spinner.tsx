import { classNames } from './class-names.ts';
import { spinnerClass } from './spinner.ts';

/** `label` is read aloud; `showLabel` also prints it. */
export function Spinner({
  label = 'Loading',
  showLabel = false,
  className,
}: {
  label?: string;
  showLabel?: boolean;
  className?: string;
}) {
  return (
    <span role="status" className={classNames('inline-flex items-center gap-3', className)}>
      <span aria-hidden="true" className={spinnerClass} />
      <span className={showLabel ? undefined : 'sr-only'}>{label}</span>
    </span>
  );
}
