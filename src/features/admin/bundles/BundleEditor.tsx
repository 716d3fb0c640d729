import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Form } from '#src/components/Form.tsx';
import { formFor } from '#src/components/form-values.ts';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { useForm } from '#src/components/use-form.ts';
import {
  type AdminBundle,
  BUNDLE_DESCRIPTION_MAX,
  BUNDLE_TITLE_MAX,
  createBundleCall,
  deleteBundleCall,
  updateBundleCall,
} from '#src/features/store/bundles/schema.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { CoursePicker } from './CoursePicker.tsx';

const bundleForm = formFor(createBundleCall.input!, (typed) => ({
  title: typed('title'),
  description: typed('description'),
  price: typed('price'),
  state: typed('state'),
  courseIds: typed('courseIds').split(',').filter(Boolean).map(Number),
}));

export function BundleDialog({ bundle }: { bundle?: AdminBundle }) {
  const [open, setOpen] = useState(false);
  const [sending, setSending] = useState(false);
  const id = bundle ? `bundle-${bundle.id}` : 'new-bundle';
  return (
    <Dialog
      title={bundle ? 'Edit bundle' : 'New bundle'}
      description="Several courses at one price, below what they cost singly. A line of an order keeps what it was sold for."
      size="lg"
      open={open}
      onOpenChange={setOpen}
      trigger={
        bundle ? (
          <Button
            variant="secondary"
            size="sm"
            className="max-sm:min-h-11"
            aria-label={`Edit ${bundle.title}`}
          >
            Edit
          </Button>
        ) : (
          <Button>
            <Plus aria-hidden="true" /> New bundle
          </Button>
        )
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button type="submit" form={id} loading={sending}>
            {bundle ? 'Save bundle' : 'Create bundle'}
          </Button>
        </>
      }
    >
      <BundleForm id={id} bundle={bundle} onSending={setSending} />
    </Dialog>
  );
}

function BundleForm({
  id,
  bundle,
  onSending,
}: {
  id: string;
  bundle: AdminBundle | undefined;
  /** For the dialog's button outside the form. */
  onSending: (sending: boolean) => void;
}) {
  const form = useForm(
    bundleForm,
    async (input) => {
      if (bundle) await call(updateBundleCall, { params: { id: bundle.id }, input });
      else await call(createBundleCall, { input });
      toastOnNextPage({ title: bundle ? 'Bundle saved' : 'Bundle created', description: input.title });
      location.reload();
      // Busy until the page has gone.
      await new Promise(() => {});
    },
    'The bundle was not saved. Please try again.',
  );
  const { sending } = form;
  useEffect(() => onSending(sending), [sending, onSending]);
  return (
    <Form form={form} id={id} className="grid gap-5">
      <Field label="Title" required error={form.errors.title}>
        <Input name="title" maxLength={BUNDLE_TITLE_MAX} autoComplete="off" defaultValue={bundle?.title} />
      </Field>
      <Field label="Description" required error={form.errors.description}>
        <Textarea
          name="description"
          rows={3}
          maxLength={BUNDLE_DESCRIPTION_MAX}
          defaultValue={bundle?.description}
        />
      </Field>
      <CoursePicker initial={bundle?.courses ?? []} error={form.errors.courseIds} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Price in dollars" required error={form.errors.price}>
          <Input name="price" inputMode="decimal" autoComplete="off" defaultValue={bundle?.price} />
        </Field>
        <Field label="In the store" required error={form.errors.state}>
          <Select
            name="state"
            defaultValue={bundle?.state ?? 'hidden'}
            options={[
              { value: 'hidden', label: 'Hidden' },
              { value: 'active', label: 'Shown' },
            ]}
          />
        </Field>
      </div>
    </Form>
  );
}

/** The server refuses ordered ones. */
export function DeleteBundle({ id, title }: { id: number; title: string }) {
  return (
    <AlertDialog
      title={`Delete “${title}”?`}
      description="Its courses stay as they are. Carts that hold the bundle lose it."
      confirmLabel="Delete bundle"
      destructive
      onConfirm={async () => {
        try {
          await call(deleteBundleCall, { params: { id } });
        } catch (error) {
          toast({
            title: 'The bundle was not deleted',
            description: messageOf(error, 'Please try again.'),
            variant: 'destructive',
          });
          throw error;
        }
        toastOnNextPage({ title: 'Bundle deleted', description: title });
        location.reload();
      }}
      trigger={
        <Button
          variant="ghost"
          size="sm"
          className="text-danger! max-sm:min-h-11"
          aria-label={`Delete ${title}`}
        >
          Delete
        </Button>
      }
    />
  );
}
