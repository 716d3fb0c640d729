import { classNames } from './class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'link' | 'inverse';
export type ButtonSize = 'sm' | 'md' | 'lg' | 'icon' | 'icon-sm';

export interface ButtonLook {
  /** `inverse` is for dark grounds. */
  variant?: ButtonVariant;
  /** `icon` sizes need an `aria-label`. Default `md` (44 px). */
  size?: ButtonSize;
  block?: boolean;
}

const base =
  'relative inline-flex items-center justify-center gap-2 rounded-md font-semibold text-center select-none ' +
  'transition-[background-color,border-color,color,box-shadow,translate] ' +
  'disabled:opacity-55 aria-disabled:opacity-55 data-loading:opacity-100 [&_svg]:shrink-0';

const variants: Record<ButtonVariant, string> = {
  primary:
    'bg-accent text-on-accent shadow-xs enabled:hover:bg-accent-strong [a&]:hover:bg-accent-strong active:translate-y-px',
  secondary:
    'bg-surface text-ink border border-line-strong shadow-xs enabled:hover:border-ink enabled:hover:bg-sunken ' +
    '[a&]:hover:border-ink [a&]:hover:bg-sunken active:translate-y-px',
  ghost: 'text-ink enabled:hover:bg-ink/6 [a&]:hover:bg-ink/6 active:bg-ink/10',
  danger:
    'bg-danger text-on-accent shadow-xs enabled:hover:bg-danger-strong [a&]:hover:bg-danger-strong active:translate-y-px',
  link: 'text-accent underline decoration-1 underline-offset-4 enabled:hover:text-accent-strong [a&]:hover:text-accent-strong hover:decoration-2',
  inverse: 'bg-on-navy text-navy enabled:hover:bg-white [a&]:hover:bg-white active:translate-y-px',
};

const sizes: Record<ButtonSize, string> = {
  sm: 'min-h-9 px-3.5 text-sm [&_svg]:size-4',
  md: 'min-h-11 px-5 text-base [&_svg]:size-[1.125rem]',
  lg: 'min-h-13 px-7 text-[1.0625rem] [&_svg]:size-5',
  icon: 'size-11 [&_svg]:size-5',
  'icon-sm': 'size-9 [&_svg]:size-[1.125rem]',
};

/** For Button.tsx and Button.astro. */
export function buttonClass(
  { variant = 'primary', size = 'md', block = false }: ButtonLook = {},
  extra?: string,
): string {
  const shape =
    variant === 'link' ? classNames('min-h-6', size === 'sm' ? 'text-sm' : 'text-base') : sizes[size];
  return classNames(base, variants[variant], shape, block && 'w-full', extra);
}
