import { useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import {
  addWebhookCall,
  ADDRESS_MAX,
  changeWebhookCall,
  deleteWebhookCall,
  sendAgainCall,
  testWebhookCall,
} from './schema.ts';
import { KIND_NAMES, WEBHOOK_KINDS, type WebhookKind } from './webhooks.ts';

const FAILED = 'That did not work. Check your connection and try again.';

/** Reloads after success; a refusal is a toast. */
async function doAndReload(work: () => Promise<{ message: string }>): Promise<void> {
  try {
    const { message } = await work();
    toastOnNextPage({ title: message });
    location.reload();
  } catch (error) {
    toast({ title: messageOf(error, FAILED), variant: 'destructive' });
    throw error;
  }
}

function KindChoice({
  chosen,
  error,
  onChange,
}: {
  chosen: readonly WebhookKind[];
  error: string;
  onChange: (kinds: WebhookKind[]) => void;
}) {
  return (
    <fieldset>
      <legend className="mb-3 text-sm font-medium">Events</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {KIND_NAMES.map((kind) => (
          <Checkbox
            key={kind}
            label={<code>{kind}</code>}
            hint={WEBHOOK_KINDS[kind]}
            checked={chosen.includes(kind)}
            onCheckedChange={(on) =>
              onChange(KIND_NAMES.filter((one) => (one === kind ? on === true : chosen.includes(one))))
            }
          />
        ))}
      </div>
      {error && (
        <Alert tone="danger" live className="mt-3">
          {error}
        </Alert>
      )}
    </fieldset>
  );
}

/** Reloads when closed. */
export function ShownOnce({ title, secret, hint }: { title: string; secret: string; hint: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast({ title: 'Copied' });
    } catch {
      toast({ title: 'Select the text and copy it yourself.', variant: 'destructive' });
    }
  };
  return (
    <Dialog
      size="md"
      title={title}
      description={hint}
      open
      onOpenChange={(open) => {
        if (!open) location.reload();
      }}
      footer={
        <>
          <Button variant="secondary" onClick={() => void copy()}>
            Copy
          </Button>
          <Button onClick={() => location.reload()}>I have kept it</Button>
        </>
      }
    >
      <Field label="Secret">
        <Input readOnly value={secret} className="font-mono" onFocus={(event) => event.target.select()} />
      </Field>
    </Dialog>
  );
}

export function AddWebhook({ organisationId }: { organisationId: number }) {
  const [url, setUrl] = useState('');
  const [kinds, setKinds] = useState<WebhookKind[]>([...KIND_NAMES]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [working, setWorking] = useState(false);
  const [secret, setSecret] = useState('');

  const add = async () => {
    const read = addWebhookCall.input!.safeParse({ url, kinds });
    if (!read.success) {
      const found: Record<string, string> = {};
      for (const issue of read.error.issues) found[String(issue.path[0])] ??= issue.message;
      return setErrors(found);
    }
    setErrors({});
    setWorking(true);
    try {
      const made = await call(addWebhookCall, { params: { id: organisationId }, input: read.data });
      setSecret(made.secret);
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      setErrors(Object.keys(fields).length > 0 ? fields : { form: messageOf(error, FAILED) });
    }
    setWorking(false);
  };

  return (
    <form
      noValidate
      className="flex flex-col items-start gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!working) void add();
      }}
    >
      <div className="w-full">
        <Field label="Address" hint="It begins with https://" error={errors.url} required>
          <Input
            name="url"
            type="url"
            inputMode="url"
            autoComplete="off"
            maxLength={ADDRESS_MAX}
            value={url}
            placeholder="https://example.com/hooks"
            onChange={(event) => setUrl(event.target.value)}
          />
        </Field>
      </div>
      <KindChoice chosen={kinds} error={errors.kinds ?? ''} onChange={setKinds} />
      {errors.form && (
        <Alert tone="danger" live>
          {errors.form}
        </Alert>
      )}
      <Button type="submit" loading={working}>
        Add the webhook
      </Button>
      {secret && (
        <ShownOnce
          title="The signing secret"
          secret={secret}
          hint="Keep it where your system reads it: with it you check that a request is from us. It is not shown again."
        />
      )}
    </form>
  );
}

export function WebhookActions({
  organisationId,
  webhook,
}: {
  organisationId: number;
  webhook: { id: number; url: string; kinds: WebhookKind[]; paused: boolean };
}) {
  const [open, setOpen] = useState(false);
  const [kinds, setKinds] = useState(webhook.kinds);
  const [error, setError] = useState('');
  const [working, setWorking] = useState('');
  const params = { id: organisationId, webhook: webhook.id };

  const run = (name: string, work: () => Promise<{ message: string }>) => {
    setWorking(name);
    return doAndReload(work).catch(() => setWorking(''));
  };
  const save = () => {
    if (kinds.length === 0) return setError('Choose at least one event');
    return run('save', () => call(changeWebhookCall, { params, input: { kinds, paused: webhook.paused } }));
  };
  const pause = () =>
    run('pause', () =>
      call(changeWebhookCall, { params, input: { kinds: webhook.kinds, paused: !webhook.paused } }),
    );
  const small = { size: 'sm', className: 'max-sm:min-h-11' } as const;
  const pauseLabel = webhook.paused ? 'Resume' : 'Pause';

  return (
    <div className="flex flex-wrap gap-2">
      {!webhook.paused && (
        <Button
          {...small}
          variant="secondary"
          loading={working === 'test'}
          aria-label={`Send a test: ${webhook.url}`}
          onClick={() => void run('test', () => call(testWebhookCall, { params }))}
        >
          Send a test
        </Button>
      )}
      <Dialog
        size="md"
        title="Events of this webhook"
        description={webhook.url}
        open={open}
        onOpenChange={(next) => {
          if (!working) setOpen(next);
        }}
        trigger={
          <Button {...small} variant="secondary" aria-label={`Events: ${webhook.url}`}>
            Events
          </Button>
        }
        footer={
          <Button loading={working === 'save'} onClick={() => void save()}>
            Save the events
          </Button>
        }
      >
        <KindChoice
          chosen={kinds}
          error={error}
          onChange={(next) => {
            setKinds(next);
            setError('');
          }}
        />
      </Dialog>
      <Button
        {...small}
        variant="secondary"
        loading={working === 'pause'}
        aria-label={`${pauseLabel}: ${webhook.url}`}
        onClick={() => void pause()}
      >
        {pauseLabel}
      </Button>
      <AlertDialog
        title="Delete this webhook?"
        description={`Nothing is sent to ${webhook.url} any more, and its log is deleted.`}
        confirmLabel="Delete it"
        destructive
        onConfirm={() => doAndReload(() => call(deleteWebhookCall, { params }))}
        trigger={
          <Button {...small} variant="ghost" aria-label={`Delete: ${webhook.url}`}>
            Delete
          </Button>
        }
      />
    </div>
  );
}

export function SendAgain({
  organisationId,
  deliveryId,
  about,
}: {
  organisationId: number;
  deliveryId: number;
  about: string;
}) {
  const [working, setWorking] = useState(false);
  const send = async () => {
    setWorking(true);
    const params = { id: organisationId, delivery: deliveryId };
    await doAndReload(() => call(sendAgainCall, { params })).catch(() => setWorking(false));
  };
  return (
    <Button
      variant="secondary"
      size="sm"
      className="max-sm:min-h-11"
      loading={working}
      aria-label={`Send again: ${about}`}
      onClick={() => void send()}
    >
      Send again
    </Button>
  );
}
