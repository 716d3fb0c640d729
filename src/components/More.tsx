import type { ComponentProps, ReactNode } from 'react';

/** `useForm` unfolds it for a refused field in it. */
export function More({
  label = 'More',
  children,
  ...details
}: Pick<ComponentProps<'details'>, 'open' | 'onToggle' | 'children'> & { label?: ReactNode }) {
  return (
    <details {...details}>
      <summary className="flex min-h-11 w-fit max-w-full cursor-pointer items-center gap-2 font-semibold before:content-['▸'] [[open]>&]:before:rotate-90">
        {label}
      </summary>
      <div className="mt-3 grid grid-cols-1 gap-5">{children}</div>
    </details>
  );
}
