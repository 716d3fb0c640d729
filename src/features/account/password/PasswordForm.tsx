import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { PasswordInput } from '#src/components/PasswordInput.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { call } from '#src/shared/api.ts';
import { PASSWORD_MIN } from '#src/shared/fields.ts';
import { changePassword, changePasswordForm } from '#src/features/account/schema.ts';
import { PasswordStrength } from './PasswordStrength.tsx';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';

export function PasswordForm({ email }: { email: string }) {
  const form = useForm(
    changePasswordForm,
    async ({ currentPassword, newPassword }) => {
      const { message } = await call(changePassword, { input: { currentPassword, newPassword } });
      toastOnNextPage({ title: message });
      location.reload();
      await new Promise(() => {});
    },
    'Your password was not changed. Please try again.',
  );
  return (
    <Form form={form} className="flex flex-col items-start gap-4">
      <input type="text" name="email" value={email} readOnly autoComplete="username" hidden />
      <div className="flex w-full flex-col gap-4">
        <Field label="Current password" error={form.errors.currentPassword} required>
          <PasswordInput name="currentPassword" autoComplete="current-password" />
        </Field>
        <Field
          label="New password"
          hint={`At least ${PASSWORD_MIN} characters.`}
          error={form.errors.newPassword}
          required
        >
          <PasswordInput name="newPassword" autoComplete="new-password" />
        </Field>
        <PasswordStrength field="newPassword" />
        <Field label="Repeat the new password" error={form.errors.confirmPassword} required>
          <PasswordInput name="confirmPassword" autoComplete="new-password" />
        </Field>
      </div>
      <Button type="submit" variant="secondary" loading={form.sending}>
        Change password
      </Button>
    </Form>
  );
}
