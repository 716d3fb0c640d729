import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';
import { call } from '#src/shared/api.ts';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';
import { addSynonymCall, removeSynonymCall, SYNONYM_MAX } from './schema.ts';

/** @param typed the search; '' for any text */
export function AddSynonym({ typed = '' }: { typed?: string }) {
  const [open, setOpen] = useState(false);
  const form = `add-synonym-${typed}`.replaceAll(/\s+/g, '-');
  return (
    <Dialog
      title="Add a synonym"
      description="Whoever searches for the first finds courses with the second too."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button
          variant={typed ? 'secondary' : 'primary'}
          size={typed ? 'sm' : 'md'}
          className={typed ? 'min-h-11 sm:min-h-10' : ''}
          aria-label={typed ? `Add synonym for “${typed}”` : undefined}
        >
          <Plus aria-hidden="true" /> Add synonym
        </Button>
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button type="submit" form={form}>
            Add synonym
          </Button>
        </>
      }
    >
      <SynonymForm id={form} typed={typed} />
    </Dialog>
  );
}

function SynonymForm({ id, typed }: { id: string; typed: string }) {
  const form = useForm(
    addSynonymCall.input!,
    async (input) => {
      const { message } = await call(addSynonymCall, { input });
      toastOnNextPage({ title: message });
      location.reload();
      // Busy until the page has gone.
      await new Promise(() => {});
    },
    'The words were not added. Please try again.',
  );
  return (
    <Form form={form} id={id} className="grid gap-5">
      <Field label="What people type" required error={form.errors.typed}>
        <Input name="typed" defaultValue={typed} maxLength={SYNONYM_MAX} autoComplete="off" />
      </Field>
      <Field
        label="What it means"
        required
        hint="A word, or a few, that a course has in its title, lessons or description."
        error={form.errors.means}
      >
        <Input name="means" maxLength={SYNONYM_MAX} autoComplete="off" />
      </Field>
    </Form>
  );
}

export function RemoveSynonym({ id, typed }: { id: number; typed: string }) {
  return (
    <ActionButton
      icon={<Trash2 aria-hidden="true" />}
      accessibleLabel={`Remove the synonym “${typed}”`}
      act={async () => (await call(removeSynonymCall, { params: { id } })).message}
    >
      Remove
    </ActionButton>
  );
}
