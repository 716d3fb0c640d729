import { CircleAlert } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { classNames } from './class-names.ts';
import { describedBy, errorClass, hintClass, labelClass } from './field.ts';

interface FieldLink {
  id: string;
  labelId: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

const FieldContext = createContext<FieldLink | null>(null);

/** The attributes a control inside a `<Field>` takes from it; outside one it gives the caller's own back. */
export function useFieldControl<
  P extends { id?: string; required?: boolean; 'aria-describedby'?: string; 'aria-invalid'?: unknown },
>(props: P): P {
  const field = useContext(FieldContext);
  if (!field) return props;
  return {
    ...props,
    id: props.id ?? field.id,
    required: props.required ?? (field.required || undefined),
    'aria-describedby': classNames(props['aria-describedby'], field.describedBy) || undefined,
    'aria-invalid': props['aria-invalid'] ?? (field.invalid || undefined),
  };
}

/** The id of the label of the surrounding field, for controls that are not labelable elements. */
export function useFieldLabelId(): string | undefined {
  return useContext(FieldContext)?.labelId;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** The message shown under the control; also sets `aria-invalid`. */
  error?: ReactNode;
  required?: boolean;
  /** Prints "(optional)" after the label. */
  optional?: boolean;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean;
  /** Control id; made up when left out. */
  id?: string;
  aside?: ReactNode;
  className?: string;
  /** One control: Input, PasswordInput, Textarea, Select. */
  children: ReactNode;
}

/** A label, its control, a hint and an error, wired together by `aria-describedby` and `aria-invalid`. */
export function Field({
  label,
  hint,
  error,
  required = false,
  optional = false,
  hideLabel = false,
  id: givenId,
  aside,
  className,
  children,
}: FieldProps) {
  const madeId = useId();
  const id = givenId ?? madeId;
  const labelId = `${id}-label`;
  const link: FieldLink = {
    id,
    labelId,
    describedBy: describedBy(id, Boolean(hint), Boolean(error)),
    invalid: Boolean(error),
    required,
  };
  return (
    <FieldContext.Provider value={link}>
      <div
        className={classNames(
          aside
            ? 'grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-1.5 [&>*]:col-span-2'
            : 'flex flex-col gap-1.5',
          className,
        )}
      >
        <div className={classNames(aside ? 'col-[1]! row-[1]' : hideLabel && 'sr-only')}>
          <label htmlFor={id} id={labelId} className={classNames(labelClass, hideLabel && 'sr-only')}>
            {label}
            {optional && <span className="font-normal text-ink-soft"> (optional)</span>}
          </label>
        </div>
        {hint && (
          <p id={`${id}-hint`} className={hintClass}>
            {hint}
          </p>
        )}
        {children}
        {/* After the control, so that Tab leads from the field before straight into this one. */}
        {aside && <span className="col-[2]! row-[1] text-sm">{aside}</span>}
        {/* The live region stays in the page so that an error that appears is read out. */}
        <div aria-live="polite" className="empty:hidden">
          {error && (
            <p id={`${id}-error`} className={errorClass}>
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              <span>{error}</span>
            </p>
          )}
        </div>
      </div>
    </FieldContext.Provider>
  );
}
