import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Form } from '#src/components/Form.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { type FormState, useForm } from '#src/components/use-form.ts';
import { useState } from 'react';
import { correctInvoiceCall } from '#src/features/store/invoices/schema.ts';
import { type Billing, billingInput } from '#src/features/store/invoices/billing.ts';
import type { SeatThing } from '#src/features/store/seats/seat-thing.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { countries } from '#src/shared/countries.ts';
import { centsOf, centsToDecimal, formatCents, formatDecimal } from '#src/shared/money.ts';
import { cancelOrderCall, orderByInvoiceCall, setBillingCall } from '../schema.ts';

const COUNTRIES = countries().map(({ code, name }) => ({ value: code, label: name }));

function BillingFields({
  errors,
  billing,
  ofOrder = false,
}: {
  errors: FormState['errors'];
  billing: Billing;
  ofOrder?: boolean;
}) {
  // "billing.company" comes from the server, "company" from this page.
  const at = (name: keyof Billing) => errors[name] ?? errors[`billing.${name}`];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <Field label="Company" error={at('company')} required>
          <Input name="company" autoComplete="organization" maxLength={160} defaultValue={billing.company} />
        </Field>
      </div>
      <div className="sm:col-span-2">
        <Field
          label="Address"
          hint="Street, postal code and town, line by line."
          error={at('address')}
          required
        >
          <Textarea
            name="address"
            autoComplete="street-address"
            rows={3}
            maxLength={300}
            defaultValue={billing.address}
          />
        </Field>
      </div>
      <Field label="Country" error={at('country')} required>
        <Select
          name="country"
          placeholder="Choose a country"
          options={COUNTRIES}
          defaultValue={billing.country || undefined}
        />
      </Field>
      {ofOrder && (
        <Field label="Purchase order number" hint="Yours, if you have one." error={at('purchaseOrder')}>
          <Input
            name="purchaseOrder"
            autoComplete="off"
            maxLength={60}
            defaultValue={billing.purchaseOrder}
          />
        </Field>
      )}
      <Field label="Cost centre" hint="Yours, if you have one." error={at('costCentre')}>
        <Input name="costCentre" autoComplete="off" maxLength={60} defaultValue={billing.costCentre} />
      </Field>
    </div>
  );
}

export function SetBilling({ organisationId, billing }: { organisationId: number; billing: Billing }) {
  const form = useForm(
    billingInput,
    async (input) => {
      const { message } = await call(setBillingCall, { params: { id: organisationId }, input });
      toastOnNextPage({ title: message });
      location.reload();
    },
    'The billing details were not saved. Please try again.',
  );
  return (
    <Form form={form} className="flex flex-col items-start gap-5">
      <div className="w-full">
        <BillingFields errors={form.errors} billing={billing} />
      </div>
      <Button type="submit" variant="secondary" loading={form.sending}>
        Save billing details
      </Button>
    </Form>
  );
}

export function NameBilling({ billing, onNamed }: { billing: Billing; onNamed: (billing: Billing) => void }) {
  const form = useForm(
    billingInput,
    async (input) => onNamed(input),
    'The billing details were not taken. Please try again.',
  );
  return (
    <Form form={form} className="flex flex-col gap-6">
      <BillingFields errors={form.errors} billing={billing} ofOrder />
      <Button type="submit" size="lg" block>
        Continue to payment
      </Button>
    </Form>
  );
}

/** Once for each order. */
export function CorrectInvoice({ orderId, billing }: { orderId: number; billing: Billing }) {
  const form = useForm(
    billingInput,
    async (input) => {
      const { message } = await call(correctInvoiceCall, { params: { id: orderId }, input });
      toastOnNextPage({ title: message });
      location.reload();
    },
    'No invoice was issued. Please try again.',
  );
  return (
    <Form form={form} className="flex flex-col items-start gap-5">
      <div className="w-full">
        <BillingFields errors={form.errors} billing={billing} ofOrder />
      </div>
      <Button type="submit" variant="secondary" loading={form.sending}>
        Issue the invoice
      </Button>
    </Form>
  );
}

export function OrderByInvoice({
  organisationId,
  lines,
  totalCents,
  billing,
}: {
  organisationId: number;
  lines: (SeatThing & { seats: number })[];
  totalCents: number;
  billing: Billing;
}) {
  const [askedCents, setAskedCents] = useState(totalCents);
  const [changed, setChanged] = useState('');
  const form = useForm(
    billingInput,
    async (input) => {
      setChanged('');
      try {
        const { orderId } = await call(orderByInvoiceCall, {
          params: { id: organisationId },
          input: { lines, amount: centsToDecimal(askedCents), billing: input },
        });
        toastOnNextPage({ title: 'We have your order' });
        location.assign(`/orders/${orderId}`);
      } catch (error) {
        const now = error instanceof ApiError ? error.body.total : undefined;
        if (typeof now !== 'string') throw error;
        setAskedCents(centsOf(now));
        setChanged(`The price has changed. The order comes to ${formatDecimal(now)} now.`);
      }
    },
    'The order was not placed. Please try again.',
  );
  return (
    <Form form={form} className="flex flex-col gap-6">
      <BillingFields errors={form.errors} billing={billing} ofOrder />
      {changed && (
        <Alert tone="warning" live>
          {changed}
        </Alert>
      )}
      <Button type="submit" size="lg" block loading={form.sending}>
        Order for {formatCents(askedCents)}
      </Button>
      <p className="text-sm text-ink-soft">
        With this you order and agree to pay {totalCents === askedCents ? 'it' : formatCents(askedCents)} by
        bank transfer.
      </p>
    </Form>
  );
}

export function CancelOrder({ organisationId, orderId }: { organisationId: number; orderId: number }) {
  const [asks, setAsks] = useState(false);
  const [working, setWorking] = useState(false);
  const [refusal, setRefusal] = useState('');
  const cancel = async () => {
    setWorking(true);
    setRefusal('');
    try {
      const { message } = await call(cancelOrderCall, { params: { id: organisationId, order: orderId } });
      toastOnNextPage({ title: message });
      location.reload();
    } catch (error) {
      setRefusal(messageOf(error, 'Nothing was changed. Check your connection and try again.'));
      setWorking(false);
    }
  };
  if (!asks) {
    return (
      <Button variant="secondary" onClick={() => setAsks(true)}>
        Cancel this order
      </Button>
    );
  }
  return (
    <div className="flex w-full flex-col gap-3">
      <p role="status">Cancel the order? Nothing opens and nothing has to be paid then.</p>
      {refusal && (
        <Alert tone="danger" live>
          {refusal}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="danger" loading={working} onClick={() => void cancel()}>
          Yes, cancel it
        </Button>
        <Button variant="secondary" onClick={() => !working && setAsks(false)}>
          Keep the order
        </Button>
      </div>
    </div>
  );
}
