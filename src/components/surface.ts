import { classNames } from './class-names.ts';

export interface CardLook {
  /** Default `md`. */
  pad?: 'none' | 'sm' | 'md' | 'lg';
  /** Default `plain`; `sunken` is a quiet ground, `outline` none. */
  tone?: 'plain' | 'sunken' | 'outline';
  /** Lifts on hover; for a heading link with `after:absolute after:inset-0`. */
  interactive?: boolean;
}

const cardPads = { none: '', sm: 'p-4', md: 'p-5 sm:p-6', lg: 'p-6 sm:p-9' };
const cardTones = {
  plain: 'card',
  sunken: 'rounded-lg bg-sunken',
  outline: 'rounded-lg border border-line',
};

/** For Card.tsx and Card.astro. */
export function cardClass(
  { pad = 'md', tone = 'plain', interactive = false }: CardLook = {},
  extra?: string,
): string {
  return classNames('relative', cardTones[tone], cardPads[pad], interactive && 'lifts', extra);
}

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'info';

const badgeTones: Record<Tone, string> = {
  neutral: '',
  accent: 'bg-accent-soft text-accent-strong',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  info: 'bg-info-soft text-info',
};

export function badgeClass(tone: Tone = 'neutral', extra?: string): string {
  return classNames('badge', badgeTones[tone], extra);
}

const alertTones: Record<Exclude<Tone, 'accent'>, string> = {
  neutral: 'bg-sunken border-line [&>svg]:text-ink-soft',
  success: 'bg-success-soft border-success-line [&>svg]:text-success',
  warning: 'bg-warning-soft border-warning-line [&>svg]:text-warning',
  danger: 'bg-danger-soft border-danger-line [&>svg]:text-danger',
  info: 'bg-info-soft border-info-line [&>svg]:text-info',
};

export type AlertTone = keyof typeof alertTones;

export function alertClass(tone: AlertTone = 'info', extra?: string): string {
  return classNames(
    'flex gap-3 rounded-md border px-4 py-3.5 text-sm text-ink [&>svg]:mt-px [&>svg]:size-5 [&>svg]:shrink-0',
    alertTones[tone],
    extra,
  );
}
