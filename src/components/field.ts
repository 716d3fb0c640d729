import { classNames } from './class-names.ts';

export const controlClass = 'control';

/** With room for the arrow. */
export const nativeSelectClass = classNames(controlClass, 'appearance-none pr-10');

export const labelClass = 'block text-sm font-semibold text-ink';
export const hintClass = 'text-sm text-ink-soft';
export const errorClass = 'flex items-start gap-1.5 text-sm font-medium text-danger';

/** For `aria-describedby`. */
export function describedBy(id: string, hint: boolean, error: boolean): string | undefined {
  return classNames(hint && `${id}-hint`, error && `${id}-error`) || undefined;
}

/** Spread it on `Input.astro`, `Textarea.astro`, `Select.astro`. */
export function fieldControl(
  id: string,
  {
    hint,
    error,
    required,
  }: { hint?: string | undefined; error?: string | undefined; required?: boolean | undefined } = {},
): { id: string; required?: true; 'aria-describedby'?: string; 'aria-invalid'?: 'true' } {
  const described = describedBy(id, Boolean(hint), Boolean(error));
  return {
    id,
    ...(required && { required: true }),
    ...(described && { 'aria-describedby': described }),
    ...(error && { 'aria-invalid': 'true' }),
  };
}
