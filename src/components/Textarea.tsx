import type { Ref, TextareaHTMLAttributes } from 'react';
import { classNames } from './class-names.ts';
import { useFieldControl } from './Field.tsx';
import { controlClass } from './field.ts';

/** Takes id, description and validity from `<Field>`. */
export function Textarea({
  className,
  rows = 4,
  ...props
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea {...useFieldControl(props)} rows={rows} className={classNames(controlClass, className)} />;
}
