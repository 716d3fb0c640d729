import type { ReactNode } from 'react';
import { badgeClass, type Tone } from './surface.ts';

export function Badge({
  tone,
  className,
  children,
}: {
  tone?: Tone;
  className?: string;
  children: ReactNode;
}) {
  return <span className={badgeClass(tone, className)}>{children}</span>;
}
