import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import { describedBy, errorClass, hintClass, labelClass } from './field.ts';

export interface RadioOption {
  value: string;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}

export interface RadioGroupProps {
  label: ReactNode;
  options: readonly RadioOption[];
  value?: string;
  defaultValue?: string;
  onValueChange?: (value: string) => void;
  name?: string;
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  /** From `sm` on. */
  inline?: boolean;
  className?: string;
}

export function RadioGroup({
  label,
  options,
  value,
  defaultValue,
  onValueChange,
  name,
  hint,
  error,
  required = false,
  disabled = false,
  inline = false,
  className,
}: RadioGroupProps) {
  const id = useId();
  return (
    <div className={className}>
      <p id={`${id}-label`} className={labelClass}>
        {label}
      </p>
      {hint && (
        <p id={`${id}-hint`} className={classNames(hintClass, 'mt-1')}>
          {hint}
        </p>
      )}
      <div
        role="radiogroup"
        aria-labelledby={`${id}-label`}
        aria-describedby={describedBy(id, Boolean(hint), Boolean(error))}
        aria-invalid={error ? true : undefined}
        aria-required={required || undefined}
        className={classNames('mt-2 grid gap-2.5', inline && 'sm:auto-cols-fr sm:grid-flow-col')}
      >
        {options.map((option) => {
          const itemId = `${id}-${option.value}`;
          return (
            <label
              key={option.value}
              htmlFor={itemId}
              className="flex cursor-pointer gap-3 rounded-md border border-line-strong bg-surface px-3.5 py-2.5 transition-colors hover:border-ink has-checked:border-accent has-checked:bg-accent-soft has-disabled:pointer-events-none has-disabled:opacity-55 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus-ring,var(--color-accent))"
            >
              <input
                type="radio"
                id={itemId}
                name={name ?? id}
                value={option.value}
                disabled={disabled || option.disabled}
                required={required}
                {...(value === undefined
                  ? { defaultChecked: option.value === defaultValue }
                  : { checked: option.value === value })}
                onChange={() => onValueChange?.(option.value)}
                aria-describedby={option.hint ? `${itemId}-hint` : undefined}
                className="mt-0.5 grid size-5 shrink-0 appearance-none place-items-center rounded-full border border-line-strong bg-surface outline-none before:size-2.5 before:rounded-full checked:border-accent checked:before:bg-accent"
              />
              <span className="min-w-0 text-[0.9375rem]">
                <span className="block font-medium">{option.label}</span>
                {option.hint && (
                  <span id={`${itemId}-hint`} className="block text-sm text-ink-soft">
                    {option.hint}
                  </span>
                )}
              </span>
            </label>
          );
        })}
      </div>
      <div aria-live="polite" className="empty:hidden">
        {error && (
          <p id={`${id}-error`} className={classNames(errorClass, 'mt-1.5')}>
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span>{error}</span>
          </p>
        )}
      </div>
    </div>
  );
}
