import { z } from 'zod';

/**
 * A schema for `useForm` of strings, checked by the call's own rules.
 * @param input of the call, with the form's names
 * @param read turns strings into it; an empty field is ''
 */
export function formFor<S extends z.ZodType>(
  input: S,
  read: (typed: (name: string) => string) => unknown,
): z.ZodType<z.input<S>> {
  return z.record(z.string(), z.unknown()).transform((values, context) => {
    const typed = (name: string) => (typeof values[name] === 'string' ? values[name] : '');
    const raw = read(typed) as z.input<S>;
    const checked = input.safeParse(raw);
    if (checked.success) return raw;
    for (const { message, path } of checked.error.issues) {
      context.addIssue({ code: 'custom', message, path: [...path] });
    }
    return z.NEVER;
  });
}

/** '' → undefined, '12' → 12, 'a dozen' → NaN, which schemas refuse by name. */
export function typedNumber(value: string): number | undefined {
  const text = value.trim();
  if (!text) return undefined;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
