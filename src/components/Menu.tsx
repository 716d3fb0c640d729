import { DropdownMenu as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

const panelClass =
  'z-50 min-w-52 max-w-[calc(100vw-1rem)] card p-1.5 shadow-lg outline-none ' +
  'data-[state=open]:animate-rise-in data-[state=closed]:animate-fade-out';
const itemClass =
  'flex min-h-10 w-full items-center gap-2.5 rounded-sm px-3 py-2 text-sm font-medium outline-none select-none ' +
  'data-highlighted:bg-accent-soft data-highlighted:text-accent-strong data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0';

/** `trigger` is one element that takes a ref; the rest are Menu parts. */
export function Menu({
  trigger,
  label,
  align = 'end',
  children,
  ...root
}: {
  trigger: ReactNode;
  /** Default: the trigger's name. */
  label?: string;
  align?: 'start' | 'center' | 'end';
  children: ReactNode;
} & Omit<ComponentProps<typeof Radix.Root>, 'children'>) {
  return (
    // Not modal: the page keeps its scroll bar.
    <Radix.Root modal={false} {...root}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {/* In the landmark of its trigger. */}
      <Radix.Content
        align={align}
        sideOffset={8}
        collisionPadding={8}
        className={panelClass}
        {...(label && { 'aria-label': label, 'aria-labelledby': undefined })}
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}

/** With `href` a link. */
export function MenuItem({
  href,
  icon,
  danger = false,
  className,
  children,
  ...rest
}: { href?: string; icon?: ReactNode; danger?: boolean } & Omit<
  ComponentProps<typeof Radix.Item>,
  'asChild'
>) {
  const classes = classNames(
    itemClass,
    danger && 'text-danger data-highlighted:bg-danger-soft! data-highlighted:text-danger!',
    className,
  );
  if (href) {
    return (
      <Radix.Item {...rest} asChild>
        <a href={href} className={classes}>
          {icon}
          {children}
        </a>
      </Radix.Item>
    );
  }
  return (
    <Radix.Item {...rest} className={classes}>
      {icon}
      {children}
    </Radix.Item>
  );
}

/** Not focusable. */
export function MenuLabel({ children, className }: { children: ReactNode; className?: string }) {
  return <Radix.Label className={classNames('px-3 py-2 text-sm', className)}>{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="mx-1.5 my-1.5 h-px bg-line" />;
}
