import { type ReactNode, useEffect, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { PasswordInput } from '#src/components/PasswordInput.tsx';
import { toast } from '#src/components/toast.store.ts';
import { ApiError, call } from '#src/shared/api.ts';
import { writeAuth } from '#src/features/account/auth.store.ts';
import { login, type PublicUser, SIGN_IN_FAILED } from '#src/features/account/schema.ts';
import { FactorForm, PasskeyButton } from '#src/features/account/second-factor/FactorForm.tsx';
import { knowsPasskeys, askPasskey } from '#src/features/account/second-factor/passkey-browser.ts';
import {
  completeLogin,
  passkeyLogin,
  passkeyLoginOptions,
  type SecondFactorRequired,
  secondFactorRequired,
  type SecondStep,
} from '#src/features/account/second-factor/schema.ts';
import { homeOf } from '#src/features/account/sign-in/sign-in-action.ts';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';
import type { RefusedForm } from '#src/shared/errors.ts';

interface Props {
  /** Null for one's home. */
  destination: string | null;
  email?: string | undefined;
  action: string;
  refused?: RefusedForm | null;
  secondStep?: SecondFactorRequired | null;
  /** Another way on. */
  children?: ReactNode;
}

export function LoginForm({
  destination,
  email,
  action,
  refused = null,
  secondStep = null,
  children,
}: Props) {
  const [refusal, setRefusal] = useState('');
  const [asked, setAsked] = useState(secondStep);
  const [withPasskeys, setWithPasskeys] = useState(false);

  const enter = async ({ token, user }: { token: string; user: PublicUser }) => {
    writeAuth(token, user);
    location.replace(destination ?? homeOf(user));
    await new Promise(() => {});
  };
  const form = useForm(
    login.input!,
    async (input) => {
      setRefusal('');
      let signedIn: { token: string; user: PublicUser };
      try {
        signedIn = await call(login, { input });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'second_factor_required') throw error;
        setAsked(secondFactorRequired.parse(error.body));
        return;
      }
      await enter(signedIn);
    },
    (message) => {
      setRefusal(message || SIGN_IN_FAILED);
      toast({ title: 'Sign in failed', description: message || SIGN_IN_FAILED, variant: 'destructive' });
      const password = form.ref.current?.elements.namedItem('password');
      if (password instanceof HTMLInputElement) password.select();
    },
    refused,
  );

  useEffect(() => setWithPasskeys(knowsPasskeys()), []);

  const complete = async (input: SecondStep) => {
    try {
      await enter(await call(completeLogin, { input }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.body.startAgain !== true) throw error;
      setAsked(null);
      setRefusal(error.serverMessage);
    }
  };

  if (asked) {
    return (
      <section aria-labelledby="second-step" className="flex flex-col gap-5">
        <div>
          <h2 id="second-step" className="text-heading">
            Confirm that it is you
          </h2>
          <p className="mt-1.5 text-ink-soft">Your password was right. One more step.</p>
        </div>
        <FactorForm
          methods={asked.methods}
          confirmLabel="Confirm"
          plain={asked === secondStep ? { action, refused } : null}
          withCode={complete}
          withPasskey={async () => complete({ passkey: await askPasskey(asked.passkeyOptions!) })}
        />
        {secondStep ? (
          <Button variant="ghost" href={action}>
            Start again
          </Button>
        ) : (
          <Button variant="ghost" onClick={() => setAsked(null)}>
            Start again
          </Button>
        )}
      </section>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <Form form={form} action={action} className="flex flex-col gap-5">
        {refusal && <Alert tone="danger">{refusal}</Alert>}
        <Field label="Email" error={form.errors.email} required>
          <Input
            type="email"
            name="email"
            defaultValue={refused?.typed.email ?? email}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
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
      </Form>
      {children}
      {withPasskeys && (
        <PasskeyButton
          variant="secondary"
          block
          onFailure={setRefusal}
          act={async () => {
            const passkey = await askPasskey(await call(passkeyLoginOptions, {}));
            await enter(await call(passkeyLogin, { input: { passkey } }));
          }}
        >
          Use a passkey
        </PasskeyButton>
      )}
    </div>
  );
}
