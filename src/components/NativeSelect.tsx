import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { useFieldControl } from './Field.tsx';
import { nativeSelectClass } from './field.ts';
import type { SelectOption } from './Select.tsx';

/** The browser's own list, lighter than `<Select>`. */
export function NativeSelect({
  options,
  className,
  ...props
}: ComponentProps<'select'> & { options: readonly SelectOption[] }) {
  return (
    <span className={classNames('relative block min-w-0', className)}>
      <select {...useFieldControl(props)} className={nativeSelectClass}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2 text-ink-soft"
      />
    </span>
  );
}
