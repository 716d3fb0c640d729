import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Card } from '#src/components/Card.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { toast } from '#src/components/toast.store.ts';
import { type BuyerDetails, buyerDetails } from '#src/features/store/checkout/schema.ts';
import type { FieldErrors } from '#src/shared/errors.ts';

interface BuyerForm {
  fields: RefObject<HTMLDivElement | null>;
  errors: FieldErrors;
  showErrors: (errors: FieldErrors) => void;
  read: () => BuyerDetails | null;
  onTyped: (name: string) => void;
}

export function useBuyerForm(): BuyerForm {
  const [errors, setErrors] = useState<FieldErrors>({});
  const fields = useRef<HTMLDivElement>(null);
  const missingToast = useRef<{ dismiss: () => void } | null>(null);

  const showErrors = (messages: FieldErrors) => {
    setErrors(messages);
    const first = Object.keys(messages)[0];
    fields.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  const read = (): BuyerDetails | null => {
    const inputs = [...(fields.current?.querySelectorAll('input') ?? [])];
    const values = Object.fromEntries(inputs.map((input) => [input.name, input.value]));
    const parsed = buyerDetails.safeParse(values);
    missingToast.current?.dismiss();
    if (parsed.success) {
      setErrors({});
      return parsed.data;
    }
    const messages: FieldErrors = {};
    for (const issue of parsed.error.issues) messages[String(issue.path[0])] ??= issue.message;
    if (inputs.some((input) => input.value.trim() === '')) {
      missingToast.current = toast({
        title: 'Missing Information',
        description: 'Please fill in your first name, last name and email.',
        variant: 'destructive',
      });
    }
    showErrors(messages);
    return null;
  };

  const onTyped = (name: string) => {
    missingToast.current?.dismiss();
    setErrors(({ [name]: _mended, ...others }) => others);
  };
  return { fields, errors, showErrors, read, onTyped };
}

/** @param formId the form is in another card @param account its email cannot be changed here; null for a guest */
export function BuyerFields({
  form: { fields, errors, onTyped },
  formId,
  account,
  children,
}: {
  form: BuyerForm;
  formId: string | undefined;
  account: BuyerDetails | null;
  children: ReactNode;
}) {
  return (
    <Card className="noscript:hidden">
      <h2 className="text-subheading">Your details</h2>
      <p className="mt-1 mb-5 text-sm text-ink-soft">{children}</p>
      <div
        ref={fields}
        className="grid gap-5 sm:grid-cols-2"
        onInput={({ target }) => onTyped((target as HTMLInputElement).name)}
      >
        <Field label="First name" error={errors.firstName} required>
          <Input
            form={formId}
            name="firstName"
            autoComplete="given-name"
            defaultValue={account?.firstName ?? ''}
          />
        </Field>
        <Field label="Last name" error={errors.lastName} required>
          <Input
            form={formId}
            name="lastName"
            autoComplete="family-name"
            defaultValue={account?.lastName ?? ''}
          />
        </Field>
        <Field
          label="Email"
          hint={
            account
              ? 'Your receipt goes to the address of your account.'
              : 'We send your receipt, and the way to your course, to this address.'
          }
          error={errors.email}
          required
          className="sm:col-span-2"
        >
          <Input
            form={formId}
            type="email"
            name="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            readOnly={account !== null}
            className={account ? 'bg-sunken text-ink-soft' : ''}
            defaultValue={account?.email ?? ''}
          />
        </Field>
      </div>
    </Card>
  );
}
