import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from '#src/shared/api.ts';
import type { FieldErrors, RefusedForm } from '#src/shared/errors.ts';

/** Without any answer. */
const UNREACHABLE = 'We could not reach the server. Check your connection and try again.';

export type FormState = {
  /** `noValidate`: messages are ours. */
  ref: RefObject<HTMLFormElement | null>;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onInput: (event: FormEvent<HTMLFormElement>) => void;
  /** Selects send no input event. */
  onChange: (event: FormEvent<HTMLFormElement>) => void;
  errors: FieldErrors;
  sending: boolean;
  /** Of no field, for forms that show it; '' for none. */
  refusal: string;
};

/** The first message of each field. */
function messagesOf(error: z.ZodError): FieldErrors {
  const messages: FieldErrors = {};
  for (const issue of error.issues) messages[issue.path.join('.')] ??= issue.message;
  return messages;
}

/**
 * A form whose DOM holds the values, so that typed text survives; checked by the server's schema, focus to the first message.
 * @param schema by field name
 * @param send its errors go to their fields or `onFailure`
 * @param onFailure refusals of no field; a text shows them in the form
 * @param refused of a post without scripts
 */
export function useForm<S extends z.ZodType>(
  schema: S,
  send: (values: z.output<S>) => Promise<void>,
  onFailure: string | ((message: string, error: unknown) => void),
  refused?: RefusedForm | null,
): FormState {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>(refused?.fields ?? {});
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState(
    refused && Object.keys(refused.fields).length === 0 ? refused.message : '',
  );
  const focusFirstError = useRef(false);

  useEffect(() => {
    if (!focusFirstError.current || Object.keys(errors).length === 0) return;
    focusFirstError.current = false;
    const folded = ref.current?.querySelectorAll<HTMLDetailsElement>('details:has([aria-invalid="true"])');
    for (const details of folded ?? []) details.open = true;
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);

  const show = (messages: FieldErrors) => {
    focusFirstError.current = true;
    setErrors(messages);
  };

  const submit = async (form: HTMLFormElement) => {
    const values = Object.fromEntries(new FormData(form));
    const parsed = schema.safeParse(values);
    if (!parsed.success) return show(messagesOf(parsed.error));
    setErrors({});
    setRefusal('');
    setSending(true);
    try {
      await send(parsed.data);
    } catch (error) {
      const named = error instanceof ApiError ? error.fields : {};
      const ours = Object.fromEntries(Object.entries(named).filter(([field]) => field in values));
      if (Object.keys(ours).length > 0) show(ours);
      else {
        const message = error instanceof ApiError ? error.serverMessage : UNREACHABLE;
        if (typeof onFailure === 'string') setRefusal(message || onFailure);
        else onFailure(message, error);
      }
    } finally {
      setSending(false);
    }
  };

  const forget = (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement;
    if (name in errors) setErrors(({ [name]: _, ...others }) => others);
  };
  return {
    ref,
    errors,
    sending,
    refusal,
    onSubmit: (event) => {
      event.preventDefault();
      if (!sending) void submit(event.currentTarget);
    },
    onInput: forget,
    onChange: forget,
  };
}
