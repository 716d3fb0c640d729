import type { ReactNode } from 'react';
import { Alert } from './Alert.tsx';
import type { FormState } from './use-form.ts';

interface Props {
  form: FormState;
  id?: string;
  /** For browsers without scripts. */
  action?: string;
  className: string;
  children: ReactNode;
}

/** Shows refusals that belong to no field above the fields. */
export function Form({ form, id, action, className, children }: Props) {
  return (
    <form
      ref={form.ref}
      id={id}
      action={action}
      method="post"
      noValidate
      aria-busy={form.sending || undefined}
      onSubmit={form.onSubmit}
      onInput={form.onInput}
      onChange={form.onChange}
      className={className}
    >
      {form.refusal && (
        <Alert tone="danger" live className="w-full [overflow-wrap:anywhere]">
          {form.refusal}
        </Alert>
      )}
      {children}
    </form>
  );
}
