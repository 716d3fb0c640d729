import { classNames } from './class-names.ts';

/** `aria-invalid` turns it red. */
export const controlClass =
  'block w-full min-h-11 rounded-md border border-line-strong bg-surface px-3.5 py-2 text-base text-ink shadow-xs ' +
  'placeholder:text-ink-faint transition-[border-color,box-shadow] hover:border-ink-soft ' +
  'focus-visible:border-accent aria-invalid:border-danger aria-invalid:bg-danger-soft/40 ' +
  'disabled:bg-sunken disabled:text-ink-faint disabled:border-line disabled:shadow-none [&[readonly]]:bg-sunken';

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
