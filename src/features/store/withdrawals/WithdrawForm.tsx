import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Form } from '#src/components/Form.tsx';
import { formFor, typedNumber } from '#src/components/form-values.ts';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { useForm } from '#src/components/use-form.ts';
import { lookUpWithdrawalCall, withdrawCall } from '#src/features/store/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { shownMoment } from '#src/shared/dates.ts';
import { formatDecimal } from '#src/shared/money.ts';
import { UNION } from './withdrawals.ts';

type Answer = z.output<typeof lookUpWithdrawalCall.output>;
type Proof = Pick<z.output<NonNullable<typeof withdrawCall.input>>, 'reference' | 'token' | 'orderId'>;
type Found = Extract<Answer, { state: 'found' }> & { proof: Proof };
type Done = z.output<typeof withdrawCall.output>;

/** What was typed; the reference alone is enough. */
const lookUpForm = formFor(lookUpWithdrawalCall.input!, (typed) => {
  const token = typed('token');
  if (token) return { token };
  const reference = typed('reference').trim();
  if (reference) return { reference };
  return { orderId: typedNumber(typed('orderId').replace(/^#/, '')), email: typed('email') };
});

const names = new Intl.DisplayNames('en', { type: 'region' });
const ELSEWHERE = 'elsewhere';
const COUNTRIES = [
  ...UNION.map((value) => ({ value, label: names.of(value) ?? value })).toSorted((a, b) =>
    a.label.localeCompare(b.label),
  ),
  { value: ELSEWHERE, label: 'A country outside the European Union' },
];

/** Why a line cannot be chosen. */
const CLOSED: Record<NonNullable<Found['lines'][number]['state']>, string> = {
  free: 'It cost nothing.',
  paid_back: 'Its price went back already.',
  open: 'You have withdrawn from it; we are looking at it.',
  granted: 'You have withdrawn from it.',
  accepted: 'You have withdrawn from it.',
  declined: 'Your withdrawal was declined.',
};

/**
 * The withdrawal from a contract in two steps, without signing in: which order, then the statement and the button that
 * confirms it (directive 2011/83, article 11a). Without the receipt's reference a mailed link leads to the second one.
 *
 * @param order what the address names, as `reference`
 * @param token of a mailed link
 */
export function WithdrawForm({
  order,
  email,
  reference,
  token,
}: {
  order: string;
  email: string;
  reference: string;
  token: string | null;
}) {
  const [found, setFound] = useState<Found | null>(null);
  const [mailed, setMailed] = useState('');
  const [done, setDone] = useState<Done | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const step = done ? 'done' : found ? 'confirm' : mailed ? 'mailed' : 'find';
  const before = useRef(step);
  // What had the focus is gone: the next step is read out instead.
  useEffect(() => {
    if (before.current !== step) heading.current?.focus();
    before.current = step;
  }, [step]);

  const form = useForm(
    lookUpForm,
    async (input) => {
      const answer = await call(lookUpWithdrawalCall, { input });
      const { email: _, ...proof } = input;
      if (answer.state === 'mailed') setMailed(answer.message);
      else setFound({ ...answer, proof });
    },
    'The order could not be looked up. Please try again.',
  );

  if (done) {
    return (
      <div className="flex flex-col items-start gap-4">
        <CircleCheck aria-hidden="true" className="size-8 text-success" />
        <h2 ref={heading} tabIndex={-1} className="text-heading outline-none">
          Your withdrawal is with us
        </h2>
        <p>{done.message}</p>
        <p className="text-ink-soft">
          Received {shownMoment(done.madeAt)}. A receipt with this time is on its way to you by email.
        </p>
        <Button href="/" variant="secondary">
          Back to home
        </Button>
      </div>
    );
  }
  if (found) {
    return (
      <div>
        <h2 ref={heading} tabIndex={-1} className="mb-5 text-subheading outline-none">
          Order {found.orderId}
        </h2>
        <Statement found={found} onDone={setDone} onBack={() => setFound(null)} />
      </div>
    );
  }
  if (mailed) {
    return (
      <div className="flex flex-col items-start gap-4">
        <h2 ref={heading} tabIndex={-1} className="text-heading outline-none">
          Check your email
        </h2>
        <p>{mailed}</p>
        <Button variant="secondary" onClick={() => setMailed('')}>
          Another order
        </Button>
      </div>
    );
  }
  if (token) {
    return (
      <Form form={form} className="flex flex-col gap-5">
        <input type="hidden" name="token" value={token} />
        <Button type="submit" size="lg" block loading={form.sending}>
          Show my order
        </Button>
      </Form>
    );
  }
  return (
    <Form form={form} className="flex flex-col gap-5">
      <Field
        label="Withdrawal reference"
        hint="It stands at the end of your receipt. Without it, fill in the next two fields, and we mail you a link."
        error={form.errors.reference}
      >
        <Input
          name="reference"
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          defaultValue={reference}
        />
      </Field>
      <Field
        label="Order number"
        hint="It stands in your receipt, as “order 123”."
        error={form.errors.orderId}
      >
        <Input name="orderId" inputMode="numeric" autoComplete="off" maxLength={12} defaultValue={order} />
      </Field>
      <Field label="Email" hint="The one you bought with." error={form.errors.email}>
        <Input
          name="email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={email}
        />
      </Field>
      <Button type="submit" size="lg" block loading={form.sending}>
        Find my order
      </Button>
    </Form>
  );
}

/** A statement on its way, or still here with what was wrong with it: at its fields, and as a whole. */
type Sending = 'sending' | { errors: FieldErrors; refusal: string };
const NOTHING_WRONG = { errors: {} as FieldErrors, refusal: '' };

/** The second step: from what, who, and the button that withdraws. */
function Statement({
  found,
  onDone,
  onBack,
}: {
  found: Found;
  onDone: (done: Done) => void;
  onBack: () => void;
}) {
  const open = found.lines.filter(({ state }) => state === null);
  const [chosen, setChosen] = useState(() => new Set(open.map(({ itemId }) => itemId)));
  const [name, setName] = useState('');
  const [country, setCountry] = useState('');
  const [sending, setSending] = useState<Sending>(NOTHING_WRONG);
  const isSending = sending === 'sending';
  const { errors, refusal } = isSending ? NOTHING_WRONG : sending;
  const isLate = Date.parse(found.until) <= Date.now();

  const confirm = async () => {
    const read = withdrawCall.input!.safeParse({
      ...{ ...found.proof, name, country },
      itemIds: [...chosen],
    });
    if (!read.success) {
      const said: FieldErrors = {};
      for (const { path, message } of read.error.issues) said[String(path[0])] ??= message;
      return setSending({ errors: said, refusal });
    }
    setSending('sending');
    try {
      onDone(await call(withdrawCall, { input: read.data }));
    } catch (error) {
      setSending(
        error instanceof ApiError && Object.keys(error.fields).length > 0
          ? { errors: error.fields, refusal: '' }
          : {
              errors: {},
              refusal: messageOf(
                error,
                'Your withdrawal did not reach us. Check your connection and try again.',
              ),
            },
      );
    }
  };

  return (
    <div className="flex flex-col gap-5">
      {refusal && (
        <Alert tone="danger" live>
          {refusal}
        </Alert>
      )}
      <fieldset>
        <legend className="mb-2 font-semibold">I withdraw from</legend>
        <ul className="divide-y divide-line rounded-lg border border-line px-4">
          {found.lines.map(({ itemId, title, price, state, why }) => (
            <li key={itemId} className="py-3 [overflow-wrap:anywhere]">
              <Checkbox
                label={`${title}, ${formatDecimal(price)}`}
                hint={state ? CLOSED[state] : (why ?? undefined)}
                disabled={state !== null}
                checked={chosen.has(itemId)}
                onCheckedChange={(checked) => {
                  const next = new Set(chosen);
                  if (checked === true) next.add(itemId);
                  else next.delete(itemId);
                  setChosen(next);
                }}
              />
            </li>
          ))}
        </ul>
        {errors.itemIds && <p className="mt-2 text-sm font-medium text-danger">{errors.itemIds}</p>}
      </fieldset>
      {open.length > 0 && (
        <>
          <p className="text-sm text-ink-soft">
            {isLate
              ? 'The 14 days of this order are over. You can still send your withdrawal: one of us looks at it and writes to you.'
              : `Until ${shownMoment(found.until)} you need to give no reason. ${open.some(({ why }) => why) ? 'Where nothing else is said above, the' : 'The'} price goes back to your card, and the access ends.`}
          </p>
          <Field label="Your name" error={errors.name} required>
            <Input
              name="name"
              autoComplete="name"
              maxLength={160}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          <Field label="Country you live in" error={errors.country} required>
            <Select
              name="country"
              placeholder="Choose a country"
              options={COUNTRIES}
              value={country}
              onValueChange={setCountry}
            />
          </Field>
          {country === ELSEWHERE ? (
            <Alert tone="info" live>
              The right to withdraw is one of consumers in the European Union. Ask us for your money back
              instead, by the{' '}
              <a className="text-link" href="/contact">
                contact form
              </a>
              : name order {found.orderId}.
            </Alert>
          ) : (
            <Button variant="danger" size="lg" block loading={isSending} onClick={() => void confirm()}>
              Confirm withdrawal
            </Button>
          )}
        </>
      )}
      <Button variant="secondary" onClick={() => !isSending && onBack()}>
        Another order
      </Button>
    </div>
  );
}
