import type { ReactNode } from 'react';

export function ScrollBox({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <div role="group" tabIndex={0} aria-label={label} className={className}>
      <pre className="font-mono text-sm whitespace-pre-wrap break-words">{children}</pre>
    </div>
  );
}
