import type { ComponentProps } from 'react';

/** `useForm` unfolds it for a refused field in it. */
export function More({
  children,
  ...details
}: Pick<ComponentProps<'details'>, 'open' | 'onToggle' | 'children'>) {
  return (
    <details {...details}>
      <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 font-semibold before:content-['▸'] [[open]>&]:before:rotate-90">
        More
      </summary>
      <div className="mt-3 grid grid-cols-1 gap-5">{children}</div>
    </details>
  );
}
