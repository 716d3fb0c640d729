import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { emptyState } from './empty-state.ts';

export interface EmptyStateProps {
  title: ReactNode;
  /** Default: the logo's open ring. */
  icon?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** Default 2. */
  level?: 1 | 2 | 3;
  className?: string;
}

/** In place of a list: the reason, and the way on. */
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
