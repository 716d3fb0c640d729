import { Tabs as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface Tab {
  value: string;
  label: ReactNode;
  content: ReactNode;
  disabled?: boolean;
  /** Preserves the content, with typed text, behind other tabs. */
  keep?: boolean;
}

export interface TabsProps
  extends Omit<ComponentProps<typeof Radix.Root>, 'children' | 'orientation' | 'dir'> {
  tabs: Tab[];
  label: string;
}

/** The first is open by default. */
export function Tabs({ tabs, label, defaultValue, className, ...rest }: TabsProps) {
  return (
    <Radix.Root
      {...rest}
      {...(rest.value === undefined && { defaultValue: defaultValue ?? tabs[0]?.value })}
      className={classNames('min-w-0', className)}
    >
      <Radix.List
        aria-label={label}
        className="flex gap-x-7 overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            disabled={tab.disabled}
            className={
              'relative min-h-11 shrink-0 border-b-2 border-transparent px-0.5 text-[0.9375rem] font-semibold text-ink-soft -outline-offset-2 ' +
              'enabled:hover:text-ink disabled:opacity-55 data-[state=active]:border-accent data-[state=active]:text-ink'
            }
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          {...(tab.keep && { forceMount: true })}
          className="rounded-sm pt-6 focus-visible:outline-offset-4 data-[state=inactive]:hidden"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
