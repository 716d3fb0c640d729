import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourseForSale, makeUser } from '../../support/factories.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { orders, refunds } from '#db/schema/store.ts';
import { invoiceFile, mailedPaper } from '#src/features/store/invoices/papers.server.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import { POST as releaseRoute } from '#src/pages/api/admin/orders/[id]/release.ts';
import { POST as transferRoute } from '#src/pages/api/admin/orders/[id]/transfer.ts';
import { POST as nameRoute } from '#src/pages/api/orders/[id]/billing.ts';
import { POST as openRoute } from '#src/pages/api/organisations.ts';
import { POST as invoiceRoute } from '#src/pages/api/organisations/[id]/invoice.ts';
import { deliverMail, drawPapersWith } from '#src/server/mail/mail.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { moveBack } from '../../support/move-back.ts';
import { expectOracle } from '../../support/oracle.ts';
import {
  checkOut,
  itemsOfOrder,
  makeBuyer,
  orderOf,
  type Payments,
  pay,
  startPayments,
} from '../../support/payments.ts';
import { textOfPdf } from '../../support/pdf.ts';

let payments: Payments;
let admin: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  payments = await startPayments();
  admin = await signIn(await makeAdmin());
});
afterAll(async () => {
  await expectOracle(payments.stripe);
  await payments.close();
});
afterEach(() => drawPapersWith(mailedPaper));
drawPapersWith(mailedPaper);

const BILLING = {
  company: 'Muster & Söhne GmbH',
  address: 'Musterweg 1\n10115 Berlin',
  country: 'DE',
  purchaseOrder: '',
  costCentre: '',
};

async function mailOf(template: string, recipient: string, index = 0) {
  const rows = await db()
    .select()
    .from(mailOutbox)
    .where(sql`template = ${template} and recipient = ${recipient}`)
    .orderBy(mailOutbox.id);
  return rows[index]!;
}

/** Sends a mail; gives its files by name, and null where it was not sent. */
async function send({ id }: { id: number }): Promise<Map<string, Buffer> | null> {
  await deliverMail.run({ outboxId: id }, { isLast: false });
  const folder = join(process.env.DATA_DIR!, 'mail');
  const name = (await readdir(folder).catch(() => [])).find((one) => one.startsWith(`outbox-${id}.`));
  if (!name) return null;
  const source = await readFile(join(folder, name), 'utf8');
  const parts = source.matchAll(/filename=(\S+\.pdf)[\s\S]*?\n\n([A-Za-z0-9+/=\n]+)\n--/g);
  return new Map([...parts].map(([, file, body]) => [file!, Buffer.from(body!, 'base64')]));
}

async function paidOrder() {
  const buyer = await makeBuyer(4900, 1999);
  const { orderId, intentId } = await checkOut(buyer);
  expect(await pay(payments, intentId)).toBe('succeeded');
  await payments.sandbox.control.settled();
  const order = await orderOf(orderId);
  return { buyer, order, receipt: await mailOf('receipt', order.buyerEmail) };
}

async function bankOrder() {
  const user = await makeUser({ emailVerifiedAt: new Date() });
  const as = await signIn(user);
  const { body } = await callRoute(openRoute, { as, body: { name: 'Example Ltd' } });
  const course = await makeCourseForSale({ priceCents: 5000 });
  const answer = await callRoute(invoiceRoute, {
    as,
    params: { id: String(body.id) },
    body: { lines: [{ courseId: course.id, seats: 4 }], amount: '200.00', billing: BILLING },
  });
  expect(answer.status, answer.text).toBe(200);
  return { email: user.email, orderId: answer.body.orderId as number };
}
const release = (orderId: number) =>
  callRoute(releaseRoute, { method: 'POST', as: admin, params: { id: String(orderId) } });
const transfer = (orderId: number, amount: string, change: object = {}) =>
  callRoute(transferRoute, {
    as: admin,
    params: { id: String(orderId) },
    body: {
      direction: 'in',
      amount,
      day: '2026-11-20',
      reference: 'Statement 7',
      requestKey: randomUUID(),
      ...change,
    },
  });

describe('the papers of an order go by mail', () => {
  it('an invoice with the receipt of a private buyer', async () => {
    const { order, receipt } = await paidOrder();
    const files = await send(receipt);
    expect([...files!.keys()]).toEqual([`${order.invoiceNumber}.pdf`]);
    const [bytes] = [...files!.values()];
    expect(bytes!.equals((await invoiceFile(order))!.bytes)).toBe(true);
  });

  it('the invoice of an order by bank transfer, and its credit note', async () => {
    const { email, orderId } = await bankOrder();
    expect((await mailOf('bank-order', email)).papers).toBeNull();
    expect((await release(orderId)).status).toBe(200);
    const { invoiceNumber } = await orderOf(orderId);
    const files = await send(await mailOf('receipt', email));
    expect(await textOfPdf(files!.get(`${invoiceNumber}.pdf`)!)).toContain(BILLING.company);
    const [line] = await itemsOfOrder(orderId);
    await refundLine(orderId, line!.id, { reason: 'Fewer', seats: 1, source: 'admin' });
    const [refund] = await db().select().from(refunds).where(eq(refunds.orderId, orderId));
    const credit = await send(await mailOf('refund', email));
    expect([...credit!.keys()]).toEqual([`${refund!.creditNoteNumber}.pdf`]);
    expect(await textOfPdf(credit!.get(`${refund!.creditNoteNumber}.pdf`)!)).toContain('-$50.00');
  });

  it('a credit note for what went back to a card', async () => {
    const { order } = await paidOrder();
    const [line] = await itemsOfOrder(order.id);
    await refundLine(order.id, line!.id, { reason: 'test', source: 'admin' });
    await payments.sandbox.control.settled();
    const [refund] = await db().select().from(refunds).where(eq(refunds.orderId, order.id));
    const files = await send(await mailOf('refund', order.buyerEmail));
    expect([...files!.keys()]).toEqual([`${refund!.creditNoteNumber}.pdf`]);
  });

  it('a corrected invoice with a mail of its own, once', async () => {
    const { buyer, order } = await paidOrder();
    const name = () =>
      callRoute(nameRoute, { as: buyer.session, params: { id: String(order.id) }, body: BILLING });
    const answers = [await name(), await name()];
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    const { correction } = await orderOf(order.id);
    const files = await send(await mailOf('corrected-invoice', order.buyerEmail));
    expect([...files!.keys()]).toEqual([`${correction!.number}.pdf`]);
    const text = await textOfPdf(files!.get(`${correction!.number}.pdf`)!);
    for (const part of ['Corrected invoice', order.invoiceNumber!, BILLING.company])
      expect(text).toContain(part);
    expect(await mailOf('corrected-invoice', order.buyerEmail, 1)).toBeUndefined();
  });

  it('no mail goes without its paper: it is tried again', async () => {
    const { receipt } = await paidOrder();
    drawPapersWith(() => Promise.reject(new Error('no ink')));
    expect(await send(receipt)).toBeNull();
    const [row] = await db().select().from(mailOutbox).where(eq(mailOutbox.id, receipt.id));
    expect(row).toMatchObject({ status: 'queued', attempts: 1, lastError: 'no ink' });
    // Nor one whose paper does not exist.
    drawPapersWith(mailedPaper);
    await db()
      .update(mailOutbox)
      .set({ papers: [{ kind: 'credit-note', id: 999_999 }] })
      .where(eq(mailOutbox.id, receipt.id));
    await moveBack(mailOutbox, eq(mailOutbox.id, receipt.id), { dueAt: { seconds: 60 } });
    expect(await send(receipt)).toBeNull();
    await db().update(mailOutbox).set({ papers: receipt.papers }).where(eq(mailOutbox.id, receipt.id));
    await moveBack(mailOutbox, eq(mailOutbox.id, receipt.id), { dueAt: { seconds: 60 } });
    expect((await send(receipt))!.size).toBe(1);
  });
});

describe('a transfer that is written down is told of', () => {
  const received = (email: string, index: number) => mailOf('payment-received', email, index);

  it('with what came in and what is still open, once, and to the end', async () => {
    const { email, orderId } = await bankOrder();
    const requestKey = randomUUID();
    await transfer(orderId, '50.00', { requestKey });
    await transfer(orderId, '50.00', { requestKey });
    const first = await received(email, 0);
    for (const part of ['Received: $50.00', 'Still to be paid: $150.00', `order ${orderId}`])
      expect(first.text).toContain(part);
    expect(first.text).not.toContain('paid in full');
    expect(await received(email, 1)).toBeUndefined();
    await transfer(orderId, '150.00');
    const { invoiceNumber } = await orderOf(orderId);
    const last = await received(email, 1);
    for (const part of ['Received: $150.00', 'Still to be paid: $0.00', 'paid in full', invoiceNumber!])
      expect(last.text).toContain(part);
    await transfer(orderId, '10.00');
    expect((await received(email, 2)).text).toContain('$10.00 of it is more than the order costs');
    await transfer(orderId, '10.00', { direction: 'out' });
    expect(await received(email, 3)).toBeUndefined();
  });

  it('also where the order was closed and does not open', async () => {
    const { email, orderId } = await bankOrder();
    await db().update(orders).set({ status: 'expired' }).where(eq(orders.id, orderId));
    await transfer(orderId, '50.00');
    const { text } = await received(email, 0);
    expect(text).toContain('The order was closed');
    expect(text).not.toContain('Still to be paid');
    await transfer(orderId, '150.00');
    expect((await received(email, 1)).text).toContain('paid in full');
  });
});
