import { classNames } from './class-names.ts';
import { progressFillClass, progressTrackClass, shownPercent } from './progress.ts';

export interface ProgressBarProps {
  value: number;
  label: string;
  size?: 'sm' | 'md';
  className?: string;
}

export function ProgressBar({ value, label, size = 'sm', className }: ProgressBarProps) {
  const percent = shownPercent(value);
  return (
    <div className={className}>
      {/* The bar announces both. */}
      <div aria-hidden="true" className="mb-1.5 flex justify-between gap-4 text-sm">
        <span className="text-ink-soft">{label}</span>
        <span className="font-semibold tabular-nums">{percent}%</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
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
