import { MailCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { toast } from '#src/components/toast.store.ts';
import { call } from '#src/shared/api.ts';
import { FORGOT_PASSWORD_ANSWER, forgotPassword } from '#src/features/account/schema.ts';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';

export function ForgotPasswordForm() {
  const [sent, setSent] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useForm(
    forgotPassword.input!,
    async (input) => {
      await call(forgotPassword, { input });
      setSent(true);
    },
    (message) =>
      toast({ title: 'Error', description: message || 'Failed to send reset email', variant: 'destructive' }),
  );

  useEffect(() => {
    if (sent) heading.current?.focus();
  }, [sent]);

  if (sent) {
    return (
      <div className="flex flex-col items-start gap-4">
        <MailCheck aria-hidden="true" className="size-8 text-accent" />
        <h2 ref={heading} tabIndex={-1} className="text-heading outline-none">
          Check your email
        </h2>
        <p className="text-ink-soft">{FORGOT_PASSWORD_ANSWER}</p>
        <p className="text-sm text-ink-soft">
          The link works for one hour. If nothing arrives within a few minutes, look into your spam folder.
        </p>
        <Button variant="secondary" onClick={() => setSent(false)}>
          Try another email
        </Button>
      </div>
    );
  }

  return (
    <Form form={form} className="flex flex-col gap-5">
      <p className="text-ink-soft">
        Enter the email of your account and we will send you a link to set a new one.
      </p>
      <Field label="Email" error={form.errors.email} required>
        <Input type="email" name="email" autoComplete="username" autoCapitalize="none" spellCheck={false} />
      </Field>
      <Button type="submit" size="lg" block loading={form.sending}>
        Send reset link
      </Button>
    </Form>
  );
}
