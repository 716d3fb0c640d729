import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { emptyState } from './empty-state.ts';

export interface EmptyStateProps {
  title: ReactNode;
  /** A lucide icon element; without one the open ring of the logo is drawn. */
  icon?: ReactNode;
  children?: ReactNode;
  /** Buttons: the way on. */
  actions?: ReactNode;
  /** Heading level of the title. Default 2. */
  level?: 1 | 2 | 3;
  className?: string;
}

/** What stands where a list or a thing would be: why there is nothing, and the way on. */
export function EmptyState({ title, icon, children, actions, level = 2, className }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={classNames(emptyState.box, className)}>
      <span aria-hidden="true" className={emptyState.ring}>
        {icon}
        <span className={emptyState.dot} />
      </span>
      <Heading className={emptyState.title}>{title}</Heading>
      {children && <div className={emptyState.text}>{children}</div>}
      {actions && <div className={emptyState.actions}>{actions}</div>}
    </div>
  );
}
