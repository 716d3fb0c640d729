import { Check, CircleAlert, Minus } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import { describedBy, errorClass, hintClass } from './field.ts';

export interface CheckboxProps extends Omit<ComponentProps<typeof Radix.Root>, 'children' | 'asChild'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
}

/** `checked="indeterminate"` shows a dash. */
export function Checkbox({ label, hint, error, id: givenId, className, ...rest }: CheckboxProps) {
  const madeId = useId();
  const id = givenId ?? madeId;
  return (
    <div className={classNames('flex gap-3', className)}>
      <Radix.Root
        {...rest}
        id={id}
        aria-describedby={describedBy(id, Boolean(hint), Boolean(error))}
        aria-invalid={error ? true : undefined}
        className="peer group mt-0.5 grid size-5 shrink-0 place-items-center rounded-xs border border-line-strong bg-surface text-on-accent transition-colors not-data-disabled:hover:border-ink data-disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent aria-invalid:border-danger"
      >
        <Radix.Indicator>
          <Check
            aria-hidden="true"
            strokeWidth={3}
            className="size-3.5 group-data-[state=indeterminate]:hidden"
          />
          <Minus
            aria-hidden="true"
            strokeWidth={3}
            className="hidden size-3.5 group-data-[state=indeterminate]:block"
          />
        </Radix.Indicator>
      </Radix.Root>
      <div className="min-w-0 peer-data-disabled:opacity-60">
        <label htmlFor={id} className="block cursor-pointer text-[0.9375rem]">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className={hintClass}>
            {hint}
          </p>
        )}
        <div aria-live="polite" className="empty:hidden">
          {error && (
            <p id={`${id}-error`} className={classNames(errorClass, 'mt-1')}>
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              <span>{error}</span>
            </p>
          )}
        </div>
      </div>
    </div>
  );
}
