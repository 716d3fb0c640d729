import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';
import { COUPON_CODE_MAX, createCouponCall, setCouponActiveCall } from '#src/features/store/schema.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { formFor, typedNumber } from '#src/components/form-values.ts';

const couponForm = formFor(createCouponCall.input!, (typed) => ({
  kind: typed('kind'),
  code: typed('code'),
  ...(typed('kind') === 'fixed'
    ? { amountOff: typed('amountOff') }
    : { percentOff: typedNumber(typed('percentOff')) }),
  courseId: typed('courseId') === 'all' ? null : typedNumber(typed('courseId')),
  // The last day counts whole.
  expiresAt: typed('expiresAt') ? `${typed('expiresAt')}T23:59:59Z` : null,
  usageLimit: typedNumber(typed('usageLimit')) ?? null,
}));

/** Makes a coupon (decision 22). */
export function NewCoupon({ courses }: { courses: { id: number; title: string }[] }) {
  const [open, setOpen] = useState(false);
  const [sending, setSending] = useState(false);
  return (
    <Dialog
      title="New coupon"
      description="Each buyer can use it once."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button>
          <Plus aria-hidden="true" /> New coupon
        </Button>
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button type="submit" form="new-coupon" loading={sending}>
            Create coupon
          </Button>
        </>
      }
    >
      <CouponForm courses={courses} onSending={setSending} />
    </Dialog>
  );
}

function CouponForm({
  courses,
  onSending,
}: {
  courses: { id: number; title: string }[];
  /** Tells the dialog's button, which stands outside of the form. */
  onSending: (sending: boolean) => void;
}) {
  const [kind, setKind] = useState('percent');
  const form = useForm(
    couponForm,
    async (input) => {
      const { code } = await call(createCouponCall, { input });
      toastOnNextPage({ title: 'Coupon created', description: code });
      location.assign('/admin/coupons');
      // The page is being left; the form stays busy until it is.
      await new Promise(() => {});
    },
    'The coupon was not created. Please try again.',
  );
  const { sending } = form;
  useEffect(() => onSending(sending), [sending, onSending]);
  return (
    <Form form={form} id="new-coupon" className="grid gap-5">
      <Field label="Code" required hint="What buyers type, in any case." error={form.errors.code}>
        <Input
          name="code"
          maxLength={COUPON_CODE_MAX}
          autoComplete="off"
          autoCapitalize="characters"
          className="uppercase"
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Takes off" required error={form.errors.kind}>
          <Select
            name="kind"
            value={kind}
            onValueChange={setKind}
            options={[
              { value: 'percent', label: 'A share of the price' },
              { value: 'fixed', label: 'A fixed amount' },
            ]}
          />
        </Field>
        {kind === 'percent' ? (
          <Field label="Percent" required error={form.errors.percentOff}>
            <Input name="percentOff" inputMode="numeric" autoComplete="off" />
          </Field>
        ) : (
          <Field label="Amount in dollars" required error={form.errors.amountOff}>
            <Input name="amountOff" inputMode="decimal" autoComplete="off" />
          </Field>
        )}
      </div>
      <Field label="Course" error={form.errors.courseId}>
        <Select
          name="courseId"
          defaultValue="all"
          options={[
            { value: 'all', label: 'Every course' },
            ...courses.map(({ id, title }) => ({ value: String(id), label: title })),
          ]}
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Last day" optional hint="By the calendar of UTC." error={form.errors.expiresAt}>
          <Input name="expiresAt" type="date" />
        </Field>
        <Field label="Orders in all" optional hint="Empty for any number." error={form.errors.usageLimit}>
          <Input name="usageLimit" inputMode="numeric" autoComplete="off" />
        </Field>
      </div>
    </Form>
  );
}

/** Switches a coupon off, or on again. */
export function CouponSwitch({ id, code, isActive }: { id: number; code: string; isActive: boolean }) {
  const [working, setWorking] = useState(false);
  const flip = async () => {
    setWorking(true);
    try {
      await call(setCouponActiveCall, { params: { id }, input: { isActive: !isActive } });
      toastOnNextPage({ title: isActive ? `${code} is switched off` : `${code} is switched on` });
      location.reload();
    } catch (error) {
      toast({
        title: 'Error',
        description: messageOf(error, 'Failed to update the coupon'),
        variant: 'destructive',
      });
      setWorking(false);
    }
  };
  return (
    <Button
      variant="secondary"
      size="sm"
      className="max-sm:min-h-11"
      loading={working}
      aria-label={`Switch ${isActive ? 'off' : 'on'}: ${code}`}
      onClick={() => void flip()}
    >
      {isActive ? 'Switch off' : 'Switch on'}
    </Button>
  );
}
