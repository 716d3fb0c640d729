import { Copy, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { z } from 'zod';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { call } from '#src/shared/api.ts';
import { ProofForm } from './ProofForm.tsx';
import { codeForm, confirmAuthenticator, type newAuthenticator } from './schema.ts';

export function AuthenticatorSetUp({
  setUp,
  onClose,
  onDone,
}: {
  setUp: z.output<typeof newAuthenticator.output> | null;
  onClose: () => void;
  onDone: (answer: z.output<typeof confirmAuthenticator.output>) => void;
}) {
  const [said, setSaid] = useState('');
  return (
    <Dialog
      size="sm"
      title="Set up an authenticator app"
      description="Scan the picture with your app, or open the app on this device. Then type the code that it shows."
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
          <div className="flex flex-col gap-2">
            <Button href={setUp.uri} variant="secondary" block>
              <Smartphone aria-hidden="true" /> Open in your authenticator app
            </Button>
            <Button
              variant="secondary"
              block
              onClick={() =>
                navigator.clipboard.writeText(setUp.secret).then(
                  () => setSaid('Copied.'),
                  () => setSaid('Your browser did not let us copy it. Please select it below.'),
                )
              }
            >
              <Copy aria-hidden="true" /> Copy the secret
            </Button>
            <p role="status" className="text-sm text-ink-soft">
              {said}
            </p>
          </div>
          <details>
            <summary className="cursor-pointer text-sm font-semibold">No camera? Type the secret</summary>
            <p className="mt-2 font-mono text-sm break-all select-all">
              {setUp.secret.replace(/(.{4})(?=.)/g, '$1 ')}
            </p>
          </details>
          <ProofForm
            schema={codeForm}
            send={async (input) => onDone(await call(confirmAuthenticator, { input }))}
            submitLabel="Switch it on"
          >
            {(errors) => (
              <Field label="Code from the app" error={errors.code} required>
                <Input name="code" inputMode="numeric" autoComplete="one-time-code" maxLength={20} />
              </Field>
            )}
          </ProofForm>
        </div>
      )}
    </Dialog>
  );
}
