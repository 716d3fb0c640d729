import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from '#src/shared/api.ts';
import type { FieldErrors, RefusedForm } from '#src/shared/errors.ts';

/** Said when no answer came at all; every other failure has the server's message or the specification's. */
const UNREACHABLE = 'We could not reach the server. Check your connection and try again.';

export type FormState = {
  /** Goes on the `<form>`, with `noValidate` (the messages are ours) and `data-island` (see the head script). */
  ref: RefObject<HTMLFormElement | null>;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onInput: (event: FormEvent<HTMLFormElement>) => void;
  /** A list that was chosen from tells no input. */
  onChange: (event: FormEvent<HTMLFormElement>) => void;
  errors: FieldErrors;
  /** A request is under way: the button shows it and a second submit is ignored. */
  sending: boolean;
  /** What was refused and belongs to no field, where the form shows that itself; '' for nothing. */
  refusal: string;
};

declare global {
  interface HTMLFormElement {
    /** Submitted before its island was there. */
    submittedEarly?: boolean;
  }
}

/** The messages of a schema by field, the first of each; empty when the values are fine. */
function messagesOf(error: z.ZodError): FieldErrors {
  const messages: FieldErrors = {};
  for (const issue of error.issues) messages[issue.path.join('.')] ??= issue.message;
  return messages;
}

/**
 * A form whose fields the browser holds: typed text survives a slow start, an error and a second try. Values are
 * checked by the schema that the server uses; messages stand at their fields, and the focus goes to the first.
 *
 * @param schema what the fields must hold; keys are field names
 * @param send gets the parsed values; what it throws is shown at the fields that the server named, or given to `onFailure`
 * @param onFailure gets a refusal that belongs to no field of this form, with the sentence to show; a text instead has the
 *   form show it, and is said where the server says nothing
 * @param refused what became of the form when it was posted without a script
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

  // What was submitted before this code ran (the page's head script held it) is submitted now, with what was typed since.
  useEffect(() => {
    const form = ref.current;
    if (!form) return;
    form.dataset.island = 'ready';
    if (form.submittedEarly) form.requestSubmit();
  }, []);

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
