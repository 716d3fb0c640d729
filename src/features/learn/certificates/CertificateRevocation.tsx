import { useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { call, messageOf } from '#src/shared/api.ts';
import { restoreCertificateCall, revokeCertificateCall } from '#src/features/learn/schema.ts';

interface Props {
  number: string;
  recipientName: string;
  revoked: { on: string; reason: string } | null;
}

export function CertificateRevocation({ number, recipientName, revoked }: Props) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const [asks, setAsks] = useState(false);
  const params = { number };

  async function change(work: () => Promise<unknown>) {
    try {
      await work();
      window.location.reload();
    } catch (error) {
      setProblem(messageOf(error, 'That did not reach our server. Please try again.'));
    }
  }

  return (
    <section aria-labelledby="revocation-heading" className="mt-10 card p-5 sm:p-6 print:hidden">
      <h2 id="revocation-heading" className="text-subheading">
        For administrators
      </h2>
      {revoked ? (
        <>
          <p className="mt-2 text-ink-soft">
            Revoked on {revoked.on}: <span className="text-ink">{revoked.reason}</span>
          </p>
          {problem && (
            <p role="alert" className="mt-3 text-sm text-danger">
              {problem}
            </p>
          )}
          <Button
            variant="secondary"
            className="mt-4"
            onClick={() => change(() => call(restoreCertificateCall, { params }))}
          >
            Take the revocation back
          </Button>
        </>
      ) : (
        <form
          className="mt-4 flex flex-col items-start gap-4"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (reason.trim().length < 3) setProblem('Reason must be at least 3 characters');
            else setAsks(true);
          }}
        >
          <div className="w-full max-w-prose">
            <Field
              label="Reason to revoke it"
              hint="Kept for administrators; visitors only see that it was revoked."
              error={problem}
              required
            >
              <Input
                name="reason"
                autoComplete="off"
                maxLength={500}
                value={reason}
                onChange={(event) => {
                  setReason(event.target.value);
                  setProblem(undefined);
                }}
              />
            </Field>
          </div>
          <Button type="submit" variant="secondary">
            Revoke this certificate
          </Button>
          <AlertDialog
            open={asks}
            onOpenChange={setAsks}
            title="Revoke this certificate?"
            description={`Everybody who checks ${number} will see that it does not count any more for ${recipientName}. You can take it back.`}
            confirmLabel="Revoke"
            destructive
            onConfirm={() => change(() => call(revokeCertificateCall, { params, input: { reason } }))}
          />
        </form>
      )}
    </section>
  );
}
