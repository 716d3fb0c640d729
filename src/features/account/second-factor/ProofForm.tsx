import type { ReactNode } from 'react';
import type { z } from 'zod';
import { Button } from '#src/components/Button.tsx';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';
import type { FieldErrors } from '#src/shared/errors.ts';

export function ProofForm<S extends z.ZodType>({
  schema,
  send,
  submitLabel,
  children,
}: {
  schema: S;
  send: (values: z.output<S>) => Promise<void>;
  submitLabel: string;
  children: (errors: FieldErrors) => ReactNode;
}) {
  const form = useForm(
    schema,
    async (values) => {
      await send(values);
    },
    'That did not work. Please try again.',
  );
  return (
    <Form form={form} className="flex flex-col gap-5">
      {children(form.errors)}
      <Button type="submit" size="lg" block loading={form.sending}>
        {submitLabel}
      </Button>
    </Form>
  );
}
