import { useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { toast } from '#src/components/toast.store.ts';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';
import { call } from '#src/shared/api.ts';
import { requestClaimLinkCall } from '#src/features/store/guests/schema.ts';

export function RequestClaimLink() {
  const [sent, setSent] = useState('');
  const form = useForm(
    requestClaimLinkCall.input!,
    async (input) => setSent((await call(requestClaimLinkCall, { input })).message),
    (message) =>
      toast({ title: 'Error', description: message || 'Please try again.', variant: 'destructive' }),
  );
  if (sent) {
    return (
      <Alert tone="info" live title="Please check your email">
        {sent}
      </Alert>
    );
  }
  return (
    <Form form={form} className="flex flex-col gap-5">
      <Field label="Email of your purchase" error={form.errors.email} required>
        <Input type="email" name="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
      </Field>
      <Button type="submit" size="lg" block loading={form.sending}>
        Send me a link
      </Button>
    </Form>
  );
}
