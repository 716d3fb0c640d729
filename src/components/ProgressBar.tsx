import { useId } from 'react';
import { classNames } from './class-names.ts';
import { progressFillClass, progressTrackClass, shownPercent } from './progress.ts';

export interface ProgressBarProps {
  /** Percent, 0 to 100. */
  value: number;
  label: string;
  /** Keeps label and figure for screen readers only. */
  hideLabel?: boolean;
  size?: 'sm' | 'md';
  className?: string;
}

/** A labelled progress bar with its figure. */
export function ProgressBar({ value, label, hideLabel = false, size = 'sm', className }: ProgressBarProps) {
  const id = useId();
  const percent = shownPercent(value);
  return (
    <div className={className}>
      <div className={classNames('mb-1.5 flex justify-between gap-4 text-sm', hideLabel && 'sr-only')}>
        <span id={id} className="text-ink-soft">
          {label}
        </span>
        <span className="font-semibold tabular-nums">{percent}%</span>
      </div>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className={classNames(progressTrackClass, size === 'md' ? 'h-2.5' : 'h-1.5')}
      >
        <span className={progressFillClass(percent)} style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
