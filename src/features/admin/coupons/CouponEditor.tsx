import { Plus, Layers } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { toldApart } from '#src/features/catalogue/catalogue.ts';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';
import {
  BATCH_MAX,
  BATCH_PREFIX_MAX,
  createCouponBatchCall,
  createCouponCall,
  setCouponActiveCall,
} from '#src/features/store/coupons/editing/schema.ts';
import { COUPON_CODE_MAX } from '#src/features/store/coupons/schema.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { formFor, typedNumber } from '#src/components/form-values.ts';

const typedRule = (typed: (name: string) => string) => ({
  kind: typed('kind'),
  ...(typed('kind') === 'fixed'
    ? { amountOff: typed('amountOff') }
    : { percentOff: typedNumber(typed('percentOff')) }),
  courseId: typed('courseId') === 'all' ? null : typedNumber(typed('courseId')),
  // The last day counts whole.
  expiresAt: typed('expiresAt') ? `${typed('expiresAt')}T23:59:59Z` : null,
  usageLimit: typedNumber(typed('usageLimit')) ?? null,
});
const couponForm = formFor(createCouponCall.input!, (typed) => ({
  ...typedRule(typed),
  code: typed('code'),
}));
const batchForm = formFor(createCouponBatchCall.input!, (typed) => ({
  ...typedRule(typed),
  prefix: typed('prefix'),
  number: typedNumber(typed('number')),
}));

interface Courses {
  courses: { id: number; title: string }[];
}
interface FormProps extends Courses {
  /** For the dialog's button outside the form. */
  onSending: (sending: boolean) => void;
}

/** Decision 22. */
export function NewCoupon({ courses }: Courses) {
  return (
    <CreateDialog
      title="New coupon"
      description="Each buyer can use it once."
      confirmLabel="Create coupon"
      id="new-coupon"
    >
      {(onSending) => <CouponForm courses={courses} onSending={onSending} />}
    </CreateDialog>
  );
}

export function NewCouponBatch({ courses }: Courses) {
  return (
    <CreateDialog
      title="Many coupons"
      description="Codes that begin alike and end so that nobody can guess them, all of the same rule."
      confirmLabel="Create coupons"
      id="new-coupon-batch"
      isSecond
    >
      {(onSending) => <BatchForm courses={courses} onSending={onSending} />}
    </CreateDialog>
  );
}

function CreateDialog({
  title,
  description,
  confirmLabel,
  id,
  isSecond = false,
  children,
}: {
  title: string;
  description: string;
  confirmLabel: string;
  id: string;
  isSecond?: boolean;
  children: (onSending: FormProps['onSending']) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const [sending, setSending] = useState(false);
  return (
    <Dialog
      title={title}
      description={description}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant={isSecond ? 'secondary' : 'primary'}>
          {isSecond ? <Layers aria-hidden="true" /> : <Plus aria-hidden="true" />} {title}
        </Button>
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button type="submit" form={id} loading={sending}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children(setSending)}
    </Dialog>
  );
}

/** Busy until the page has gone. */
async function leaveFor(address: string): Promise<void> {
  location.assign(address);
  await new Promise(() => {});
}

function CouponForm({ courses, onSending }: FormProps) {
  const form = useForm(
    couponForm,
    async (input) => {
      const { code } = await call(createCouponCall, { input });
      toastOnNextPage({ title: 'Coupon created', description: code });
      await leaveFor('/admin/coupons');
    },
    'The coupon was not created. Please try again.',
  );
  const { sending } = form;
  useEffect(() => onSending(sending), [sending, onSending]);
  return (
    <Form form={form} id="new-coupon" className="grid gap-5">
      <Field label="Code" required hint="What buyers type, in any case." error={form.errors.code}>
        <CodeInput name="code" maxLength={COUPON_CODE_MAX} />
      </Field>
      <RuleFields errors={form.errors} courses={courses} />
    </Form>
  );
}

function BatchForm({ courses, onSending }: FormProps) {
  const form = useForm(
    batchForm,
    async (input) => {
      const { prefix, codes } = await call(createCouponBatchCall, { input });
      toastOnNextPage({
        title: `${codes.toLocaleString('en-US')} ${codes === 1 ? 'coupon' : 'coupons'} created`,
        description: `${prefix}-…`,
      });
      await leaveFor(`/admin/coupons?batch=${encodeURIComponent(prefix)}`);
    },
    'The coupons were not created. Please try again.',
  );
  const { sending } = form;
  useEffect(() => onSending(sending), [sending, onSending]);
  return (
    <Form form={form} id="new-coupon-batch" className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Prefix" required hint="SPRING gives SPRING-7KQ2…" error={form.errors.prefix}>
          <CodeInput name="prefix" maxLength={BATCH_PREFIX_MAX} />
        </Field>
        <Field
          label="Number of codes"
          required
          hint={`At most ${BATCH_MAX.toLocaleString('en-US')}.`}
          error={form.errors.number}
        >
          <Input name="number" inputMode="numeric" autoComplete="off" />
        </Field>
      </div>
      <RuleFields errors={form.errors} courses={courses} usualLimit="1" limitLabel="Orders for each code" />
    </Form>
  );
}

function CodeInput(props: { name: string; maxLength: number }) {
  return <Input {...props} autoComplete="off" autoCapitalize="characters" className="uppercase" />;
}

function RuleFields({
  errors,
  courses,
  usualLimit,
  limitLabel = 'Orders in all',
}: Courses & { errors: Record<string, string | undefined>; usualLimit?: string; limitLabel?: string }) {
  const [kind, setKind] = useState('percent');
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Takes off" required error={errors.kind}>
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
          <Field label="Percent" required error={errors.percentOff}>
            <Input name="percentOff" inputMode="numeric" autoComplete="off" />
          </Field>
        ) : (
          <Field label="Amount in dollars" required error={errors.amountOff}>
            <Input name="amountOff" inputMode="decimal" autoComplete="off" />
          </Field>
        )}
      </div>
      <Field label="Course" error={errors.courseId}>
        <Select
          name="courseId"
          defaultValue="all"
          options={[
            { value: 'all', label: 'Every course' },
            ...toldApart(courses).map(({ id, title }) => ({ value: String(id), label: title })),
          ]}
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Last day" optional hint="By the calendar of UTC." error={errors.expiresAt}>
          <Input name="expiresAt" type="date" />
        </Field>
        <Field label={limitLabel} optional hint="Empty for any number." error={errors.usageLimit}>
          <Input name="usageLimit" inputMode="numeric" autoComplete="off" defaultValue={usualLimit} />
        </Field>
      </div>
    </>
  );
}

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
