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

/** For Button.tsx and Button.astro. */
export function buttonClass(
  { variant = 'primary', size = 'md', block = false }: ButtonLook = {},
  extra?: string,
): string {
  const shape = variant === 'link' ? (size === 'sm' ? 'text-sm' : 'text-base') : `btn-${size}`;
  return classNames('btn', `btn-${variant}`, shape, block && 'w-full', extra);
}
