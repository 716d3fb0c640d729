import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { classNames } from './class-names.ts';
import { emptyState } from './empty-state.ts';

export interface ErrorStateProps {
  title?: ReactNode;
  children?: ReactNode;
  /** Shows "Try again". */
  onRetry?: () => void;
  requestId?: string;
  level?: 1 | 2 | 3;
  className?: string;
}

/** Announced when it appears. */
export function ErrorState({
  title = 'This did not load',
  children,
  onRetry,
  requestId,
  level = 2,
  className,
}: ErrorStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div role="alert" className={classNames(emptyState.box, className)}>
      <span aria-hidden="true" className={classNames(emptyState.ring, 'border-danger-line! text-danger!')}>
        <TriangleAlert />
      </span>
      <Heading className={emptyState.title}>{title}</Heading>
      {children && <div className={emptyState.text}>{children}</div>}
      {onRetry && (
        <div className={emptyState.actions}>
          <Button variant="secondary" onClick={onRetry}>
            <RotateCw aria-hidden="true" /> Try again
          </Button>
        </div>
      )}
      {requestId && <p className="mt-4 text-xs text-ink-faint">Reference: {requestId}</p>}
    </div>
  );
}
