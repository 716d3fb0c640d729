import { Field } from '#src/components/Field.tsx';
import { PasswordInput } from '#src/components/PasswordInput.tsx';
import type { FieldErrors } from '#src/shared/errors.ts';
import { PASSWORD_MIN } from '#src/shared/fields.ts';
import { PasswordStrength } from './PasswordStrength.tsx';

export function NewPasswordFields({
  errors,
  name = 'newPassword',
  label,
  repeat,
}: {
  errors: FieldErrors;
  name?: string;
  label: string;
  repeat: string;
}) {
  return (
    <>
      <Field label={label} hint={`At least ${PASSWORD_MIN} characters.`} error={errors[name]} required>
        <PasswordInput name={name} autoComplete="new-password" />
      </Field>
      <PasswordStrength field={name} />
      <Field label={repeat} error={errors.confirmPassword} required>
        <PasswordInput name="confirmPassword" autoComplete="new-password" />
      </Field>
    </>
  );
}
