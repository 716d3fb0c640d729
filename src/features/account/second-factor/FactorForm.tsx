import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { messageOf } from '#src/shared/api.ts';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';
import type { RefusedForm } from '#src/shared/errors.ts';
import { PasskeyFailure } from './passkey-browser.ts';
import { codeForm, recoveryCodeForm, type SecondFactorRequired } from './schema.ts';

type PlainForm = { action: string; refused: RefusedForm | null };
type Method = SecondFactorRequired['methods'][number];

const OTHER: Record<Method, string> = {
  passkey: 'Use a passkey instead',
  code: 'Use a one-time code instead',
  recovery_code: 'Use a recovery code instead',
};

export function FactorForm({
  methods,
  confirmLabel,
  plain = null,
  withPasskey,
  withCode,
}: {
  methods: readonly Method[];
  confirmLabel: string;
  plain?: PlainForm | null;
  withPasskey: () => Promise<void>;
  withCode: (given: { code: string } | { recoveryCode: string }) => Promise<void>;
}) {
  const [method, setMethod] = useState<Method>(methods[0]!);
  const [refusal, setRefusal] = useState('');
  const other = method === 'code' ? 'recovery_code' : 'code';
  return (
    <div className="flex flex-col gap-5">
      {refusal && (
        <Alert tone="danger" live>
          {refusal}
        </Alert>
      )}
      {method === 'passkey' ? (
        <PasskeyButton act={withPasskey} onFailure={setRefusal} block autoFocus>
          Use my passkey
        </PasskeyButton>
      ) : (
        <CodeForm
          key={method}
          isRecovery={method === 'recovery_code'}
          confirmLabel={confirmLabel}
          plain={plain}
          send={async (given) => {
            setRefusal('');
            await withCode(given);
          }}
          onFailure={setRefusal}
        />
      )}
      {plain && method !== 'passkey' && methods.includes(other) && (
        <details className="hidden text-sm noscript:block">
          <summary className="text-link cursor-pointer py-1">{OTHER[other]}</summary>
          <div className="mt-3">
            <CodeForm
              isRecovery={other === 'recovery_code'}
              confirmLabel={confirmLabel}
              plain={{ ...plain, refused: null }}
              send={withCode}
              onFailure={setRefusal}
            />
          </div>
        </details>
      )}
      {methods.length > 1 && (
        <ul className="flex flex-col items-start gap-2 text-sm noscript:hidden">
          {methods
            .filter((one) => one !== method)
            .map((one) => (
              <li key={one}>
                <button
                  type="button"
                  className="text-link py-1"
                  onClick={() => {
                    setRefusal('');
                    setMethod(one);
                  }}
                >
                  {OTHER[one]}
                </button>
              </li>
            ))}
        </ul>
      )}
    </div>
  );
}

function CodeForm({
  isRecovery,
  confirmLabel,
  plain,
  send,
  onFailure,
}: {
  isRecovery: boolean;
  confirmLabel: string;
  plain: PlainForm | null;
  send: (given: { code: string } | { recoveryCode: string }) => Promise<void>;
  onFailure: (message: string) => void;
}) {
  const form = useForm(
    isRecovery ? recoveryCodeForm : codeForm,
    (given) => send(given as { code: string } | { recoveryCode: string }),
    (message) => {
      onFailure(message || 'That did not work. Please try again.');
      form.ref.current?.querySelector('input')?.select();
    },
    plain?.refused,
  );
  return (
    <Form form={form} action={plain?.action} className="flex flex-col gap-5">
      {isRecovery ? (
        <Field
          label="Recovery code"
          hint="One of those you kept when you set the second factor up. It works once."
          error={form.errors.recoveryCode}
          required
        >
          <Input
            name="recoveryCode"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
          />
        </Field>
      ) : (
        <Field
          label="One-time code"
          hint="Six digits, from your authenticator app."
          error={form.errors.code}
          required
        >
          <Input name="code" inputMode="numeric" autoComplete="one-time-code" maxLength={20} autoFocus />
        </Field>
      )}
      <Button type="submit" size="lg" block loading={form.sending}>
        {confirmLabel}
      </Button>
    </Form>
  );
}

export function PasskeyButton({
  act,
  onFailure,
  block = false,
  variant = 'primary',
  autoFocus = false,
  children,
}: {
  act: () => Promise<void>;
  onFailure: (message: string) => void;
  block?: boolean;
  variant?: 'primary' | 'secondary';
  autoFocus?: boolean;
  children: ReactNode;
}) {
  const [working, setWorking] = useState(false);
  return (
    <Button
      variant={variant}
      size="lg"
      block={block}
      loading={working}
      autoFocus={autoFocus}
      onClick={async () => {
        setWorking(true);
        onFailure('');
        try {
          await act();
        } catch (error) {
          onFailure(sentenceOf(error));
          setWorking(false);
        }
      }}
    >
      <KeyRound aria-hidden="true" />
      {children}
    </Button>
  );
}

export function sentenceOf(error: unknown): string {
  if (error instanceof PasskeyFailure) return error.message;
  return messageOf(error, 'That did not work. Please try again.');
}
