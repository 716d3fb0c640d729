import { useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Form } from '#src/components/Form.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { useForm } from '#src/components/use-form.ts';
import { clearAuth } from '#src/features/account/auth.store.ts';
import { logout } from '#src/features/account/schema.ts';
import { call, messageOf } from '#src/shared/api.ts';
import {
  inviteMemberCall,
  joinCall,
  NAME_MAX,
  openOrganisationCall,
  removeMemberCall,
  renameOrganisationCall,
  takeInvitationBackCall,
} from './schema.ts';

/** @param next path to go on at; `{id}` is the new organization */
export function OpenOrganisation({ next = '/organisations/{id}' }: { next?: string }) {
  const form = useForm(
    openOrganisationCall.input!,
    async (input) => {
      const { id } = await call(openOrganisationCall, { input });
      location.assign(next.replace('{id}', String(id)));
    },
    'The organisation was not opened. Please try again.',
  );
  return (
    <Form form={form} className="flex max-w-prose flex-col items-start gap-4">
      <div className="w-full">
        <Field
          label="Name of the organisation"
          hint="As your people know it. It stands in the invitations."
          error={form.errors.name}
          required
        >
          <Input name="name" autoComplete="organization" maxLength={NAME_MAX} />
        </Field>
      </div>
      <Button type="submit" loading={form.sending}>
        Open the organisation
      </Button>
    </Form>
  );
}

export function RenameOrganisation({ id, name }: { id: number; name: string }) {
  const form = useForm(
    renameOrganisationCall.input!,
    async (input) => {
      await call(renameOrganisationCall, { params: { id }, input });
      toastOnNextPage({ title: 'The organisation has its new name' });
      location.reload();
    },
    'The name was not changed. Please try again.',
  );
  return (
    <Form form={form} className="flex flex-col items-start gap-4">
      <div className="w-full">
        <Field label="Name of the organisation" error={form.errors.name} required>
          <Input name="name" defaultValue={name} autoComplete="organization" maxLength={NAME_MAX} />
        </Field>
      </div>
      <Button type="submit" variant="secondary" loading={form.sending}>
        Save name
      </Button>
    </Form>
  );
}

const ROLE_OPTIONS = [
  { value: 'manager', label: 'Manager' },
  { value: 'owner', label: 'Owner' },
];

export function InviteMember({ organisationId }: { organisationId: number }) {
  const form = useForm(
    inviteMemberCall.input!,
    async (input) => {
      const { message } = await call(inviteMemberCall, { params: { id: organisationId }, input });
      toastOnNextPage({ title: message });
      location.reload();
    },
    'Nobody was invited. Please try again.',
  );
  return (
    <Form form={form} className="grid items-end gap-4 sm:grid-cols-2">
      <Field label="Email" error={form.errors.email} required>
        <Input name="email" type="email" inputMode="email" autoComplete="off" />
      </Field>
      <Field label="Role" error={form.errors.role}>
        <Select name="role" options={ROLE_OPTIONS} defaultValue="manager" />
      </Field>
      <p className="text-sm text-ink-soft sm:col-span-2">
        A manager buys and gives seats. An owner also names those who may.
      </p>
      <div className="sm:col-span-2">
        <Button type="submit" variant="secondary" loading={form.sending}>
          Invite to run it
        </Button>
      </div>
    </Form>
  );
}

export function RemoveMember({
  organisationId,
  member,
  isSelf,
}: {
  organisationId: number;
  member: { userId: number; email: string };
  isSelf: boolean;
}) {
  const [open, setOpen] = useState(false);
  const [working, setWorking] = useState(false);
  const [refusal, setRefusal] = useState('');
  const remove = async () => {
    setWorking(true);
    try {
      const params = { id: organisationId, user: member.userId };
      const { message } = await call(removeMemberCall, { params });
      toastOnNextPage({ title: message });
      if (isSelf) location.assign('/organisations');
      else location.reload();
    } catch (error) {
      setRefusal(messageOf(error, 'Nothing was changed. Check your connection and try again.'));
      setWorking(false);
    }
  };
  const label = isSelf ? 'Leave' : 'Take out';
  return (
    <Dialog
      size="sm"
      title={isSelf ? 'Leave this organisation?' : 'Take this person out?'}
      description={
        isSelf
          ? 'You do not see or give its seats any more. A course that you have stays yours.'
          : `${member.email} does not see or give its seats any more.`
      }
      open={open}
      onOpenChange={(next) => {
        if (working) return;
        setOpen(next);
        setRefusal('');
      }}
      trigger={
        <Button
          variant="ghost"
          size="sm"
          className="max-sm:min-h-11"
          aria-label={`${label}: ${member.email}`}
        >
          {label}
        </Button>
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => !working && setOpen(false)}>
            Cancel
          </Button>
          <Button variant="danger" loading={working} onClick={() => void remove()}>
            {label}
          </Button>
        </>
      }
    >
      {refusal && (
        <Alert tone="danger" live>
          {refusal}
        </Alert>
      )}
    </Dialog>
  );
}

export function TakeInvitationBack({
  organisationId,
  invitation,
}: {
  organisationId: number;
  invitation: { id: number; email: string };
}) {
  const takeBack = async () => {
    try {
      const params = { id: organisationId, invitation: invitation.id };
      const { message } = await call(takeInvitationBackCall, { params });
      toastOnNextPage({ title: message });
      location.reload();
    } catch (error) {
      toast({
        title: messageOf(error, 'Nothing was changed. Check your connection and try again.'),
        variant: 'destructive',
      });
      throw error;
    }
  };
  return (
    <AlertDialog
      title="Take this invitation back?"
      description={`The link that we mailed to ${invitation.email} does not work any more then.`}
      confirmLabel="Take it back"
      destructive
      onConfirm={takeBack}
      trigger={
        <Button
          variant="ghost"
          size="sm"
          className="max-sm:min-h-11"
          aria-label={`Take back the invitation: ${invitation.email}`}
        >
          Take back
        </Button>
      }
    />
  );
}

/** The page then asks for the invited account. */
export function SwitchAccount({ email }: { email: string }) {
  const [working, setWorking] = useState(false);
  const leave = async () => {
    setWorking(true);
    try {
      await call(logout, {});
      await clearAuth(true);
      location.reload();
    } catch (error) {
      const title = messageOf(error, 'You are still signed in. Check your connection and try again.');
      toast({ title, variant: 'destructive' });
      setWorking(false);
    }
  };
  return (
    <Button size="lg" block loading={working} onClick={() => void leave()}>
      <span className="min-w-0">Sign out and go on as {email}</span>
    </Button>
  );
}

export function TakeInvitation({ token, label }: { token: string; label: string }) {
  const [working, setWorking] = useState(false);
  const [refusal, setRefusal] = useState('');
  const take = async () => {
    setWorking(true);
    setRefusal('');
    try {
      const { message, next } = await call(joinCall, { input: { token } });
      toastOnNextPage({ title: message });
      location.assign(next);
    } catch (error) {
      setRefusal(messageOf(error, 'That did not work. Check your connection and try again.'));
      setWorking(false);
    }
  };
  return (
    <div className="flex flex-col gap-4">
      {refusal && (
        <Alert tone="danger" live>
          {refusal}
        </Alert>
      )}
      <Button size="lg" block loading={working} onClick={() => void take()}>
        {label}
      </Button>
    </div>
  );
}
