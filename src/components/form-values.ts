import { z } from 'zod';

/**
 * A schema for `useForm` whose form holds strings and whose call takes other types. The strings are turned into the
 * call's input and checked by the call's own rules, so that browser and server say the same of a field.
 *
 * @param input what the call takes; the form's fields have the same names
 * @param read turns what was typed into that input; an empty field is ''
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

/** '' → undefined, '12' → 12, 'a dozen' → NaN, which every schema of a number refuses by name. */
export function typedNumber(value: string): number | undefined {
  const text = value.trim();
  if (!text) return undefined;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
