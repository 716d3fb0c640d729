import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { toast } from '#src/components/toast.store.ts';
import { call } from '#src/shared/api.ts';
import { clearAuth } from '#src/features/account/auth.store.ts';
import { RESET_FAILED, resetPassword, resetPasswordForm } from '#src/features/account/schema.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';

export function ResetPasswordForm({ token }: { token: string }) {
  const [done, setDone] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useForm(
    resetPasswordForm,
    async ({ newPassword }) => {
      await call(resetPassword, { input: { token, newPassword } });
      await clearAuth(true);
      setDone(true);
    },
    (message) =>
      toast({ title: 'Reset failed', description: message || RESET_FAILED, variant: 'destructive' }),
  );

  useEffect(() => {
    if (done) heading.current?.focus();
  }, [done]);

  if (done) {
    return (
      <div className="flex flex-col items-start gap-4">
        <CircleCheck aria-hidden="true" className="size-8 text-success" />
        <h2 ref={heading} tabIndex={-1} className="text-heading outline-none">
          Your password has been changed
        </h2>
        <p className="text-ink-soft">You have been signed out everywhere. Sign in with the new password.</p>
        <Button href="/login" size="lg">
          Sign in
        </Button>
      </div>
    );
  }

  return (
    <Form form={form} className="flex flex-col gap-5">
      <p className="text-ink-soft">You will be signed out on all devices.</p>
      <NewPasswordFields errors={form.errors} label="New Password" repeat="Confirm Password" />
      <Button type="submit" size="lg" block loading={form.sending}>
        Reset password
      </Button>
    </Form>
  );
}
