import { Check, ChevronDown, ChevronUp } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { MouseEvent } from 'react';
import { classNames } from './class-names.ts';
import { useFieldControl, useFieldLabelId } from './Field.tsx';
import { controlClass } from './field.ts';

export interface SelectOption {
  /** '' means "nothing chosen". */
  value: string;
  label: string;
  disabled?: boolean;
}

export interface SelectProps {
  options: readonly SelectOption[];
  value?: string;
  defaultValue?: string;
  onValueChange?: (value: string) => void;
  name?: string;
  placeholder?: string;
  disabled?: boolean;
  required?: boolean;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
  className?: string;
}

/** After a slow opening Radix ignores the next release. The click that follows then chooses by key. */
function chooseAfterAll({ currentTarget, nativeEvent }: MouseEvent<HTMLElement>) {
  const isMouse = (nativeEvent as Partial<PointerEvent>).pointerType === 'mouse';
  if (!isMouse || !currentTarget.closest('[role="listbox"][data-state="open"]')) return;
  currentTarget.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
}

/** Takes label, id, description and validity from `<Field>`. */
export function Select({ options, className, placeholder = 'Choose one', ...props }: SelectProps) {
  const { value, defaultValue, onValueChange, name, disabled, required, ...control } = useFieldControl(props);
  const labelId = useFieldLabelId();
  return (
    <Radix.Root {...{ value, defaultValue, onValueChange, name, disabled, required }}>
      <Radix.Trigger
        {...control}
        aria-labelledby={
          labelId && !control['aria-label'] ? `${labelId} ${control.id ?? ''}`.trim() : undefined
        }
        className={classNames(
          controlClass,
          'flex! items-center justify-between gap-3 text-left data-placeholder:text-ink-soft',
          className,
        )}
      >
        <span className="truncate">
          <Radix.Value placeholder={placeholder} />
        </span>
        <Radix.Icon asChild>
          <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) w-(--radix-select-trigger-width) min-w-44 overflow-hidden card shadow-lg data-[state=open]:animate-rise-in"
        >
          {/* Absolute: in the flow they would move the rows under the pointer. */}
          <Radix.ScrollUpButton className="absolute inset-x-0 top-0 z-10 grid place-items-center bg-surface py-1 text-ink-soft">
            <ChevronUp aria-hidden="true" className="size-4" />
          </Radix.ScrollUpButton>
          <Radix.Viewport className="scroll-py-8 p-1.5">
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled}
                onClick={chooseAfterAll}
                className="relative flex min-h-10 items-center rounded-sm py-2 pr-3 pl-9 text-[0.9375rem] outline-none select-none data-disabled:opacity-50 data-highlighted:bg-accent-soft data-highlighted:text-accent-strong data-[state=checked]:font-semibold"
              >
                <Radix.ItemIndicator className="absolute left-3">
                  <Check aria-hidden="true" className="size-4 text-accent" />
                </Radix.ItemIndicator>
                <Radix.ItemText>{option.label}</Radix.ItemText>
              </Radix.Item>
            ))}
          </Radix.Viewport>
          <Radix.ScrollDownButton className="absolute inset-x-0 bottom-0 z-10 grid place-items-center bg-surface py-1 text-ink-soft">
            <ChevronDown aria-hidden="true" className="size-4" />
          </Radix.ScrollDownButton>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
