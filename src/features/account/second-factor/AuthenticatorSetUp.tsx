import { useState } from 'react';
import type { z } from 'zod';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { call } from '#src/shared/api.ts';
import { useForm } from '../use-form.ts';
import { codeForm, confirmAuthenticator } from './schema.ts';

/** Shows the secret for an authenticator app and takes the first code that the app makes of it. */
export function AuthenticatorSetUp({
  setUp,
  onClose,
  onDone,
}: {
  setUp: { secret: string; qr: string } | null;
  onClose: () => void;
  onDone: (answer: z.output<typeof confirmAuthenticator.output>) => void;
}) {
  return (
    <Dialog
      size="sm"
      title="Set up an authenticator app"
      description="Scan the picture with your app, then type the code that it shows."
      open={setUp !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      {setUp && (
        <div className="flex flex-col gap-5">
          <img
            src={setUp.qr}
            width={192}
            height={192}
            alt="QR code with the secret below"
            className="self-center rounded-md border border-line bg-white"
          />
          <details>
            <summary className="cursor-pointer text-sm font-semibold">No camera? Type the secret</summary>
            <p className="mt-2 font-mono text-sm break-all select-all">
              {setUp.secret.replace(/(.{4})(?=.)/g, '$1 ')}
            </p>
          </details>
          <ConfirmForm onDone={onDone} />
        </div>
      )}
    </Dialog>
  );
}

function ConfirmForm({ onDone }: { onDone: (answer: z.output<typeof confirmAuthenticator.output>) => void }) {
  const [refusal, setRefusal] = useState('');
  const form = useForm(
    codeForm,
    async (input) => {
      setRefusal('');
      onDone(await call(confirmAuthenticator, { input }));
    },
    (message) => setRefusal(message || 'That did not work. Please try again.'),
  );
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
      {refusal && (
        <Alert tone="danger" live>
          {refusal}
        </Alert>
      )}
      <Field label="Code from the app" error={form.errors.code} required>
        <Input name="code" inputMode="numeric" autoComplete="one-time-code" maxLength={20} />
      </Field>
      <Button type="submit" size="lg" block loading={form.sending}>
        Switch it on
      </Button>
    </form>
  );
}
