import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { checkReconciliation } from '#src/features/store/reconciliation/compare-records.server.ts';
import { makeBuyer, checkOut, pay, confirm, type Payments, startPayments } from '../../support/payments.ts';

const MANY = 4_500;

let payments: Payments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());

it('looks at every order once, however many there are, and at those that were paid and not completed', async () => {
  await db().execute(sql`
    insert into orders (buyer_email, total_cents, status, fingerprint, invoice_number, completed_at, updated_at)
    select 'buyer@example.com', 4900, 'completed', 'many-' || n, 'INV-2020-' || lpad(n::text, 6, '0'), now(), now() - interval '1 hour'
    from generate_series(1, ${MANY}::int) n`);
  const buyer = await makeBuyer(4_900);
  const { intentId, orderId } = await checkOut(buyer);
  payments.sandbox.control.holdEvents();
  await pay(payments, intentId);
  const report = await checkReconciliation({ graceSeconds: 0 });
  expect(report.orderCount).toBe(MANY);
  expect(report.totals.received.ordersCents).toBe(MANY * 4_900);
  const unbooked = report.disagreements.filter(
    ({ kind, orderId: id }) => kind === 'ledger' && id !== orderId,
  );
  expect(new Set(unbooked.map(({ orderId: id }) => id)).size).toBe(MANY);
  expect(report.paidNotEnrolled.map((one) => one.orderId)).toContain(orderId);
  await confirm(buyer, intentId);
});
