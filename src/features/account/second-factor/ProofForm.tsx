import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { useForm } from '#src/components/use-form.ts';
import type { FieldErrors } from '#src/shared/errors.ts';

/** A form of a dialog that takes a code or a password; a refusal that is about no field stands above it. */
export function ProofForm<S extends z.ZodType>({
  schema,
  send,
  submitLabel,
  children,
}: {
  schema: S;
  send: (values: z.output<S>) => Promise<void>;
  submitLabel: string;
  /** The fields, with what is wrong with them by their names. */
  children: (errors: FieldErrors) => ReactNode;
}) {
  const [refusal, setRefusal] = useState('');
  const form = useForm(
    schema,
    async (values) => {
      setRefusal('');
      await send(values);
    },
    (message) => setRefusal(message || 'That did not work. Please try again.'),
  );
  return (
    <form
      ref={form.ref}
      method="post"
      data-island=""
      noValidate
      onSubmit={form.onSubmit}
      onInput={form.onInput}
      className="flex flex-col gap-5"
    >
      {refusal && (
        <Alert tone="danger" live>
          {refusal}
        </Alert>
      )}
      {children(form.errors)}
      <Button type="submit" size="lg" block loading={form.sending}>
        {submitLabel}
      </Button>
    </form>
  );
}
