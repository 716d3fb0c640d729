import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useFieldControl } from './Field.tsx';
import { nativeSelectClass } from './field.ts';

/** The browser's own list, for pages that no `<Select>` needs to be loaded for. */
export function NativeSelect(props: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select {...useFieldControl(props)} className={nativeSelectClass} />
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2 text-ink-soft"
      />
    </span>
  );
}
