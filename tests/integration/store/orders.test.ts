import { eq, sql } from 'drizzle-orm';
import { PDFParse } from 'pdf-parse';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourseForSale, makeUser } from '../../support/factories.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { coupons, orderFlags, orderKeys, orders } from '#db/schema/store.ts';
import { sweepClaimsJob } from '#src/features/store/guests/claim-links.server.ts';
import { findVisibleOrder, ORDER_LINK_DAYS } from '#src/features/store/orders/order-access.server.ts';
import { listOrders } from '#src/features/store/orders/orders.server.ts';
import { findBought } from '#src/features/store/guests/purchase-page.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import { GET as pdfRoute } from '#src/pages/orders/[id]/invoice.pdf.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';
import { buyAsGuest, claimByMail, type Guest, makeGuest } from '../../support/guests.ts';
import { moveBack } from '../../support/move-back.ts';
import {
  checkOut,
  confirm,
  createIntent,
  itemsOfOrder,
  makeBuyer,
  markOrder,
  orderOf,
  type Payments,
  pay,
  startPayments,
  bought,
} from '../../support/payments.ts';
import { textOfPdf } from '../../support/pdf.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());
beforeEach(() => payments.sandbox.control.settled());

const stranger = { user: null, key: null, claimSecret: null };
const receiptTo = async (email: string) =>
  (await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, email))).find(
    (mail) => mail.template === 'receipt',
  )!;
const keyIn = (text: string) => /\/orders\/\d+\?token=([\w-]{43})/.exec(text)?.[1] ?? null;
const claimOf = (guest: Guest) => guest.cookies.get('purchase') ?? null;

const getPdf = (orderId: number | string, options: CallOptions & { token?: string } = {}) => {
  const { token, ...call } = options;
  return callRoute(pdfRoute, {
    path: `/orders/${orderId}/invoice.pdf${token ? `?token=${token}` : ''}`,
    params: { id: String(orderId) },
    ...call,
  });
};

/** The bytes of an invoice, which the shared helper would read as text. */
async function pdfBytes(orderId: number): Promise<Uint8Array> {
  const { invoicePdf } = await import('#src/features/store/invoices/invoice-pdf.server.ts');
  return invoicePdf(await readOrderView(await orderOf(orderId)));
}

describe('the list of purchases', () => {
  it('has no checkout that was only opened, and shows money on its way, unclear or arrived', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    const states = async () => (await listOrders(buyer.user.id)).map(({ status }) => status);
    expect(await states()).toEqual([]);
    expect(await findBought(buyer.user.id, orderId)).toBeNull();
    await db().insert(orderFlags).values({ orderId, kind: 'payment_mismatch', subject: 'paid in eur' });
    expect(await states()).toEqual(['pending']);
    await db().delete(orderFlags).where(eq(orderFlags.orderId, orderId));
    await db().update(orders).set({ status: 'processing' }).where(eq(orders.id, orderId));
    expect(await states()).toEqual(['processing']);
    await pay(payments, intentId);
    expect((await confirm(buyer, intentId)).status).toBe(200);
    expect(await states()).toEqual(['completed']);
  });

  it('the panel after paying is of a person’s own paid order alone', async () => {
    const { buyer, orderId } = await bought(payments, [4900, 1000]);
    expect(await findBought(buyer.user.id, orderId)).toMatchObject({
      orderId,
      courses: buyer.courses.map(({ id, title }) => ({ id, title })),
      total: '59.00',
      invoiceNumber: expect.stringMatching(/^INV-/),
    });
    expect(await findBought((await makeUser()).id, orderId)).toBeNull();
    expect(await findBought(buyer.user.id, null)).toBeNull();
    expect(await findBought(buyer.user.id, 2_000_000_000)).toBeNull();
    for (const { id } of await itemsOfOrder(orderId)) {
      await refundLine(orderId, id, { reason: 'asked', source: 'admin' });
    }
    expect(await findBought(buyer.user.id, orderId)).toBeNull();
  });
});

describe('who sees an order', () => {
  it('its owner and administrators, nobody else', async () => {
    const { buyer, orderId } = await bought(payments, [4900]);
    const id = String(orderId);
    const see = (user: { id: number; role: 'student' | 'admin' } | null) =>
      findVisibleOrder(id, { ...stranger, user });
    expect((await see({ id: buyer.user.id, role: 'student' }))?.id).toBe(orderId);
    expect((await see({ id: (await makeAdmin()).id, role: 'admin' }))?.id).toBe(orderId);
    expect(await see({ id: (await makeUser()).id, role: 'student' })).toBeNull();
    expect(await see(null)).toBeNull();
    // An account's receipt has no secret: its links lead to the sign-in.
    const receipt = await receiptTo(buyer.user.email);
    expect(receipt.text).toContain(`http://localhost:4321/orders/${orderId}\n`);
    expect(keyIn(receipt.text)).toBeNull();
  });

  it('whoever has the link in a guest’s receipt, for that order alone', async () => {
    const guest = makeGuest();
    const { orderId } = await buyAsGuest(payments, guest);
    const other = await buyAsGuest(payments, makeGuest());
    const key = keyIn((await receiptTo(guest.buyer.email)).text);
    expect(key).not.toBeNull();
    expect((await findVisibleOrder(String(orderId), { ...stranger, key }))?.id).toBe(orderId);
    expect(await findVisibleOrder(String(other.orderId), { ...stranger, key })).toBeNull();
    expect(await findVisibleOrder(String(orderId), { ...stranger, key: 'x'.repeat(43) })).toBeNull();
    // Only the hash is kept (fault A9).
    const [row] = await db().select().from(orderKeys).where(eq(orderKeys.orderId, orderId));
    expect(row!.keyHash).toMatch(/^[0-9a-f]{64}$/);
    // It ends by itself, and only then; the sweep takes nothing that still works.
    const madeDaysAgo = (days: number) =>
      moveBack(orderKeys, eq(orderKeys.orderId, orderId), { createdAt: { days } });
    await madeDaysAgo(ORDER_LINK_DAYS - 1);
    await sweepClaimsJob.run(undefined, { isLast: false });
    expect((await findVisibleOrder(String(orderId), { ...stranger, key }))?.id).toBe(orderId);
    await madeDaysAgo(ORDER_LINK_DAYS + 1);
    expect(await findVisibleOrder(String(orderId), { ...stranger, key })).toBeNull();
    await sweepClaimsJob.run(undefined, { isLast: false });
    expect(await db().$count(orderKeys, eq(orderKeys.orderId, orderId))).toBe(0);
    await db().insert(orderKeys).values(row!);
    // The link goes on working once an account has the order.
    expect((await claimByMail(guest)).status).toBe(201);
    expect((await orderOf(orderId)).userId).not.toBeNull();
    expect((await findVisibleOrder(String(orderId), { ...stranger, key }))?.id).toBe(orderId);
  });

  it('the browser in which a guest bought it, until it is in an account', async () => {
    const guest = makeGuest();
    const { orderId } = await buyAsGuest(payments, guest);
    const visitor = { ...stranger, claimSecret: claimOf(guest) };
    expect(visitor.claimSecret).toMatch(/^[\w-]{43}$/);
    expect((await findVisibleOrder(String(orderId), visitor))?.id).toBe(orderId);
    const elsewhere = { ...stranger, claimSecret: claimOf(makeGuest()) ?? 'y'.repeat(43) };
    expect(await findVisibleOrder(String(orderId), elsewhere)).toBeNull();
    await claimByMail(guest);
    expect(await findVisibleOrder(String(orderId), visitor)).toBeNull();
  });

  it.each([undefined, '', '0', '-1', '1.5', '1e3', 'abc', '99999999999', '2147483648', '2147483647'])(
    '%s is nobody’s',
    async (id) => {
      expect(await findVisibleOrder(id, { ...stranger, user: { id: 1, role: 'admin' } })).toBeNull();
    },
  );
});

describe('what an order says', () => {
  it('tells a declined card, the payment and a refund in plain words', async () => {
    const buyer = await makeBuyer(4900, 1999);
    const { orderId, intentId } = await checkOut(buyer);
    const view = async () => readOrderView(await orderOf(orderId));
    expect((await view()).paymentState).toContain('Not paid yet. Nothing has been charged.');
    expect(await pay(payments, intentId, 'pm_card_chargeDeclinedInsufficientFunds')).toBe(
      'requires_payment_method',
    );
    await payments.sandbox.control.settled();
    await pay(payments, intentId);
    await confirm(buyer, intentId);
    const [first] = await itemsOfOrder(orderId);
    await refundLine(orderId, first!.id, { reason: 'test', source: 'admin' });
    await payments.sandbox.control.settled();
    const seen = await view();
    expect(seen.story.map((moment) => moment.text)).toEqual([
      'The order was started: $68.99 in total.',
      'A payment did not go through. Your card has insufficient funds.',
      `The payment of $68.99 arrived, and the order was completed. Invoice ${seen.invoiceNumber} was issued.`,
      `$49.00 for “${first!.title}” went back to the card.`,
    ]);
    expect(seen.paymentState).toBe('$68.99 paid by card, of which $49.00 went back to it.');
    expect(seen.totals).toMatchObject({ subtotalCents: 6899, totalCents: 6899, refundedCents: 4900 });
    expect(seen.lines.map((line) => line.isRefunded)).toEqual([true, false]);
    expect(JSON.stringify(seen)).not.toContain(intentId);
  });

  it('says that somebody looks at money that does not fit', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId } = await checkOut(buyer);
    await markOrder(orderId, 'received 10 instead of 4900');
    const view = await readOrderView(await orderOf(orderId));
    expect(view.paymentState).toContain('Please do not pay again');
    expect(JSON.stringify(view)).not.toContain('instead of');
    await db().delete(orderFlags).where(eq(orderFlags.orderId, orderId));
  });
});

describe('the invoice', () => {
  it('is there for a completed order, with seller, buyer, lines, coupon, tax and total', async () => {
    await db().insert(coupons).values({ code: 'INVOICE-10', kind: 'percent', percentOff: 10 });
    const course = await makeCourseForSale({ priceCents: 4900, title: 'Überblick: C++ & <SQL>' });
    const user = await makeUser({ username: 'Zoë Łukasz Нина' });
    const session = await signIn(user);
    await db().execute(sql`insert into cart_items (user_id, course_id) values (${user.id}, ${course.id})`);
    const start = await callRoute((await import('#src/pages/api/create-payment-intent.ts')).POST, {
      as: session,
      body: { amount: 44.1, couponCode: 'invoice-10' },
    });
    const intentId = start.body.clientSecret.split('_secret_')[0];
    await pay(payments, intentId);
    await confirm({ session }, intentId);
    const order = await orderOf(start.body.orderId);
    const bytes = await pdfBytes(order.id);
    const text = await textOfPdf(bytes);
    for (const words of [
      'Galaxy IT Partners LLC',
      order.invoiceNumber!,
      `#${order.id}`,
      'Zoë Łukasz Нина',
      user.email,
      'Überblick: C++ & <SQL>',
      'Subtotal $49.00',
      'Coupon INVOICE-10 -$4.90',
      'Tax $0.00',
      'Total (USD) $44.10',
      'Paid by card $44.10',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('cannot be drawn');
    expect(text).not.toContain('Credit notes');
    // The same order gives the same file.
    expect(Buffer.compare(bytes, await pdfBytes(order.id))).toBe(0);
    const receipt = await receiptTo(user.email);
    expect(receipt.text).toContain('Coupon INVOICE-10: -$4.90');
    expect(receipt.text).toContain('Total paid: $44.10 USD');
    expect(receipt.html).toContain('Überblick: C++ &#38; &#60;SQL&#62;');
  });

  it('stays as it was issued when money goes back', async () => {
    const { orderId } = await bought(payments, [4900, 1999]);
    const issued = await textOfPdf(await pdfBytes(orderId));
    const [first, second] = await itemsOfOrder(orderId);
    await refundLine(orderId, first!.id, { amountCents: 1000, reason: 'test', source: 'admin' });
    expect(await textOfPdf(await pdfBytes(orderId))).toBe(issued);
    await refundLine(orderId, first!.id, { reason: 'test', source: 'admin' });
    await refundLine(orderId, second!.id, { reason: 'test', source: 'admin' });
    expect((await orderOf(orderId)).status).toBe('refunded');
    expect(await textOfPdf(await pdfBytes(orderId))).toBe(issued);
    expect(issued).toContain('Paid by card $68.99');
  });

  it('puts the address in place of a name that no font has', async () => {
    const guest = makeGuest({ firstName: '明', lastName: '李' });
    const { orderId } = await buyAsGuest(payments, guest);
    const text = await textOfPdf(await pdfBytes(orderId));
    expect(text).toContain(guest.buyer.email);
    expect(text).toContain('the invoice on our website shows them');
    expect(text).not.toContain('?\n');
  });

  it('goes on to further pages with many lines', async () => {
    const { orderId } = await bought(
      payments,
      Array.from({ length: 30 }, () => 1000),
    );
    const bytes = await pdfBytes(orderId);
    const parser = new PDFParse({ data: bytes.slice() });
    expect((await parser.getInfo()).total).toBeGreaterThan(1);
    await parser.destroy();
    expect(await textOfPdf(bytes)).toContain('Total (USD) $300.00');
  });

  it('is given to those who may see the order, and never kept on the way', async () => {
    const { buyer, orderId } = await bought(payments, [4900]);
    const mine = await getPdf(orderId, { withCookie: buyer.session });
    expect(mine.status).toBe(200);
    expect(mine.text.startsWith('%PDF-')).toBe(true);
    expect(mine.headers.get('content-type')).toBe('application/pdf');
    expect(mine.headers.get('cache-control')).toBe('no-store');
    expect(mine.headers.get('referrer-policy')).toBe('no-referrer');
    expect(mine.headers.get('x-robots-tag')).toBe('noindex');
    const other = await signIn(await makeUser());
    expect((await getPdf(orderId, { withCookie: other })).status).toBe(404);
    const signedOut = await getPdf(orderId);
    expect(signedOut.status).toBe(302);
    expect(signedOut.headers.get('location')).toBe(
      `/login?next=${encodeURIComponent(`/orders/${orderId}/invoice.pdf`)}`,
    );
    expect((await getPdf(2_000_000_000)).headers.get('location')).toContain('/login');
    const guest = makeGuest();
    const purchase = await buyAsGuest(payments, guest);
    const token = keyIn((await receiptTo(guest.buyer.email)).text)!;
    expect((await getPdf(purchase.orderId, { token })).status).toBe(200);
    expect((await getPdf(orderId, { token })).status).toBe(404);
  });

  it('is not there before the order is completed', async () => {
    const buyer = await makeBuyer(4900);
    const answer = await createIntent(buyer, 49);
    expect((await getPdf(answer.body.orderId, { withCookie: buyer.session })).status).toBe(404);
  });
});
