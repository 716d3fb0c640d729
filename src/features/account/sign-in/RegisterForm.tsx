import type { ReactNode } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { RadioGroup } from '#src/components/RadioGroup.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { call } from '#src/shared/api.ts';
import { writeAuth } from '#src/features/account/auth.store.ts';
import { register } from '#src/features/account/schema.ts';
import { NewPasswordFields } from '#src/features/account/password/NewPasswordFields.tsx';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';
import type { RefusedForm } from '#src/shared/errors.ts';

interface Props {
  destination: string;
  invitation?: { secret: string; email: string } | undefined;
  action: string;
  refused?: RefusedForm | null;
  terms?: ReactNode;
}

export function RegisterForm({ destination, invitation, action, refused = null, terms }: Props) {
  const form = useForm(
    register.input!,
    async (input) => {
      const { token, user, adminRequest, message } = await call(register, { input });
      writeAuth(token, user);
      toastOnNextPage({
        title: adminRequest ? 'Administrator access requested' : `Welcome, ${user.username}!`,
        description: adminRequest
          ? message
          : user.emailVerified
            ? message
            : `${message} We sent a link to ${user.email} to verify your address.`,
      });
      location.replace(destination);
      await new Promise(() => {});
    },
    (message) =>
      toast({
        title: 'Registration failed',
        description: message || 'An error occurred during registration.',
        variant: 'destructive',
      }),
    refused,
  );

  return (
    <Form form={form} action={action} className="flex flex-col gap-5">
      {invitation && <input type="hidden" name="invitation" value={invitation.secret} />}
      <Field label="Full Name" error={form.errors.username} required>
        <Input name="username" autoComplete="name" defaultValue={refused?.typed.username} />
      </Field>
      <Field label="Email" error={form.errors.email} required>
        <Input
          type="email"
          name="email"
          defaultValue={refused?.typed.email ?? invitation?.email}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <RadioGroup
        label="Account Type"
        name="role"
        defaultValue={refused?.typed.role === 'admin' ? 'admin' : 'student'}
        error={form.errors.role}
        options={[
          { value: 'student', label: 'Student', hint: 'Buy and study courses.' },
          {
            value: 'admin',
            label: 'Admin',
            hint: 'Starts as a student account. An existing administrator reviews your request first.',
          },
        ]}
      />
      <NewPasswordFields errors={form.errors} name="password" label="Password" repeat="Confirm Password" />
      {terms}
      <Button type="submit" size="lg" block loading={form.sending}>
        Create Account
      </Button>
    </Form>
  );
}
