import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourseForSale, makeUser } from '../../support/factories.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import { bundleCourses, bundles, ledgerEntries, orders, seatPriceSteps } from '#db/schema/store.ts';
import { correctedInvoice, creditedInvoice, creditNotes } from '#src/features/store/invoices/invoice.ts';
import { creditNotePdf, invoicePdf } from '#src/features/store/invoices/invoice-pdf.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';
import { POST as refundRoute } from '#src/pages/api/admin/orders/[id]/refund.ts';
import { POST as releaseRoute } from '#src/pages/api/admin/orders/[id]/release.ts';
import { POST as transferRoute } from '#src/pages/api/admin/orders/[id]/transfer.ts';
import { POST as nameRoute } from '#src/pages/api/orders/[id]/billing.ts';
import { POST as openRoute } from '#src/pages/api/organisations.ts';
import { POST as invoiceRoute } from '#src/pages/api/organisations/[id]/invoice.ts';
import { POST as payRoute } from '#src/pages/api/organisations/[id]/payment.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { expectOracle, expectReconciliationCheck } from '../../support/oracle.ts';
import {
  intentOf,
  itemsOfOrder,
  orderOf,
  type Payments,
  pay,
  startPayments,
} from '../../support/payments.ts';
import { type PdfPart, readOutPdf } from '../../support/pdf.ts';
import { centsToDecimal } from '#src/shared/money.ts';

let payments: Payments;
let admin: Awaited<ReturnType<typeof signIn>>;
let owner: Awaited<ReturnType<typeof signIn>>;
let organisationId: string;
beforeAll(async () => {
  payments = await startPayments();
  admin = await signIn(await makeAdmin());
  owner = await signIn(await makeUser({ emailVerifiedAt: new Date() }));
  const opened = await callRoute(openRoute, { as: owner, body: { name: 'Example Ltd' } });
  organisationId = String(opened.body.id);
  // What a seat costs is rounded then.
  await db().insert(seatPriceSteps).values({ fromSeats: 6, percentOff: 15 });
});
afterAll(async () => {
  await expectOracle(payments.stripe);
  await expectReconciliationCheck();
  await payments.close();
});

const BILLING = {
  company: 'Example Ltd',
  address: '1 Example Street',
  country: 'DE',
  purchaseOrder: '',
  costCentre: '',
};

const cases = fc.record({
  payment: fc.constantFrom('bank' as const, 'card' as const),
  /** A card's invoice is issued anew for the company. */
  isCorrected: fc.boolean(),
  prices: fc.tuple(
    fc.integer({ min: 50, max: 9999 }),
    fc.constantFrom(0, 50, 1999),
    fc.integer({ min: 50, max: 9999 }),
  ),
  percent: fc.integer({ min: 40, max: 95 }),
  seats: fc.integer({ min: 2, max: 5 }),
  /** Of a course beside the bundle. */
  alone: fc.integer({ min: 0, max: 3 }),
  prepaid: fc.constantFrom(0, 1, 33),
  refunds: fc.array(
    fc.record({ line: fc.nat({ max: 3 }), seats: fc.constantFrom(1, 2, null), cents: fc.nat({ max: 777 }) }),
    { minLength: 1, maxLength: 4 },
  ),
});
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never;

/** An order of seats of a bundle, and of a course where the case has some, that is complete. */
async function order({ payment, isCorrected, prices, percent, seats, alone, prepaid }: Case) {
  const courses = [];
  for (const priceCents of prices) courses.push(await makeCourseForSale({ priceCents }));
  const sum = prices.reduce((total, cents) => total + cents);
  const priceCents = Math.max(50, Math.floor((sum * percent) / 100));
  const [bundle] = await db()
    .insert(bundles)
    .values({ title: 'All three', description: 'At one price.', priceCents, state: 'active' })
    .returning();
  await db()
    .insert(bundleCourses)
    .values(courses.map(({ id }, position) => ({ bundleId: bundle!.id, position, courseId: id })));
  const lines = [
    { bundleId: bundle!.id, seats },
    ...(alone > 0 ? [{ courseId: courses[0]!.id, seats: alone }] : []),
  ];
  const ask = (amount: string) =>
    callRoute(payment === 'bank' ? invoiceRoute : payRoute, {
      as: owner,
      params: { id: organisationId },
      body: { lines, amount, billing: BILLING },
    });
  const asked = await ask((await ask('0.01')).body.total);
  expect(asked.status, asked.text).toBe(200);
  const orderId = asked.body.orderId as number;
  if (payment === 'card') {
    expect(await pay(payments, intentOf(asked))).toBe('succeeded');
    await payments.sandbox.control.settled();
    if (isCorrected) {
      // As it was while a payment by card asked for no company.
      await db().update(orders).set({ billing: null }).where(eq(orders.id, orderId));
      const named = await callRoute(nameRoute, { as: owner, params: { id: String(orderId) }, body: BILLING });
      expect(named.status, named.text).toBe(200);
    }
  } else {
    const { totalCents } = await orderOf(orderId);
    const paid = Math.floor((totalCents * prepaid) / 100);
    if (paid > 0) await transfer(orderId, paid);
    await act(releaseRoute, orderId);
    await transfer(orderId, totalCents - paid);
  }
  return orderId;
}

const act = (route: typeof refundRoute, orderId: number, body?: object) =>
  callRoute(route, { method: 'POST', as: admin, params: { id: String(orderId) }, ...(body ? { body } : {}) });
async function transfer(orderId: number, cents: number) {
  const made = await act(transferRoute, orderId, {
    direction: 'in',
    amount: centsToDecimal(cents),
    day: '2026-11-20',
    reference: 'Statement 7',
    requestKey: randomUUID(),
  });
  expect(made.status, made.text).toBe(200);
}

const cents = (shown: string) => Math.round(Number(shown.replace(/[$,]/g, '')) * 100);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** The rows of a PDF's tables: of each cell its kind, and its texts. */
const rowsOf = (parts: readonly PdfPart[]): { kind: string; texts: string[] }[][] =>
  parts.flatMap(({ kind, parts: inside = [] }) =>
    kind === 'TR'
      ? [
          inside.map((cell) => ({
            kind: cell.kind,
            texts: (cell.parts ?? []).map(({ text = '' }) => text.trim()),
          })),
        ]
      : rowsOf(inside),
  );

/** The figures of a paper, after its lines and its figures were added up again. */
async function figuresOf(pdf: Uint8Array) {
  const lines: number[] = [];
  const figures = new Map<string, number>();
  for (const [named, value] of rowsOf((await readOutPdf(pdf)).parts)) {
    const [shown] = value!.texts;
    if (value!.kind !== 'TD' || !/^-?\$/.test(shown!)) continue;
    if (named!.kind === 'TH') figures.set(named!.texts[0]!, cents(shown!));
    else {
      lines.push(cents(shown!));
      const seatsAt = /(\d+) seats? at (\$[\d.,]+\d)/.exec(named!.texts[1]!);
      if (seatsAt) expect(Number(seatsAt[1]) * cents(seatsAt[2]!)).toBe(Math.abs(lines.at(-1)!));
    }
  }
  const total = figures.get('Total (USD)')!;
  expect(sumOf(lines)).toBe(total);
  expect(figures.get('Subtotal') ?? total).toBe(total);
  expect(figures.get('Tax')).toBe(0);
  const paid = figures.get('Received by bank transfer') ?? figures.get('Paid by card') ?? 0;
  const due = figures.get('To be paid') ?? 0;
  return { total, paid, due };
}

/** Entries of one kind on one account, in cents. */
async function booked(orderId: number, account: string, kind?: string): Promise<number[]> {
  const rows = await db()
    .select({ cents: ledgerEntries.amountCents })
    .from(ledgerEntries)
    .where(sql`order_id = ${orderId} and account = ${account} and ${kind ? sql`kind = ${kind}` : sql`true`}`);
  return rows.map((row) => row.cents);
}

/** Credit notes that were read, by how the order was paid. */
const read = { bank: 0, card: 0 };

async function check(one: Case): Promise<void> {
  await db().delete(rateLimits);
  const orderId = await order(one);
  const items = await itemsOfOrder(orderId);
  const issued = await readOrderView(await orderOf(orderId));
  for (const { line, seats, cents: part } of one.refunds) {
    const item = items[line % items.length]!;
    const wanted = seats === null ? { amount: centsToDecimal(part + 1) } : { seats };
    const body = { itemId: item.id, reason: 'Fewer people', requestKey: randomUUID(), ...wanted };
    // What is more than is left is refused, and then no paper is about it.
    const { status } = await act(refundRoute, orderId, body);
    expect([200, 400, 409]).toContain(status);
  }
  await payments.sandbox.control.settled();

  const view = await readOrderView(await orderOf(orderId));
  const isBank = one.payment === 'bank';
  const sold = sumOf(await booked(orderId, 'course_revenue', isBank ? 'invoice' : 'payment'));
  const isAnew = !isBank && one.isCorrected;
  const paper = isAnew ? correctedInvoice(view)! : view;
  const pdf = await invoicePdf(paper);
  const invoice = await figuresOf(pdf);
  expect(invoice.total).toBe(-sold);
  expect(invoice.paid + invoice.due).toBe(invoice.total);
  expect(invoice.due).toBe(isBank ? invoice.total - Math.floor((invoice.total * one.prepaid) / 100) : 0);
  expect(Buffer.compare(pdf, await invoicePdf(isAnew ? correctedInvoice(issued)! : issued))).toBe(0);

  const credited: number[] = [];
  for (const note of creditNotes(view)) {
    const credit = creditedInvoice(view, note);
    expect(credit.invoiceNumber).toBe(paper.invoiceNumber);
    const { total } = await figuresOf(await creditNotePdf(credit, note));
    expect(total).toBe(-note.amountCents);
    credited.push(note.amountCents);
    read[one.payment] += 1;
  }
  const back = await booked(orderId, 'refunds_paid', 'refund');
  expect(credited.toSorted()).toEqual(back.toSorted());
  expect(view.totals.refundedCents).toBe(sumOf(back));
  const account = isBank ? 'receivables' : 'provider_clearing';
  const received = isBank ? sumOf(await booked(orderId, 'bank')) : 0;
  expect(sumOf(await booked(orderId, account))).toBe(invoice.total - sumOf(credited) - received);
}

it('every paper of seats of a bundle adds up to what the ledger says, to the cent', {
  timeout: 0,
}, async () => {
  await fc.assert(fc.asyncProperty(cases, check), { numRuns: 10, seed: 20_261_126 });
  // Of neither none, or it would prove nothing.
  expect(Math.min(read.bank, read.card)).toBeGreaterThan(1);
});
