import { randomUUID } from 'node:crypto';
import { and, desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourseForSale, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { mailOutbox, rateLimits } from '#db/schema/machinery.ts';
import { organisationMembers, organisations } from '#db/schema/organisations.ts';
import {
  bankTransfers,
  ledgerEntries,
  orderKeys,
  orders,
  quotes,
  refunds,
  seatPriceSteps,
  seats,
} from '#db/schema/store.ts';
import { thingsToDo } from '#src/features/admin/insights/analytics.server.ts';
import { findAdminOrder, listAdminOrders } from '#src/features/admin/orders/orders.server.ts';
import { deletePerson, personalData } from '#src/features/admin/people/personal-data.server.ts';
import { creditNotePdf, invoicePdf, quotePdf } from '#src/features/store/invoices/invoice-pdf.server.ts';
import { correctedInvoice, creditedInvoice, creditNotes } from '#src/features/store/invoices/invoice.ts';
import { longDay } from '#src/shared/dates.ts';
import { formatCents } from '#src/shared/money.ts';
import { findBilling, listUnpaid } from '#src/features/organisations/orders/organisation-orders.server.ts';
import { remindOverdue } from '#src/features/store/bank/bank-orders.server.ts';
import { resendRefund } from '#src/features/store/refunds/refunds.server.ts';
import { reconcileOrders } from '#src/features/store/reconciliation/settle-orders.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';
import { POST as cancelRoute } from '#src/pages/api/admin/orders/[id]/cancel.ts';
import { POST as refundRoute } from '#src/pages/api/admin/orders/[id]/refund.ts';
import { POST as releaseRoute } from '#src/pages/api/admin/orders/[id]/release.ts';
import { POST as sentBackRoute } from '#src/pages/api/admin/orders/[id]/sent-back.ts';
import { POST as transferRoute } from '#src/pages/api/admin/orders/[id]/transfer.ts';
import { POST as receiptRoute } from '#src/pages/api/admin/orders/[id]/receipt.ts';
import { GET as ordersRoute } from '#src/pages/api/orders.ts';
import { DELETE as removeRoute } from '#src/pages/api/organisations/[id]/members/[user].ts';
import { POST as membersRoute } from '#src/pages/api/organisations/[id]/members.ts';
import { POST as seatsRoute } from '#src/pages/api/organisations/[id]/seats.ts';
import { POST as webhooksRoute } from '#src/pages/api/organisations/[id]/webhooks.ts';
import { GET as csvRoute } from '#src/pages/organisations/[id]/seats.csv.ts';
import { hashSecret, newSecret } from '#src/features/account/session.server.ts';
import { POST as nameRoute } from '#src/pages/api/orders/[id]/billing.ts';
import { POST as openRoute } from '#src/pages/api/organisations.ts';
import { PUT as billingRoute } from '#src/pages/api/organisations/[id]/billing.ts';
import { POST as invoiceRoute } from '#src/pages/api/organisations/[id]/invoice.ts';
import { POST as ownCancelRoute } from '#src/pages/api/organisations/[id]/orders/[order]/cancel.ts';
import { POST as payRoute } from '#src/pages/api/organisations/[id]/payment.ts';
import { GET as correctedRoute } from '#src/pages/orders/[id]/corrected-invoice.pdf.ts';
import { GET as creditRoute } from '#src/pages/orders/[id]/credit-notes/[number].pdf.ts';
import { GET as pdfRoute } from '#src/pages/orders/[id]/invoice.pdf.ts';
import { GET as quoteRoute } from '#src/pages/organisations/[id]/quote.pdf.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { moveBack } from '../../support/move-back.ts';
import { expectOracle, expectReconciliationCheck } from '../../support/oracle.ts';
import { confirm, orderOf, type Payments, pay, startPayments } from '../../support/payments.ts';
import { textOfPdf } from '../../support/pdf.ts';

let payments: Payments;
let admin: Awaited<ReturnType<typeof somebody>>;
beforeAll(async () => {
  payments = await startPayments();
  const user = await makeAdmin();
  admin = { user, session: await signIn(user) };
});
afterAll(async () => {
  await expectOracle(payments.stripe);
  await expectReconciliationCheck();
  await payments.close();
});
beforeEach(async () => {
  await db().delete(rateLimits);
});

async function somebody() {
  const user = await makeUser({ emailVerifiedAt: new Date() });
  return { user, session: await signIn(user) };
}

const BILLING = {
  company: 'Muster & Söhne GmbH',
  address: 'Musterweg 1\n10115 Berlin',
  country: 'DE',
  purchaseOrder: 'PO-4711',
  costCentre: 'Training',
};

async function makeOrganisation(priceCents = 5000) {
  const owner = await somebody();
  const opened = await callRoute(openRoute, { as: owner.session, body: { name: 'Example Ltd' } });
  return { id: opened.body.id as number, owner, course: await makeCourseForSale({ priceCents }) };
}
type Organisation = Awaited<ReturnType<typeof makeOrganisation>>;
type Someone = Awaited<ReturnType<typeof somebody>>;

const ask = (
  one: Organisation,
  { seats: count = 4, ...change }: { seats?: unknown; [field: string]: unknown } = {},
  who: Someone | null = one.owner,
) =>
  callRoute(invoiceRoute, {
    as: who?.session ?? null,
    params: { id: String(one.id) },
    body: {
      lines: [{ courseId: one.course.id, seats: count }],
      amount: '200.00',
      billing: BILLING,
      ...change,
    },
  });

/** Orders four seats of $50 by invoice. */
async function order(one: Organisation): Promise<number> {
  const answer = await ask(one);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.orderId as number;
}
const act = (
  route: Parameters<typeof callRoute>[0],
  orderId: number,
  body?: object,
  who: Someone | null = admin,
) =>
  callRoute(route, {
    method: 'POST',
    as: who?.session ?? null,
    params: { id: String(orderId) },
    ...(body ? { body } : {}),
  });
const release = (orderId: number) => act(releaseRoute, orderId);
const transfer = (orderId: number, amount: string, change: object = {}) =>
  act(transferRoute, orderId, {
    direction: 'in',
    amount,
    day: '2026-11-20',
    reference: 'Statement 7',
    requestKey: randomUUID(),
    ...change,
  });
const openSeats = async (orderId: number) =>
  (
    await db().execute<{ count: number }>(sql`
      select count(*)::int as count from seats s join order_items i on i.id = s.order_item_id
      where i.order_id = ${orderId} and s.ended_at is null`)
  )[0]!.count;
const balance = async (orderId: number, account: 'receivables' | 'bank') =>
  (
    await db()
      .select({ cents: sql<number>`coalesce(sum(amount_cents), 0)::int` })
      .from(ledgerEntries)
      .where(sql`order_id = ${orderId} and account = ${account}`)
  )[0]!.cents;
const stateOf = async (orderId: number) => (await readOrderView(await orderOf(orderId))).bank!;
const mailsTo = (email: string, template: string) =>
  db()
    .select()
    .from(mailOutbox)
    .where(sql`recipient = ${email} and template = ${template}`)
    .orderBy(mailOutbox.id);
/** On one line. */
const textOf = async (bytes: Uint8Array | null) => (await textOfPdf(bytes!)).replace(/\s+/g, ' ');
/** The order's line that an organisation's seats are of. */
const lineOf = async (one: Organisation) =>
  (await db().select().from(seats).where(eq(seats.organisationId, one.id)).limit(1))[0]!.orderItemId;

const invoiceText = async (orderId: number) =>
  textOf(await invoicePdf(await readOrderView(await orderOf(orderId))));

describe('seats by invoice', () => {
  it('are ordered, and nothing opens before a release or the money', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    expect(await orderOf(orderId)).toMatchObject({
      status: 'pending',
      payment: 'bank',
      invoiceNumber: null,
      totalCents: 20_000,
      billing: BILLING,
    });
    expect(await openSeats(orderId)).toBe(0);
    expect((await stateOf(orderId)).state).toBe('waiting');
    const [mail] = await mailsTo(one.owner.user.email, 'bank-order');
    expect(mail!.text).toContain('Routing number (ACH and wire): 110000000');
    expect(mail!.text).toContain(`Order ${orderId}`);
    // The check that ends unpaid orders of a day leaves it alone.
    await db()
      .update(orders)
      .set({ createdAt: new Date('2026-01-01') })
      .where(eq(orders.id, orderId));
    await reconcileOrders();
    expect((await orderOf(orderId)).status).toBe('pending');
  });

  it('are one order however often they are ordered, and another one for another number of seats', async () => {
    const one = await makeOrganisation();
    const [first, second] = await Promise.all([ask(one), ask(one)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.orderId).toBe(second.body.orderId);
    const other = await ask(one, { seats: 5, amount: '250.00' });
    expect(other.body.orderId).not.toBe(first.body.orderId);
    expect(await mailsTo(one.owner.user.email, 'bank-order')).toHaveLength(2);
  });

  it('leave a payment by card of the same seats its own order', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    const begun = await callRoute(payRoute, {
      as: one.owner.session,
      params: { id: String(one.id) },
      body: { lines: [{ courseId: one.course.id, seats: 4 }], amount: '200.00', billing: BILLING },
    });
    expect(begun.status, begun.text).toBe(200);
    expect(begun.body.orderId).not.toBe(orderId);
    expect((await orderOf(orderId)).status).toBe('pending');
    // The invoice of a payment by card names the company too.
    expect((await orderOf(begun.body.orderId)).billing).toEqual(BILLING);
  });

  it('are refused by name', async () => {
    const one = await makeOrganisation();
    const price = await ask(one, { amount: '199.99' });
    expect(price.status).toBe(409);
    expect(price.body).toMatchObject({ code: 'price_changed', total: '200.00' });
    const nowhere = await ask(one, { billing: { ...BILLING, country: 'ZZ' } });
    expect(nowhere.status).toBe(400);
    expect(nowhere.body.fields['billing.country']).toBe('Country is required');
    expect((await ask(one, { billing: undefined })).status).toBe(400);
    expect((await ask(one, { seats: 0 })).status).toBe(400);
    expect((await ask(one, { lines: [{ courseId: 999_999, seats: 4 }] })).status).toBe(404);
    expect((await ask(one, {}, null)).status).toBe(401);
    expect((await ask(one, {}, await somebody())).status).toBe(404);
    const free = await makeOrganisation(0);
    expect((await ask(free, { amount: '0.00' })).status).toBe(400);
    const dear = await makeOrganisation(99_999_999);
    expect((await ask(dear, { seats: 2, amount: '1999999.98' })).status).toBe(400);
  });

  it('are twenty waiting orders at most', async () => {
    const one = await makeOrganisation();
    for (let count = 1; count <= 20; count += 1) {
      const answer = await ask(one, { seats: count, amount: `${count * 50}.00` });
      expect(answer.status, answer.text).toBe(200);
      await db().delete(rateLimits);
    }
    expect((await ask(one, { seats: 21, amount: '1050.00' })).status).toBe(409);
  });
});

describe('a release', () => {
  it('opens the seats on account, with an invoice that says where and until when to pay', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    const answer = await release(orderId);
    expect(answer.status, answer.text).toBe(200);
    const done = await orderOf(orderId);
    expect(done.status).toBe('completed');
    expect(done.dueAt!.getTime() - done.completedAt!.getTime()).toBe(30 * 86_400_000);
    expect(await openSeats(orderId)).toBe(4);
    expect(await balance(orderId, 'receivables')).toBe(20_000);
    expect(await stateOf(orderId)).toMatchObject({ state: 'open', outstandingCents: 20_000 });
    const [mail] = await mailsTo(one.owner.user.email, 'receipt');
    expect(mail!.subject).toBe(`Your invoice ${done.invoiceNumber}`);
    expect(mail!.text).not.toContain('Total paid');
    const pdf = await invoiceText(orderId);
    for (const text of [
      done.invoiceNumber!,
      'Muster & Söhne GmbH',
      '10115 Berlin',
      'Germany',
      'PO-4711',
      'Training',
      'Please transfer $200.00',
      'bank Example Bank, account number 000123456789, routing number (ACH and wire) 110000000, SWIFT code (from abroad) EXAMUS33, with the reference INV-',
    ]) {
      expect(pdf).toContain(text);
    }
  });

  it('happens once, to an order that waits, by an administrator', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    expect((await act(releaseRoute, orderId, undefined, one.owner)).status).toBe(403);
    expect((await act(releaseRoute, orderId, undefined, null)).status).toBe(401);
    const answers = await Promise.all([release(orderId), release(orderId), transfer(orderId, '200.00')]);
    expect(
      answers.map(({ status }) => status).filter((status) => status === 409).length,
    ).toBeGreaterThanOrEqual(1);
    expect(await openSeats(orderId)).toBe(4);
    expect((await release(999_999)).status).toBe(404);
    const card = await makeOrganisation();
    const begun = await callRoute(payRoute, {
      as: card.owner.session,
      params: { id: String(card.id) },
      body: { lines: [{ courseId: card.course.id, seats: 1 }], amount: '50.00', billing: BILLING },
    });
    expect((await release(begun.body.orderId)).status).toBe(404);
    expect((await transfer(begun.body.orderId, '50.00')).status).toBe(404);
  });
});

describe('orders that wait for payment', () => {
  it('stand on the dashboard of those who run the organisation, with what is left to pay', async () => {
    const one = await makeOrganisation();
    const manager = await somebody();
    await db()
      .insert(organisationMembers)
      .values({ organisationId: one.id, userId: manager.user.id, role: 'manager' });
    const unpaid = ({ user }: Someone) => listUnpaid(user.id);
    expect(await unpaid(one.owner)).toEqual([]);
    const orderId = await order(one);
    const other = (await ask(one, { seats: 1, amount: '50.00' })).body.orderId as number;
    const line = { id: one.id, name: 'Example Ltd', orders: 2, cents: 25_000 };
    expect(await unpaid(one.owner)).toEqual([line]);
    expect(await unpaid(manager)).toEqual([line]);
    expect(await unpaid(await somebody())).toEqual([]);
    await release(orderId);
    await transfer(orderId, '120.00');
    expect(await unpaid(manager)).toEqual([{ ...line, cents: 13_000 }]);
    await transfer(orderId, '90.00');
    expect(await unpaid(manager)).toEqual([{ ...line, orders: 1, cents: 5000 }]);
    expect((await act(cancelRoute, other, { reason: 'No answer' })).status).toBe(200);
    expect(await unpaid(manager)).toEqual([]);
  });
});

describe('transfers', () => {
  it('in parts open the order when all is there', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    const first = await transfer(orderId, '120.00');
    expect(first.body.message).toBe('The transfer is written down. $80.00 is still to be paid.');
    expect(await openSeats(orderId)).toBe(0);
    const second = await transfer(orderId, '80.00');
    expect(second.body.message).toMatch(
      /^All is paid: the seats are open, and invoice INV-\d{4}-\d{6} was mailed\.$/,
    );
    expect(await openSeats(orderId)).toBe(4);
    expect(await balance(orderId, 'receivables')).toBe(0);
    expect(await balance(orderId, 'bank')).toBe(20_000);
    expect((await stateOf(orderId)).state).toBe('paid');
  });

  it('too much are told, and sent back', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    await release(orderId);
    expect((await transfer(orderId, '250.00')).body.message).toContain('$50.00 too much is with us');
    expect((await stateOf(orderId)).state).toBe('overpaid');
    const tooMuch = await transfer(orderId, '250.01', { direction: 'out' });
    expect(tooMuch.status).toBe(400);
    expect(tooMuch.body.fields.amount).toContain('$250.00');
    expect((await transfer(orderId, '50.00', { direction: 'out' })).status).toBe(200);
    expect((await stateOf(orderId)).state).toBe('paid');
  });

  it('are written down once per request, and twice at once only once', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    const requestKey = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => transfer(orderId, '10.00', { requestKey })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await balance(orderId, 'bank')).toBe(1000);
    expect((await transfer(orderId, '11.00', { requestKey })).status).toBe(409);
    expect(await db().$count(bankTransfers, eq(bankTransfers.orderId, orderId))).toBe(1);
  });

  it.each([
    [{ amount: '0' }, 'amount'],
    [{ amount: '1e3' }, 'amount'],
    [{ day: '2026-02-30' }, 'day'],
    [{ day: '2999-01-01' }, 'day'],
    [{ day: '' }, 'day'],
    [{ direction: 'up' }, 'direction'],
    [{ reference: ' ' }, 'reference'],
    [{ requestKey: '7' }, 'requestKey'],
  ])('%j is refused at its field', async (change, field) => {
    const one = await makeOrganisation();
    const answer = await transfer(await order(one), '10.00', change);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.fields)).toEqual([field]);
  });

  it('for an order that was closed open it after all', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    expect((await act(cancelRoute, orderId, { reason: 'No answer' })).status).toBe(200);
    expect((await transfer(orderId, '200.00')).status).toBe(200);
    expect((await orderOf(orderId)).status).toBe('completed');
    expect(await openSeats(orderId)).toBe(4);
  });
});

describe('closing', () => {
  const cancel = (one: Organisation, orderId: number, who: Someone | null = one.owner) =>
    callRoute(ownCancelRoute, {
      method: 'POST',
      as: who?.session ?? null,
      params: { id: String(one.id), order: String(orderId) },
    });

  it('is for those who ordered, until the release', async () => {
    const one = await makeOrganisation();
    const other = await makeOrganisation();
    const orderId = await order(one);
    expect((await cancel(one, orderId, null)).status).toBe(401);
    expect((await cancel(one, orderId, other.owner)).status).toBe(404);
    expect((await cancel(other, orderId)).status).toBe(404);
    expect((await cancel(one, orderId)).status).toBe(200);
    expect((await cancel(one, orderId)).status).toBe(200);
    expect((await orderOf(orderId)).status).toBe('expired');
    const again = await order(one);
    expect(again).not.toBe(orderId);
    await release(again);
    expect((await cancel(one, again)).status).toBe(409);
  });

  it('waits until money that came in is sent back', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    await transfer(orderId, '10.00');
    expect((await cancel(one, orderId)).status).toBe(409);
    await transfer(orderId, '10.00', { direction: 'out' });
    expect((await cancel(one, orderId)).status).toBe(200);
  });

  it('and money at once leave no closed order that holds money', async () => {
    for (let round = 0; round < 10; round += 1) {
      const one = await makeOrganisation();
      const orderId = await order(one);
      await Promise.all([cancel(one, orderId), transfer(orderId, '10.00')]);
      const { status } = await orderOf(orderId);
      // Either it waits with the money, or it was closed before any came.
      const [log] = await db().execute<{ closed: number; came: number }>(sql`select
        (select id from order_events where order_id = ${orderId} and type = 'expired') as closed,
        (select id from order_events where order_id = ${orderId} and type = 'transfer') as came`);
      if (status === 'expired') expect(log!.closed).toBeLessThan(log!.came);
      else expect(status).toBe('pending');
    }
  });

  it('and a release at once end in one of the two', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    await Promise.all([cancel(one, orderId), release(orderId)]);
    const { status } = await orderOf(orderId);
    expect(await openSeats(orderId)).toBe(status === 'completed' ? 4 : 0);
  });
});

describe('a refund of an invoice', () => {
  it('takes seats and money off it, with a credit note that has a number of its own', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    await release(orderId);
    await transfer(orderId, '120.00');
    const [line] = (await readOrderView(await orderOf(orderId))).lines;
    const [seat] = await db().select().from(seats).where(eq(seats.organisationId, one.id)).limit(1);
    const answer = await act(refundRoute, orderId, {
      itemId: seat!.orderItemId,
      reason: 'Fewer people',
      seats: 2,
      requestKey: randomUUID(),
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.message).toBe(`$100.00 for “${line!.title}” is taken off the invoice; 2 seats end.`);
    expect(await openSeats(orderId)).toBe(2);
    expect((await readOrderView(await orderOf(orderId))).story.map(({ text }) => text)).toEqual([
      expect.stringContaining('The order was started'),
      expect.stringMatching(/^The seats opened, and invoice INV-/),
      '$120.00 arrived by bank transfer (Statement 7).',
      `$100.00 for “${line!.title}” was taken off the invoice. 2 seats ended.`,
    ]);
    // 200 less 100 credited less 120 paid.
    expect(await stateOf(orderId)).toMatchObject({ state: 'overpaid', outstandingCents: -2000 });
    const [refund] = await db().select().from(refunds).where(eq(refunds.orderId, orderId));
    expect(refund!.creditNoteNumber).toMatch(/^CN-\d{4}-\d{6}$/);
    const [mail] = await mailsTo(one.owner.user.email, 'refund');
    expect(mail!.text).not.toContain('card');
    const paper = (as: Someone | null, number: string) =>
      callRoute(creditRoute, { as: as?.session ?? null, params: { id: String(orderId), number } });
    const file = await paper(one.owner, refund!.creditNoteNumber!);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    const view = await readOrderView(await orderOf(orderId));
    const [note] = creditNotes(view);
    expect(note!.number).toBe(refund!.creditNoteNumber);
    const pdf = await textOf(await creditNotePdf(view, note!));
    for (const text of [view.invoiceNumber!, longDay(view.completedAt!), '2 seats at $50.00']) {
      expect(pdf).toContain(text);
    }
    expect(pdf).toContain('Credit note');
    expect(pdf).toContain('-$100.00');
    expect(pdf).toContain('Muster & Söhne GmbH');
    expect((await paper(one.owner, 'CN-2026-999999')).status).toBe(404);
    expect((await paper(await somebody(), refund!.creditNoteNumber!)).status).toBe(404);
    expect((await paper(null, refund!.creditNoteNumber!)).status).toBe(302);
    // A refund that a dead process left behind is settled by the next look at it.
    const [left] = await db()
      .insert(refunds)
      .values({ orderId, orderItemId: seat!.orderItemId, amountCents: 5000, seats: 1, endsAccess: false })
      .returning();
    await Promise.all([resendRefund(left!.id, 'reconciler'), reconcileOrders()]);
    const [settled] = await db().select().from(refunds).where(eq(refunds.id, left!.id));
    expect(settled).toMatchObject({ status: 'succeeded' });
    expect(Number(settled!.creditNoteNumber!.slice(-6))).toBe(
      Number(refund!.creditNoteNumber!.slice(-6)) + 1,
    );
    expect(await openSeats(orderId)).toBe(1);
    expect(await balance(orderId, 'receivables')).toBe(-7000);
  });
});

describe('money that goes back by hand', () => {
  const refund = async (one: Organisation, orderId: number, count: number) => {
    const answer = await act(refundRoute, orderId, {
      itemId: await lineOf(one),
      reason: 'Fewer people',
      seats: count,
      requestKey: randomUUID(),
    });
    expect(answer.status, answer.text).toBe(200);
  };
  const sent = (orderId: number, change: object = {}, who: Someone | null = admin) =>
    act(sentBackRoute, orderId, { amount: '50.00', day: '2026-11-21', reference: 'SEPA 9', ...change }, who);
  /** What the lists say has to be sent of an order. */
  const toSend = async (orderId: number) => {
    const list = { search: '', page: 1, filter: 'look' } as const;
    const listed = (await listAdminOrders(list)).orders.find(({ id }) => id === orderId)?.toSendCents ?? 0;
    expect((await findAdminOrder(orderId))!.toSendCents).toBe(listed);
    return listed;
  };
  const says = async (orderId: number) => (await readOrderView(await orderOf(orderId))).paymentState;
  const paid = async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    await transfer(orderId, '200.00');
    return { one, orderId };
  };

  it('is shown until it is written down that it was sent, part by part', async () => {
    const { one, orderId } = await paid();
    expect(await toSend(orderId)).toBe(0);
    const before = (await thingsToDo()).ordersToSendBack;
    await refund(one, orderId, 1);
    expect(await toSend(orderId)).toBe(5000);
    expect((await thingsToDo()).ordersToSendBack).toBe(before + 1);
    expect(await says(orderId)).toBe(
      '$200.00 paid by bank transfer. $50.00 of it goes back to you by bank transfer and has not been sent yet.',
    );
    const answer = await sent(orderId);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.message).toBe('It is written down that $50.00 was sent back.');
    expect(await toSend(orderId)).toBe(0);
    expect(await says(orderId)).toBe(
      '$150.00 paid by bank transfer. $50.00 was sent back by bank transfer on Nov 21, 2026 (SEPA 9).',
    );
    expect(await balance(orderId, 'bank')).toBe(15_000);
    const [audited] = await db()
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'order.transfer_recorded'), eq(auditLog.subjectId, String(orderId))))
      .orderBy(desc(auditLog.id));
    expect(audited).toMatchObject({
      actorId: admin.user.id,
      details: { order: orderId, amount: '-$50.00', reference: 'SEPA 9' },
    });
    await refund(one, orderId, 3);
    expect(await toSend(orderId)).toBe(15_000);
    expect((await sent(orderId, { amount: '150.00', reference: 'SEPA 10' })).status).toBe(200);
    expect(await says(orderId)).toBe(
      'Nothing has to be paid any more. $150.00 was sent back by bank transfer on Nov 21, 2026 (SEPA 10).',
    );
  });

  it('is none where less is owed than the refund', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    await release(orderId);
    await refund(one, orderId, 1);
    expect(await toSend(orderId)).toBe(0);
    expect((await sent(orderId)).status).toBe(409);
  });

  it('is written down once, also by two at once', async () => {
    const { one, orderId } = await paid();
    await refund(one, orderId, 1);
    const answers = await Promise.all([
      sent(orderId, { reference: 'SEPA 1' }),
      sent(orderId, { reference: 'SEPA 2' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const again = await sent(orderId, { reference: 'SEPA 3' });
    expect(again.status).toBe(409);
    expect(again.body.message).toMatch(
      /^This is written down already: \$50\.00 was sent back on Nov 21, 2026 \(SEPA [12]\)\.$/,
    );
    expect(await balance(orderId, 'bank')).toBe(15_000);
    expect(await db().$count(bankTransfers, eq(bankTransfers.orderId, orderId))).toBe(2);
  });

  it('is for administrators, in the amount that has to be sent', async () => {
    const { one, orderId } = await paid();
    await refund(one, orderId, 1);
    expect((await sent(orderId, {}, null)).status).toBe(401);
    expect((await sent(orderId, {}, one.owner)).status).toBe(403);
    expect((await sent(999_999)).status).toBe(404);
    const other = await sent(orderId, { amount: '49.99' });
    expect(other.status).toBe(409);
    expect(other.body.message).toContain('$50.00 has to be sent back by now');
    for (const [change, field] of [
      [{ amount: '0' }, 'amount'],
      [{ day: '2999-01-01' }, 'day'],
      [{ day: undefined }, 'day'],
      [{ reference: ' ' }, 'reference'],
    ] as const) {
      const wrong = await sent(orderId, change);
      expect(wrong.status).toBe(400);
      expect(Object.keys(wrong.body.fields)).toEqual([field]);
    }
    expect(await toSend(orderId)).toBe(5000);
  });

  it('is none where the provider pays back', async () => {
    const one = await makeOrganisation();
    const begun = await callRoute(payRoute, {
      as: one.owner.session,
      params: { id: String(one.id) },
      body: { lines: [{ courseId: one.course.id, seats: 4 }], amount: '200.00', billing: BILLING },
    });
    const intentId = String(begun.body.clientSecret).split('_secret_')[0]!;
    await pay(payments, intentId);
    expect((await confirm(one.owner, intentId)).status).toBe(200);
    const orderId = begun.body.orderId as number;
    await refund(one, orderId, 1);
    expect(await orderOf(orderId)).toMatchObject({ status: 'partially_refunded', refundedCents: 5000 });
    expect(await toSend(orderId)).toBe(0);
    expect(await says(orderId)).toBe('$200.00 paid by card, of which $50.00 went back to it.');
    expect((await sent(orderId)).status).toBe(404);
  });
});

describe('reminders', () => {
  it('are mailed one, eight and twenty-two days after the invoice was due, and then an administrator looks', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    await release(orderId);
    const overdueBy = async (days: number) => {
      await moveBack(orders, eq(orders.id, orderId), { dueAt: { days, seconds: 1 } });
      await Promise.all([remindOverdue(), remindOverdue()]);
      return (await mailsTo(one.owner.user.email, 'invoice-overdue')).length;
    };
    expect(await overdueBy(0)).toBe(0);
    expect(await overdueBy(1)).toBe(1);
    expect(await overdueBy(7)).toBe(1);
    expect(await overdueBy(8)).toBe(2);
    expect(await overdueBy(22)).toBe(3);
    expect(await overdueBy(90)).toBe(3);
    const [last] = (await mailsTo(one.owner.user.email, 'invoice-overdue')).slice(-1);
    expect(last!.text).toContain('Still to be paid: $200.00 USD');
    const flags = await db().execute(
      sql`select 1 from order_flags where order_id = ${orderId} and kind = 'overdue'`,
    );
    expect(flags).toHaveLength(1);
  });

  it('are not mailed for what is paid', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    await transfer(orderId, '200.00');
    await db()
      .update(orders)
      .set({ dueAt: new Date('2026-01-01') })
      .where(eq(orders.id, orderId));
    await remindOverdue();
    expect(await mailsTo(one.owner.user.email, 'invoice-overdue')).toHaveLength(0);
  });
});

describe('the invoice of a company', () => {
  it.each([
    { before: '0.00', due: '200.00', after: '200.00' },
    { before: '50.00', due: '150.00', after: '150.00' },
    // All of it: the last transfer opens the order.
    { before: '200.00', due: '0.00', after: '20.00' },
  ])('stays as it was issued with $before paid, whatever comes after', async ({ before, due, after }) => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    if (before !== '0.00') await transfer(orderId, before);
    if (before !== '200.00') await release(orderId);
    const paper = () => invoiceText(orderId);
    const issued = await paper();
    expect(issued).toContain(`Received by bank transfer $${before}`);
    expect(issued).toContain(`To be paid $${due}`);

    expect((await transfer(orderId, after)).status).toBe(200);
    expect(await paper()).toEqual(issued);
    expect((await transfer(orderId, '10.00', { direction: 'out' })).status).toBe(200);
    expect(await paper()).toEqual(issued);
    const [seat] = await db().select().from(seats).where(eq(seats.organisationId, one.id)).limit(1);
    for (const ended of [1, 3]) {
      const back = await act(refundRoute, orderId, {
        itemId: seat!.orderItemId,
        reason: 'Fewer people',
        seats: ended,
        requestKey: randomUUID(),
      });
      expect(back.status, back.text).toBe(200);
      expect(await paper()).toEqual(issued);
    }
    expect((await orderOf(orderId)).status).toBe('refunded');
    // The organisation, the course and the firm may be called otherwise since.
    await callRoute(billingRoute, {
      as: one.owner.session,
      params: { id: String(one.id) },
      body: { ...BILLING, company: 'Another Ltd' },
    });
    await db().update(courses).set({ title: 'Another title' }).where(eq(courses.id, one.course.id));
    expect(await paper()).toEqual(issued);
  });

  it('names the company that was given last before a payment by card, and asks for its order number each time', async () => {
    const one = await makeOrganisation();
    const begin = (billing?: object) =>
      callRoute(payRoute, {
        as: one.owner.session,
        params: { id: String(one.id) },
        body: { lines: [{ courseId: one.course.id, seats: 4 }], amount: '200.00', billing },
      });
    expect((await begin()).body.fields).toHaveProperty('billing');
    expect((await begin({ ...BILLING, address: '' })).body.fields).toHaveProperty(['billing.address']);
    const first = await begin({ ...BILLING, company: 'Another Ltd' });
    const again = await begin(BILLING);
    expect(again.status, again.text).toBe(200);
    expect(again.body.orderId).toBe(first.body.orderId);
    const orderId = again.body.orderId as number;
    const intentId = String(again.body.clientSecret).split('_secret_')[0]!;
    await pay(payments, intentId);
    expect((await confirm(one.owner, intentId)).status).toBe(200);
    expect((await orderOf(orderId)).billing).toEqual(BILLING);
    const paper = await invoiceText(orderId);
    for (const text of [BILLING.company, 'PO-4711', 'Paid by card $200.00']) expect(paper).toContain(text);
    expect(await findBilling(one.id)).toEqual({ ...BILLING, purchaseOrder: '' });
  });

  it('is issued anew once for a payment by card that named no company, and the first one stays', async () => {
    const one = await makeOrganisation();
    const begun = await callRoute(payRoute, {
      as: one.owner.session,
      params: { id: String(one.id) },
      body: { lines: [{ courseId: one.course.id, seats: 4 }], amount: '200.00', billing: BILLING },
    });
    const orderId = begun.body.orderId as number;
    const name = (who: Someone | null, body: object = BILLING, id: unknown = orderId) =>
      callRoute(nameRoute, { as: who?.session ?? null, params: { id: String(id) }, body });
    expect((await name(one.owner)).status).toBe(409);
    const intentId = String(begun.body.clientSecret).split('_secret_')[0]!;
    await pay(payments, intentId);
    expect((await confirm(one.owner, intentId)).status).toBe(200);
    expect((await name(one.owner)).body.message).toContain('names Muster & Söhne GmbH already');
    // As it was while the payment by card asked for nothing.
    await db().update(orders).set({ billing: null }).where(eq(orders.id, orderId));
    const first = await invoiceText(orderId);
    const corrected = (who: Someone) =>
      callRoute(correctedRoute, { as: who.session, params: { id: String(orderId) } });
    expect((await corrected(one.owner)).status).toBe(404);
    expect((await name(null)).status).toBe(401);
    expect((await name(await somebody())).status).toBe(404);
    expect((await name(one.owner, BILLING, 999_999)).status).toBe(404);
    expect((await name(one.owner, { ...BILLING, country: 'ZZ' })).body.fields.country).toBeDefined();
    const answers = await Promise.all([1, 2, 3].map(() => name(one.owner)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { correction, invoiceNumber } = await orderOf(orderId);
    expect(correction).toMatchObject({ billing: BILLING });
    expect(correction!.number).not.toBe(invoiceNumber);
    expect(await invoiceText(orderId)).toBe(first);
    expect((await corrected(await somebody())).status).toBe(404);
    expect((await corrected(one.owner)).status).toBe(200);
    const view = correctedInvoice(await readOrderView(await orderOf(orderId)))!;
    const paper = await textOf(await invoicePdf(view));
    for (const text of [
      'Corrected invoice',
      correction!.number,
      invoiceNumber!,
      BILLING.company,
      'PO-4711',
      'Total (USD) $200.00',
    ]) {
      expect(paper).toContain(text);
    }
    // What goes back after it is taken off this one.
    const back = await act(refundRoute, orderId, {
      itemId: await lineOf(one),
      reason: 'Fewer people',
      seats: 1,
      requestKey: randomUUID(),
    });
    expect(back.status, back.text).toBe(200);
    const after = await readOrderView(await orderOf(orderId));
    const [note] = creditNotes(after);
    const credit = await textOf(await creditNotePdf(creditedInvoice(after, note!), note!));
    for (const text of [correction!.number, BILLING.company, '1 seat at $50.00']) {
      expect(credit).toContain(text);
    }
  });

  it('has credit notes, which name it and add up to what the ledger took off it', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    await release(orderId);
    const { itemId } = (
      await db().execute<{ itemId: number }>(
        sql`select id as "itemId" from order_items where order_id = ${orderId}`,
      )
    )[0]!;
    for (const part of [{ seats: 2 }, { amount: '33.33' }, { amount: '0.01' }]) {
      const wanted = { itemId, reason: 'Fewer people', requestKey: randomUUID(), ...part };
      const back = await act(refundRoute, orderId, wanted);
      expect(back.status, back.text).toBe(200);
    }
    const view = await readOrderView(await orderOf(orderId));
    const notes = creditNotes(view);
    expect(notes.map(({ seats: ended, amountCents }) => [ended, amountCents])).toEqual([
      [2, 10_000],
      [null, 3333],
      [null, 1],
    ]);
    for (const note of notes) {
      const paper = await textOf(await creditNotePdf(view, note));
      for (const text of [
        `Credit note number ${note.number}`,
        `For invoice ${view.invoiceNumber}`,
        `Invoice date ${longDay(view.completedAt!)}`,
        `Total (USD) -${formatCents(note.amountCents)}`,
      ]) {
        expect(paper).toContain(text);
      }
    }
    const credited = notes.reduce((sum, { amountCents }) => sum + amountCents, 0);
    expect(await balance(orderId, 'receivables')).toBe(20_000 - credited);
  });

  it('names the firm as it was when it was issued', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    await release(orderId);
    await db().execute(sql`
      update orders set seller = seller || '{"legalName": "Former Firm LLC", "taxId": "11-1111111",
        "bank": {"holder": "Former Firm LLC", "iban": "DE89 3704 0044 0532 0130 00", "bic": "COBADEFFXXX"}}'
      where id = ${orderId}`);
    const paper = await invoiceText(orderId);
    for (const text of [
      'Tax number 11-1111111',
      'to Former Firm LLC, IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX, with the reference INV-',
    ]) {
      expect(paper).toContain(text);
    }
  });
});

describe('papers', () => {
  it('are a proforma before the release, for those who run the organisation', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    const manager = await somebody();
    await db()
      .insert(organisationMembers)
      .values({ organisationId: one.id, userId: manager.user.id, role: 'manager' });
    const get = (who: Someone | null) =>
      callRoute(pdfRoute, { as: who?.session ?? null, params: { id: String(orderId) } });
    expect((await get(manager)).status).toBe(200);
    const pdf = await invoiceText(orderId);
    expect(pdf).toContain('Proforma invoice');
    expect(pdf).toContain('This is no invoice');
    expect((await get(await somebody())).status).toBe(404);
    await act(cancelRoute, orderId, { reason: 'Not wanted' });
    expect((await get(manager)).status).toBe(404);
  });

  it('are a quote before an order', async () => {
    const one = await makeOrganisation();
    const get = (who: Someone | null, search: string) =>
      callRoute(quoteRoute, {
        ...(who ? { withCookie: who.session } : {}),
        params: { id: String(one.id) },
        path: `/organisations/${one.id}/quote.pdf${search}`,
      });
    const asked = `?of=course-${one.course.id}&seats=4`;
    const file = await get(one.owner, asked);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const made = () => db().select().from(quotes).where(eq(quotes.organisationId, one.id)).orderBy(quotes.id);
    const [quote] = await made();
    expect(file.headers.get('content-disposition')).toContain(`${quote!.number}.pdf`);
    expect(quote).toMatchObject({
      number: expect.stringMatching(/^Q-\d{4}-\d{6}$/),
      madeBy: one.owner.user.id,
    });
    const days = (quote!.validUntil.getTime() - quote!.madeAt.getTime()) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(30);
    expect(days).toBeLessThan(31);
    const pdf = await textOf(await quotePdf(quote!));
    for (const text of [
      'Quote',
      quote!.number,
      'Example Ltd',
      '4 seats at $50.00',
      '$200.00',
      longDay(quote!.madeAt),
      `Valid until ${longDay(quote!.validUntil)}`,
      'Payment by card',
    ]) {
      expect(pdf).toContain(text);
    }
    // The same again, also by two at once, is the same paper.
    await Promise.all([get(one.owner, asked), get(one.owner, asked)]);
    expect(await made()).toHaveLength(1);
    // Other seats, another company, or one that is valid no more are another one.
    await get(one.owner, `?of=course-${one.course.id}&seats=5`);
    await db().update(organisations).set({ billing: BILLING }).where(eq(organisations.id, one.id));
    await get(one.owner, asked);
    expect((await made()).at(-1)!.billedTo).toContain(BILLING.company);
    await moveBack(quotes, eq(quotes.organisationId, one.id), { validUntil: { days: 40 } });
    await get(one.owner, asked);
    expect(new Set((await made()).map(({ number }) => number)).size).toBe(4);
    expect((await get(one.owner, `?of=course-${one.course.id}`)).status).toBe(404);
    expect((await get(await somebody(), asked)).status).toBe(404);
    expect((await get(null, asked)).status).toBe(302);
  });

  it('cost what was quoted while the quote is valid, or less, for those seats of that organisation', async () => {
    const one = await makeOrganisation();
    const quote = () =>
      callRoute(quoteRoute, {
        withCookie: one.owner.session,
        params: { id: String(one.id) },
        path: `/organisations/${one.id}/quote.pdf?of=course-${one.course.id}&seats=4`,
      });
    const priceOf = async (priceCents: number) =>
      db().update(courses).set({ priceCents }).where(eq(courses.id, one.course.id));
    expect((await quote()).status).toBe(200);
    await priceOf(6000);
    // The higher price makes no quote while a lower one is valid, and that one no later end.
    await quote();
    const made = await db().select().from(quotes).where(eq(quotes.organisationId, one.id));
    expect(made).toHaveLength(1);
    const kept = await ask(one);
    expect(kept.status, kept.text).toBe(200);
    expect((await orderOf(kept.body.orderId)).totalCents).toBe(20_000);
    const card = await callRoute(payRoute, {
      as: one.owner.session,
      params: { id: String(one.id) },
      body: { lines: [{ courseId: one.course.id, seats: 4 }], amount: '200.00', billing: BILLING },
    });
    expect(card.status, card.text).toBe(200);
    expect((await ask(one, { seats: 5, amount: '250.00' })).body.total).toBe('300.00');
    const other = { ...(await makeOrganisation()), course: one.course };
    expect((await ask(other)).body.total).toBe('240.00');
    await priceOf(4000);
    expect((await ask(one)).body.total).toBe('160.00');
    await priceOf(6000);
    await moveBack(quotes, eq(quotes.organisationId, one.id), { validUntil: { days: 40 } });
    expect((await ask(one)).body.total).toBe('240.00');
  });

  it('say the discount that is in the price, and stay on one page', async () => {
    const one = await makeOrganisation();
    await db().insert(seatPriceSteps).values({ fromSeats: 10, percentOff: 10 });
    const plain = await order(one);
    const { body } = await ask(one, { seats: 12, amount: '540.00' });
    await db().delete(seatPriceSteps);
    await release(body.orderId as number);
    const view = await readOrderView(await orderOf(body.orderId as number));
    const pdf = await invoicePdf(view);
    const text = await textOf(pdf);
    for (const part of [
      '12 seats at $45.00',
      'Discount: 12 seats at $50.00 before, less $60.00 (10%)',
      'Total (USD) $540.00',
      '1 of 1',
    ]) {
      expect(text).toContain(part);
    }
    expect(await invoiceText(plain)).not.toContain('Discount');
    // What a coupon takes off has a line of its own below.
    const coupon = { code: 'TEN', discountCents: 500 };
    const cut = await textOf(await invoicePdf({ ...view, totals: { ...view.totals, coupon } }));
    expect(cut).toContain('Coupon TEN -$5.00');
  });

  it('keep the company that was theirs when it is changed', async () => {
    const one = await makeOrganisation();
    const orderId = await order(one);
    const set = (who: Someone | null, body: object) =>
      callRoute(billingRoute, { as: who?.session ?? null, params: { id: String(one.id) }, body });
    expect((await set(one.owner, { ...BILLING, company: 'Another Ltd' })).status).toBe(200);
    expect((await set(one.owner, { ...BILLING, country: 'XX' })).body.fields.country).toBeDefined();
    expect((await set(await somebody(), BILLING)).status).toBe(404);
    expect((await set(null, BILLING)).status).toBe(401);
    expect((await orderOf(orderId)).billing!.company).toBe(BILLING.company);
    const [row] = await db().select().from(organisations).where(eq(organisations.id, one.id));
    expect(row!.billing!.company).toBe('Another Ltd');
  });
});

it('an order by invoice outlives the account that made it', async () => {
  const one = await makeOrganisation();
  const second = await somebody();
  await db()
    .insert(organisationMembers)
    .values({ organisationId: one.id, userId: second.user.id, role: 'owner' });
  const orderId = await order(one);
  await deletePerson({ id: admin.user.id, name: admin.user.username }, one.owner.user.id, {
    confirmation: one.owner.user.email,
    reason: 'asked for it',
  });
  expect((await orderOf(orderId)).status).toBe('pending');
  expect((await release(orderId)).status).toBe(200);
  expect(await openSeats(orderId)).toBe(4);
  // Nobody is left to remind but those who own the organisation.
  await db()
    .update(orders)
    .set({ dueAt: new Date('2026-01-01') })
    .where(eq(orders.id, orderId));
  await remindOverdue();
  expect(await mailsTo(second.user.email, 'invoice-overdue')).toHaveLength(1);
});

describe('who ordered and has left the organization', () => {
  /** An order of somebody who has left; the second owner stays. */
  async function leftBehind() {
    const one = await makeOrganisation();
    const stays = await somebody();
    await db()
      .insert(organisationMembers)
      .values({ organisationId: one.id, userId: stays.user.id, role: 'owner' });
    const orderId = await order(one);
    const leave = () =>
      callRoute(removeRoute, {
        method: 'DELETE',
        as: one.owner.session,
        params: { id: String(one.id), user: String(one.owner.user.id) },
      });
    return { one, stays, orderId, left: one.owner, leave };
  }
  const invoiceOf = (orderId: number, who: Someone, search = '') =>
    callRoute(pdfRoute, {
      withCookie: who.session,
      params: { id: String(orderId) },
      path: `/orders/${orderId}/invoice.pdf${search}`,
    });
  const ordersOf = async (who: Someone) =>
    ((await callRoute(ordersRoute, { as: who.session })).body as unknown as { id: number }[]).map(
      ({ id }) => id,
    );
  const exportOf = async (who: Someone) => JSON.stringify((await personalData(who.user.id)).orders);

  it('sees its orders, papers and lists no more, nor finds them in their export', async () => {
    const { one, stays, orderId, left, leave } = await leftBehind();
    await release(orderId);
    // A link of before.
    const key = newSecret();
    await db()
      .insert(orderKeys)
      .values({ keyHash: hashSecret(key), orderId });
    expect((await invoiceOf(orderId, left)).status).toBe(200);
    expect(await ordersOf(left)).toEqual([orderId]);
    expect(await exportOf(left)).toContain(BILLING.costCentre);
    expect((await leave()).status).toBe(200);

    expect((await invoiceOf(orderId, left)).status).toBe(404);
    expect((await invoiceOf(orderId, left, `?token=${key}`)).status).toBe(404);
    expect((await invoiceOf(orderId, stays)).status).toBe(200);
    expect((await invoiceOf(orderId, admin)).status).toBe(200);
    expect(await ordersOf(left)).toEqual([]);
    expect(await exportOf(left)).toBe('[]');
    const id = String(one.id);
    const as = left.session;
    const doors = await Promise.all([
      callRoute(csvRoute, { withCookie: as, params: { id } }),
      callRoute(quoteRoute, {
        withCookie: as,
        params: { id },
        path: `/organisations/${id}/quote.pdf?of=course-${one.course.id}&seats=4`,
      }),
      callRoute(billingRoute, { as, params: { id }, body: BILLING }),
      callRoute(ownCancelRoute, { as, params: { id, order: String(orderId) } }),
      ask(one, {}, left),
      callRoute(webhooksRoute, {
        as,
        params: { id },
        body: { url: 'https://a.example.com/', kinds: ['seat'] },
      }),
      callRoute(membersRoute, { as, params: { id }, body: { email: 'x@example.com', role: 'manager' } }),
      callRoute(seatsRoute, {
        as,
        params: { id },
        body: { courseId: one.course.id, people: 'x@example.com', dryRun: true },
      }),
    ]);
    expect(doors.map(({ status }) => status)).toEqual(doors.map(() => 404));
  });

  it('gets no mail about them: its owners of now do', async () => {
    const { one, stays, orderId, left, leave } = await leftBehind();
    const third = await somebody();
    await db()
      .insert(organisationMembers)
      .values({ organisationId: one.id, userId: third.user.id, role: 'owner' });
    await leave();
    const before = (await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, left.user.email)))
      .length;
    await release(orderId);
    await moveBack(orders, eq(orders.id, orderId), { dueAt: { days: 2 } });
    await Promise.all([remindOverdue(), remindOverdue()]);
    const again = await act(receiptRoute, orderId);
    expect(again.body.message).toBe(`The receipt is on its way to ${stays.user.email}, ${third.user.email}.`);
    const [seat] = await db().select().from(seats).where(eq(seats.organisationId, one.id)).limit(1);
    const back = await act(refundRoute, orderId, {
      itemId: seat!.orderItemId,
      reason: 'Not needed',
      seats: 2,
      requestKey: randomUUID(),
    });
    expect(back.status, back.text).toBe(200);
    const mails = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, stays.user.email));
    expect(mails.map(({ template }) => template).toSorted()).toEqual([
      'invoice-overdue',
      'receipt',
      'receipt',
      'refund',
    ]);
    const others = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, third.user.email));
    expect(others).toHaveLength(mails.length);
    for (const { text } of mails) {
      expect(text).not.toContain('token=');
      expect(text).not.toContain(left.user.username);
    }
    expect(
      await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, left.user.email)),
    ).toHaveLength(before);
  });
});
