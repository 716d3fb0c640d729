import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { PasswordInput } from '#src/components/PasswordInput.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { call } from '#src/shared/api.ts';
import { changePassword, changePasswordForm } from '#src/features/account/schema.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';
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
        <NewPasswordFields errors={form.errors} label="New password" repeat="Repeat the new password" />
      </div>
      <Button type="submit" variant="secondary" loading={form.sending}>
        Change password
      </Button>
    </Form>
  );
}
