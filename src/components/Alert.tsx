import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type AlertTone, alertClass } from './surface.ts';

const icons = {
  neutral: Info,
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  danger: CircleAlert,
};

export interface AlertProps {
  tone?: AlertTone;
  title?: ReactNode;
  /** Announced when it appears: for results of an action. */
  live?: boolean;
  className?: string;
  children?: ReactNode;
}

/** The icon repeats the tone. */
export function Alert({ tone = 'info', title, live = false, className, children }: AlertProps) {
  const Icon = icons[tone];
  return (
    <div
      role={live ? (tone === 'danger' ? 'alert' : 'status') : undefined}
      className={alertClass(tone, className)}
    >
      <Icon aria-hidden="true" />
      <div className="min-w-0 flex-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-ink-soft">{children}</div>}
      </div>
    </div>
  );
}
