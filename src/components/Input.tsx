import type { InputHTMLAttributes, Ref } from 'react';
import { classNames } from './class-names.ts';
import { useFieldControl } from './Field.tsx';
import { controlClass } from './field.ts';

export type InputProps = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };

/** Takes id, description and validity from `<Field>`. */
export function Input({ className, type = 'text', ...props }: InputProps) {
  return <input {...useFieldControl(props)} type={type} className={classNames(controlClass, className)} />;
}
