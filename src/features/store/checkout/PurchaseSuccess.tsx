import { cartChanged } from '#src/features/store/cart/cart.store.ts';
import { CircleCheck } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { PasswordInput } from '#src/components/PasswordInput.tsx';
import { dismissToast, toast } from '#src/components/toast.store.ts';
import { ResendVerification } from '#src/features/account/email/ResendVerification.tsx';
import { PasswordStrength } from '#src/features/account/password/PasswordStrength.tsx';
import { PASSWORDS_DIFFER } from '#src/features/account/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { writeAuth } from '#src/features/account/auth.store.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { email as emailSchema, PASSWORD_MIN, password as passwordSchema } from '#src/shared/fields.ts';
import { loginPath } from '#src/shared/paths.ts';
import { splitName } from './direct/direct-purchase.ts';
import {
  type ClaimResult,
  claimPurchaseCall,
  createAccountAfterPurchaseCall,
} from '#src/features/store/guests/schema.ts';

const TOO_SHORT = `Password must be at least ${PASSWORD_MIN} characters`;

type ClaimProof = { token?: string; paymentIntentId?: string; clientSecret?: string };

type ClaimableProps = {
  heading?: string;
  intro: string;
  buyer: { email: string; firstName: string; lastName: string };
  proof: ClaimProof;
  next: 'add' | 'create';
  courseCount: number;
  signedInAs: string | null;
};

export const courseNoun = (count: number) => (count === 1 ? 'course' : 'courses');

export function PurchaseSuccess(props: ClaimableProps) {
  const [result, setResult] = useState<Exclude<ClaimResult, { status: 'mailed' }> | 'exists' | null>(null);
  const [mailed, setMailed] = useState('');

  const take = (answer: ClaimResult) => {
    if (answer.status === 'mailed') {
      setMailed(answer.message);
      return;
    }
    if (answer.status === 'created') writeAuth(answer.token, answer.user);
    cartChanged();
    setResult(answer);
  };
  const isClaimed = (error: unknown): boolean => {
    if (!(error instanceof ApiError) || error.status !== 409) return false;
    setResult('exists');
    return true;
  };

  if (result)
    return <Done result={result} signedIn={props.signedInAs !== null} noun={courseNoun(props.courseCount)} />;
  if (mailed)
    return (
      <Alert tone="info" live title="Please check your email">
        {mailed}
      </Alert>
    );
  const Next = props.next === 'add' ? AddToAccount : AccountForm;
  return (
    <>
      {props.heading && <h2 className="mb-1 text-subheading">{props.heading}</h2>}
      <p className="mb-6 text-ink-soft [overflow-wrap:anywhere]">{props.intro}</p>
      <Next {...props} onDone={take} isClaimed={isClaimed} />
    </>
  );
}

type StepProps = ClaimableProps & {
  onDone: (answer: ClaimResult) => void;
  isClaimed: (error: unknown) => boolean;
};

/** Spec 8. */
function creationFailed(error: unknown): void {
  toast(
    error instanceof ApiError
      ? {
          title: 'Account Creation Failed',
          description: messageOf(error, 'Please try again'),
          variant: 'destructive',
        }
      : {
          title: 'Error',
          description: 'Failed to create account. Please try again.',
          variant: 'destructive',
        },
  );
}

function AccountForm({ buyer, proof, onDone, isClaimed }: StepProps) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [sending, setSending] = useState(false);
  const isNamed = buyer.email !== '';

  const refuse = (field: string, title: string, message: string) => {
    setErrors({ [field]: message });
    toast({ title, description: message, variant: 'destructive' });
    form.current?.querySelector<HTMLInputElement>(`[name="${field}"]`)?.focus();
  };

  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    const values = new FormData(event.currentTarget);
    const password = String(values.get('password') ?? '');
    const typed = buyer.email
      ? buyer
      : { email: String(values.get('email') ?? ''), ...splitName(String(values.get('name') ?? '')) };
    if (!emailSchema().safeParse(typed.email).success) {
      return refuse('email', 'Account Creation Failed', 'Please enter a valid email address');
    }
    if (password !== values.get('confirmPassword')) {
      return refuse('confirmPassword', 'Password Mismatch', PASSWORDS_DIFFER);
    }
    const parsed = passwordSchema(TOO_SHORT).safeParse(password);
    if (!parsed.success) {
      const message = parsed.error.issues[0]?.message ?? TOO_SHORT;
      return refuse(
        'password',
        message === TOO_SHORT ? 'Password Too Short' : 'Password Not Accepted',
        message,
      );
    }
    setErrors({});
    setSending(true);
    dismissToast();
    try {
      const { token, ...payment } = proof;
      onDone(
        token === undefined
          ? await call(createAccountAfterPurchaseCall, { input: { ...typed, password, ...payment } })
          : await call(claimPurchaseCall, { input: { token, password } }),
      );
    } catch (error) {
      if (!isClaimed(error)) creationFailed(error);
    }
    setSending(false);
  };

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={(event) => void create(event)}
      onInput={() => setErrors({})}
      className="flex flex-col gap-5"
    >
      <Field label="Name">
        <Input
          name="name"
          autoComplete={isNamed ? 'off' : 'name'}
          disabled={isNamed}
          defaultValue={`${buyer.firstName} ${buyer.lastName}`.trim()}
        />
      </Field>
      <Field
        label="Email"
        hint={isNamed ? 'The address of your purchase.' : 'Your receipt goes to this address.'}
        error={errors.email}
      >
        <Input
          type="email"
          name="email"
          autoComplete={isNamed ? 'off' : 'email'}
          disabled={isNamed}
          defaultValue={buyer.email}
        />
      </Field>
      {/* Password managers ignore disabled fields. */}
      {isNamed && <input type="email" autoComplete="username" readOnly hidden value={buyer.email} />}
      <Field label="Password" hint={`At least ${PASSWORD_MIN} characters.`} error={errors.password} required>
        <PasswordInput name="password" autoComplete="new-password" />
      </Field>
      <PasswordStrength field="password" />
      <Field label="Confirm Password" error={errors.confirmPassword} required>
        <PasswordInput name="confirmPassword" autoComplete="new-password" />
      </Field>
      <Button type="submit" size="lg" block loading={sending}>
        Create Account
      </Button>
    </form>
  );
}

function AddToAccount({ buyer, proof, courseCount, signedInAs, onDone, isClaimed }: StepProps) {
  const [sending, setSending] = useState(false);
  const add = async () => {
    setSending(true);
    dismissToast();
    try {
      onDone(await call(claimPurchaseCall, { input: proof }));
    } catch (error) {
      if (!isClaimed(error)) {
        toast({
          title: `The ${courseNoun(courseCount)} could not be added`,
          description: messageOf(error, 'Please try again'),
          variant: 'destructive',
        });
      }
    }
    setSending(false);
  };
  const email = <strong className="font-semibold text-ink">{signedInAs ?? buyer.email}</strong>;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        {signedInAs === null ? (
          <>There is an account with the email address {email}. Its password stays as it is.</>
        ) : (
          <>You are signed in as {email}.</>
        )}
      </p>
      <Button size="lg" block loading={sending} onClick={() => void add()}>
        {`Add the ${courseNoun(courseCount)} to ${signedInAs === null ? 'this' : 'my'} account`}
      </Button>
    </div>
  );
}

function Done({
  result,
  signedIn,
  noun,
}: {
  result: Exclude<ClaimResult, { status: 'mailed' }> | 'exists';
  signedIn: boolean;
  noun: string;
}) {
  const are = noun === 'course' ? 'is' : 'are';
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const courseIds = result === 'exists' ? [] : result.courseIds;
  const isIn = courseIds.length > 0 && result !== 'exists' && (result.status === 'created' || signedIn);
  const waits = result !== 'exists' && result.status === 'created' && courseIds.length === 0;
  const title =
    result === 'exists'
      ? 'An account exists for this purchase'
      : result.status === 'created'
        ? 'Your account is ready'
        : `The ${noun} ${are} in your account`;
  return (
    <div className="flex flex-col items-start gap-4">
      <CircleCheck aria-hidden="true" className="size-8 text-success" />
      <h2 ref={heading} tabIndex={-1} className="text-heading outline-none">
        {title}
      </h2>
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        {result === 'exists'
          ? signedIn
            ? 'This purchase is in another account than the one you are signed in to.'
            : `Please sign in to get to your ${noun}.`
          : waits && result.status === 'created'
            ? `We have sent a link to ${result.user.email}. Open it in this browser, and your ${noun} ${are} in your account.`
            : result.status === 'created'
              ? [
                  `You are signed in as ${result.user.email}, and your ${noun} ${are} waiting for you.`,
                  result.user.emailVerified ? '' : 'We have mailed you a link to confirm the address.',
                ]
                  .join(' ')
                  .trim()
              : `${result.message}${signedIn ? '' : ' Sign in to start.'}`}
      </p>
      <div className="flex flex-wrap gap-3">
        {isIn ? (
          <>
            {courseIds.length === 1 && (
              <Button href={`/learn/${courseIds[0]}`} size="lg">
                Start lesson 1
              </Button>
            )}
            <Button href="/dashboard" size="lg" variant={courseIds.length === 1 ? 'secondary' : 'primary'}>
              Go to your dashboard
            </Button>
          </>
        ) : waits ? (
          <ResendVerification />
        ) : (
          <Button href={loginPath('/dashboard')} size="lg">
            Sign in
          </Button>
        )}
      </div>
    </div>
  );
}
