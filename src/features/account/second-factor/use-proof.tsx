import { useRef, useState } from 'react';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { PasswordInput } from '#src/components/PasswordInput.tsx';
import { ApiError, call } from '#src/shared/api.ts';
import { FactorForm } from './FactorForm.tsx';
import { askPasskey } from './passkey-browser.ts';
import { ProofForm } from './ProofForm.tsx';
import { giveProof, passwordForm, proofOptions, type SecondFactorRequired } from './schema.ts';

export type Methods = SecondFactorRequired['methods'];

/**
 * @param methods without any, the password is asked for
 * @returns `proven` runs a change, again after a proof; null where cancelled. `dialog` goes into the page.
 */
export function useProof(methods: Methods) {
  const [open, setOpen] = useState(false);
  const settle = useRef<(done: boolean) => void>(() => {});
  const close = (done: boolean) => {
    setOpen(false);
    settle.current(done);
  };

  async function proven<T>(change: () => Promise<T>): Promise<T | null> {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'proof_required') throw error;
    }
    const done = await new Promise<boolean>((resolve) => {
      settle.current = resolve;
      setOpen(true);
    });
    return done ? change() : null;
  }

  const dialog = (
    <Dialog
      size="sm"
      title="Confirm that it is you"
      description={
        methods.length > 0 ? 'This change needs your second factor.' : 'This change needs your password.'
      }
      open={open}
      onOpenChange={(next) => {
        if (!next) close(false);
      }}
    >
      {methods.length > 0 ? (
        <FactorForm
          methods={methods}
          confirmLabel="Confirm"
          withPasskey={async () => {
            const options = await call(proofOptions, {});
            await call(giveProof, { input: { passkey: await askPasskey(options!) } });
            close(true);
          }}
          withCode={async (input) => {
            await call(giveProof, { input });
            close(true);
          }}
        />
      ) : (
        <ProofForm
          schema={passwordForm}
          send={async (input) => {
            await call(giveProof, { input });
            close(true);
          }}
          submitLabel="Confirm"
        >
          {(errors) => (
            <Field label="Your password" error={errors.password} required>
              <PasswordInput name="password" autoComplete="current-password" />
            </Field>
          )}
        </ProofForm>
      )}
    </Dialog>
  );
  return { proven, dialog };
}
