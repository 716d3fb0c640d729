import { useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { call } from '#src/shared/api.ts';
import { changeEmail } from '#src/features/account/schema.ts';
import { type Methods, useProof } from '#src/features/account/second-factor/use-proof.tsx';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';

export function EmailForm({ email, methods }: { email: string; methods: Methods }) {
  const [sent, setSent] = useState('');
  const { proven, dialog } = useProof(methods);
  const form = useForm(
    changeEmail.input!,
    async (input) => {
      setSent('');
      const answer = await proven(() => call(changeEmail, { input }));
      if (!answer) return;
      setSent(answer.message);
      form.ref.current?.reset();
    },
    'Your address was not changed. Please try again.',
  );
  return (
    <>
      <Form form={form} className="flex flex-col items-start gap-4">
        {sent && (
          <Alert tone="success" live className="w-full [overflow-wrap:anywhere]">
            {sent}
          </Alert>
        )}
        <div className="w-full">
          <Field
            label="New email address"
            hint={`Now: ${email}. We mail a link to the new address and a notice to this one.`}
            error={form.errors.email}
            required
          >
            <Input type="email" name="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
          </Field>
        </div>
        <Button type="submit" variant="secondary" loading={form.sending}>
          Change email
        </Button>
      </Form>
      {dialog}
    </>
  );
}
