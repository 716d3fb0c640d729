import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { refunds } from '#db/schema/store.ts';
import { findOrder, type Order } from '#src/features/store/orders/orders.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';
import type { MailPaper } from '#src/server/mail/mail.ts';
import { drawPaper } from './draw-paper.server.ts';
import { correctedInvoice, creditedInvoice, creditNotes } from './invoice.ts';

export type PaperFile = { name: string; bytes: Uint8Array<ArrayBuffer> };

/** A proforma before the release; null where there is neither. */
export async function invoiceFile(order: Order): Promise<PaperFile | null> {
  const isIssued = order.invoiceNumber !== null && order.completedAt !== null;
  if (!isIssued && (order.payment !== 'bank' || order.status !== 'pending')) return null;
  const bytes = await drawPaper({ view: await readOrderView(order), note: null });
  return { name: order.invoiceNumber ?? `proforma-${order.id}`, bytes };
}

export async function correctedInvoiceFile(order: Order): Promise<PaperFile | null> {
  const view = correctedInvoice(await readOrderView(order));
  return view && { name: view.invoiceNumber!, bytes: await drawPaper({ view, note: null }) };
}

export async function creditNoteFile(
  order: Order,
  wanted: string | null | undefined,
): Promise<PaperFile | null> {
  const first = await readOrderView(order);
  const note = creditNotes(first).find(({ number }) => number === wanted);
  if (!note) return null;
  return { name: note.number, bytes: await drawPaper({ view: creditedInvoice(first, note), note }) };
}

/** @throws where there is none, so that the mail is not sent without it */
export async function mailedPaper({ kind, id }: MailPaper): Promise<PaperFile> {
  const file = kind === 'credit-note' ? await creditNoteOfRefund(id) : await invoiceOf(kind, id);
  if (!file) throw new Error(`There is no ${kind} of ${id}.`);
  return file;
}

async function invoiceOf(kind: 'invoice' | 'corrected-invoice', orderId: number): Promise<PaperFile | null> {
  const order = await findOrder(orderId);
  if (!order?.invoiceNumber) return null;
  return kind === 'invoice' ? invoiceFile(order) : correctedInvoiceFile(order);
}

async function creditNoteOfRefund(refundId: number): Promise<PaperFile | null> {
  const [refund] = await db().select().from(refunds).where(eq(refunds.id, refundId));
  const order = refund?.creditNoteNumber ? await findOrder(refund.orderId) : null;
  return order && creditNoteFile(order, refund!.creditNoteNumber);
}
