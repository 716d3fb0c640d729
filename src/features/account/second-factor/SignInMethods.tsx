import { KeyRound, Smartphone, Ticket } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import { Alert } from '#src/components/Alert.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { call } from '#src/shared/api.ts';
import { writeAuth } from '#src/features/account/auth.store.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import { deviceLabel } from '#src/features/account/sign-in/device.ts';
import type { PublicUser } from '../schema.ts';
import { AuthenticatorSetUp } from './AuthenticatorSetUp.tsx';
import { sentenceOf } from './FactorForm.tsx';
import { knowsPasskeys, makePasskey } from './passkey-browser.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import {
  endAuthenticator,
  endPasskey,
  newAuthenticator,
  newPasskey,
  newPasskeyOptions,
  newRecoveryCodes,
} from './schema.ts';
import { type Methods, useProof } from './use-proof.tsx';

export interface ListedFactors {
  passkeys: { id: number; name: string; facts: string }[];
  appSince: string | null;
  recoveryCodesLeft: number;
}

export function SignInMethods({ factors, methods }: { factors: ListedFactors; methods: Methods }) {
  const { proven, dialog } = useProof(methods);
  const [working, setWorking] = useState<string | null>(null);
  const [setUp, setSetUp] = useState<z.output<typeof newAuthenticator.output> | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);

  const run = async <T,>(which: string, change: () => Promise<T>): Promise<T | null> => {
    setWorking(which);
    try {
      return await proven(change);
    } catch (error) {
      toast({ title: 'Error', description: sentenceOf(error), variant: 'destructive' });
      return null;
    } finally {
      setWorking(null);
    }
  };
  const added = (answer: { message: string; recoveryCodes: string[] | null; user: PublicUser }) => {
    const auth = readAuth();
    // An administrator's rights may be back.
    if (auth) writeAuth(auth.token, answer.user);
    toastOnNextPage({ title: answer.message });
    if (answer.recoveryCodes) setCodes(answer.recoveryCodes);
    else location.reload();
  };
  const removed = (answer: { message: string } | null) => {
    if (!answer) return;
    toastOnNextPage({ title: answer.message });
    location.reload();
  };

  const addPasskey = async () => {
    if (!knowsPasskeys()) {
      toast({
        title: 'Error',
        description: 'This browser does not know passkeys. Use an authenticator app, or another browser.',
        variant: 'destructive',
      });
      return;
    }
    const options = await run('passkey', () => call(newPasskeyOptions, {}));
    if (!options) return;
    const answer = await run('passkey', async () => {
      const passkey = await makePasskey(options);
      return call(newPasskey, { input: { name: deviceLabel(navigator.userAgent), passkey } });
    });
    if (answer) added(answer);
  };

  return (
    <div>
      {methods.length === 0 && (
        <p className="mb-4 text-ink-soft">
          With a second factor a stolen password is not enough to sign in as you.
        </p>
      )}
      <ul aria-label="Second factors" className="divide-y divide-line rounded-md border border-line">
        <Row
          icon={<KeyRound />}
          title="Passkeys"
          text="Your fingerprint, face or a security key. Signs you in without a password too."
          on={factors.passkeys.length > 0}
          action={
            <Button
              variant="secondary"
              size="sm"
              className="max-sm:min-h-11"
              loading={working === 'passkey'}
              disabled={working !== null}
              onClick={() => void addPasskey()}
            >
              Add a passkey
            </Button>
          }
        >
          {factors.passkeys.length > 0 && (
            <ul aria-label="Your passkeys" className="mt-3 space-y-2.5">
              {factors.passkeys.map(({ id, name, facts }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2">
                  <div className="min-w-0 flex-1 basis-40">
                    <p className="font-semibold break-words">{name}</p>
                    <p className="text-sm text-ink-soft tabular-nums">{facts}</p>
                  </div>
                  <Button
                    variant="secondary"
                    size="sm"
                    className="max-sm:min-h-11"
                    aria-label={`Remove the passkey ${name}, ${facts}`}
                    loading={working === `passkey-${id}`}
                    disabled={working !== null}
                    onClick={async () =>
                      removed(await run(`passkey-${id}`, () => call(endPasskey, { params: { id } })))
                    }
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </Row>
        <Row
          icon={<Smartphone />}
          title="Authenticator app"
          text={
            factors.appSince ? `Since ${factors.appSince}` : 'Shows a new six-digit code every 30 seconds.'
          }
          on={factors.appSince !== null}
          action={
            <Button
              variant="secondary"
              size="sm"
              className="max-sm:min-h-11"
              aria-label={factors.appSince ? 'Remove the authenticator app' : 'Set up an authenticator app'}
              loading={working === 'app'}
              disabled={working !== null}
              onClick={async () => {
                if (factors.appSince) removed(await run('app', () => call(endAuthenticator, {})));
                else setSetUp(await run('app', () => call(newAuthenticator, {})));
              }}
            >
              {factors.appSince ? 'Remove' : 'Set up'}
            </Button>
          }
        />
        {methods.length > 0 && (
          <Row
            icon={<Ticket />}
            title="Recovery codes"
            text={`${factors.recoveryCodesLeft} of 10 left. Each signs you in once when your other factors are lost.`}
            on={false}
            action={
              <Button
                variant="secondary"
                size="sm"
                className="max-sm:min-h-11"
                loading={working === 'codes'}
                disabled={working !== null}
                onClick={async () => {
                  const answer = await run('codes', () => call(newRecoveryCodes, {}));
                  if (answer) setCodes(answer.recoveryCodes);
                }}
              >
                Make new ones
              </Button>
            }
          />
        )}
      </ul>
      {methods.length > 0 && factors.recoveryCodesLeft < 3 && (
        <Alert tone="warning" className="mt-4">
          You have few recovery codes left. Make new ones.
        </Alert>
      )}
      {dialog}
      <AuthenticatorSetUp
        setUp={setUp}
        onClose={() => setSetUp(null)}
        onDone={(answer) => {
          setSetUp(null);
          added(answer);
        }}
      />
      <RecoveryCodes codes={codes} onClose={() => location.reload()} />
    </div>
  );
}

function Row({
  icon,
  title,
  text,
  on,
  action,
  children,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  on: boolean;
  action: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="px-4 py-3.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span aria-hidden="true" className="shrink-0 text-ink-soft [&_svg]:size-5">
          {icon}
        </span>
        <div className="min-w-0 flex-1 basis-48">
          <p className="flex flex-wrap items-center gap-2 font-semibold">
            {title}
            {on && <Badge tone="success">On</Badge>}
          </p>
          <p className="text-sm text-ink-soft tabular-nums">{text}</p>
        </div>
        {action}
      </div>
      {children}
    </li>
  );
}
