import { useEffect, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { PasswordInput } from '#src/components/PasswordInput.tsx';
import { toast } from '#src/components/toast.store.ts';
import { call } from '#src/shared/api.ts';
import { readAuth, writeAuth } from '#src/shared/auth-storage.ts';
import { restoreSignInHere } from './restore-sign-in.ts';
import { login, SIGN_IN_FAILED } from './schema.ts';
import { useForm } from './use-form.ts';

/** Signs in and goes on to `destination`, a path of this site. */
export function LoginForm({ destination }: { destination: string }) {
  const [refusal, setRefusal] = useState('');
  const form = useForm(
    login.input!,
    async (input) => {
      setRefusal('');
      const { token, user } = await call(login, { input });
      writeAuth(token, user);
      location.replace(destination);
      // The page is being left; the button stays busy until it is.
      await new Promise(() => {});
    },
    (message) => {
      // Beside the notification, which goes away by itself.
      setRefusal(message || SIGN_IN_FAILED);
      toast({ title: 'Sign in failed', description: message || SIGN_IN_FAILED, variant: 'destructive' });
      const password = form.ref.current?.elements.namedItem('password');
      if (password instanceof HTMLInputElement) password.select();
    },
  );

  // The server took this visitor for signed out; a stored token says otherwise, or has ended.
  useEffect(() => {
    if (readAuth()) void restoreSignInHere().then((done) => done && location.replace(destination));
  }, [destination]);

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
      {refusal && <Alert tone="danger">{refusal}</Alert>}
      <Field label="Email" error={form.errors.email} required>
        <Input type="email" name="email" autoComplete="username" autoCapitalize="none" spellCheck={false} />
      </Field>
      <Field
        label="Password"
        error={form.errors.password}
        required
        aside={
          <a href="/forgot-password" className="text-link">
            Forgot your password?
          </a>
        }
      >
        <PasswordInput name="password" autoComplete="current-password" />
      </Field>
      <Button type="submit" size="lg" block loading={form.sending}>
        Sign In
      </Button>
    </form>
  );
}
