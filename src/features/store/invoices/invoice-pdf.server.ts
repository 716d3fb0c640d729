import { formatCents } from '#src/shared/money.ts';
import { creditNotes, invoiceDate, invoiceFigures } from './invoice.ts';
import { runsOf } from './invoice-fonts.server.ts';
import { INK, SPARK, startPdf, type Style } from './pdf.server.ts';
import type { OrderView } from '#src/features/store/orders/order-view.ts';
import { seller } from './seller.server.ts';

const SOFT = '#445069';
const LINE = '#d8d2c5';
/** Points: a letter page with three quarters of an inch around. */
const PAGE = { width: 612, height: 792, margin: 54 };
const RIGHT = PAGE.width - PAGE.margin;
const COLUMN = RIGHT - PAGE.margin;
const AMOUNT_WIDTH = 90;

/**
 * Draws an order's invoice as a PDF. The same order in the same state gives the same bytes.
 *
 * @param view a fulfilled order
 */
export async function invoicePdf(view: OrderView): Promise<Uint8Array<ArrayBuffer>> {
  const from = seller();
  const pdf = await startPdf({
    layout: 'portrait',
    margin: PAGE.margin,
    title: `Invoice ${view.invoiceNumber}`,
    author: from.legalName,
    subject: `Order ${view.id}`,
    date: new Date(view.completedAt!),
  });
  const { doc, paragraph: write, lineTo: writeTo } = pdf;
  const rule = (y: number, color = LINE) =>
    doc.moveTo(PAGE.margin, y).lineTo(RIGHT, y).lineWidth(0.75).strokeColor(color).stroke();
  /** Goes to the next page where this much does not fit any more. */
  const room = (y: number, height: number): number => {
    if (y + height <= PAGE.height - PAGE.margin - 30) return y;
    doc.addPage();
    return PAGE.margin;
  };

  // Head: who sells, and what this is.
  doc.circle(PAGE.margin + 4, PAGE.margin + 9, 4).fill(SPARK);
  write(from.name, PAGE.margin + 15, PAGE.margin + 1, COLUMN / 2, { size: 14, weight: 600 });
  writeTo('Invoice', RIGHT, PAGE.margin - 2, { size: 20, weight: 600 });
  let y = PAGE.margin + 44;
  const half = PAGE.margin + COLUMN / 2 + 20;
  let left = write('From', PAGE.margin, y, 220, { size: 8.5, color: SOFT }) + 1;
  left = write(from.legalName, PAGE.margin, left, 220, { weight: 600 });
  for (const text of [...from.address, from.email, from.phone]) left = write(text, PAGE.margin, left, 220);
  let right = y;
  for (const [label, value] of [
    ['Invoice number', view.invoiceNumber ?? ''],
    ['Date', invoiceDate(view.completedAt!)],
    ['Order', `#${view.id}`],
  ] as const) {
    write(label, half, right, 100, { color: SOFT });
    writeTo(value, RIGHT, right, { weight: 600 });
    right += 17;
  }
  y = Math.max(left, right) + 18;
  y = write('Billed to', PAGE.margin, y, COLUMN, { size: 8.5, color: SOFT }) + 1;
  // Half a name is nobody's: a name that no font has in full leaves its place to the address.
  const isNameDrawn = view.buyer.name !== '' && runsOf(view.buyer.name, 600).isComplete;
  if (isNameDrawn) y = write(view.buyer.name, PAGE.margin, y, COLUMN, { weight: 600 });
  y = write(view.buyer.email, PAGE.margin, y, COLUMN, isNameDrawn ? {} : { weight: 600 });
  const isComplete = () => pdf.isComplete() && (isNameDrawn || view.buyer.name === '');

  // Lines.
  y += 20;
  write('Description', PAGE.margin, y, 200, { size: 8.5, color: SOFT });
  writeTo('Amount', RIGHT, y, { size: 8.5, color: SOFT });
  y += 16;
  rule(y, INK);
  for (const line of view.lines) {
    y = room(y + 9, 40);
    writeTo(formatCents(line.listPriceCents), RIGHT, y);
    y = write(line.title, PAGE.margin, y, COLUMN - AMOUNT_WIDTH, { weight: 600 });
    const bundle = line.bundleTitle === null ? '' : `Bundle “${line.bundleTitle}”: `;
    y = write(`${bundle}Online course, lifetime access`, PAGE.margin, y, COLUMN - AMOUNT_WIDTH, {
      size: 9,
      color: SOFT,
    });
    y += 5;
    rule(y);
  }

  // Figures.
  y = room(y + 12, 110);
  for (const { label, value, isTotal } of invoiceFigures(view)) {
    const style: Style = isTotal ? { weight: 600, size: 12 } : {};
    write(label, half, y, 160, { ...style, ...(isTotal ? {} : { color: SOFT }) });
    writeTo(value, RIGHT, y, style);
    y += isTotal ? 22 : 17;
  }

  const credits = creditNotes(view);
  if (credits) {
    y = room(y + 16, 60 + credits.notes.length * 30);
    y = write('Credit notes', PAGE.margin, y, COLUMN, { size: 12, weight: 600 }) + 4;
    rule(y);
    for (const note of credits.notes) {
      y = room(y + 8, 34);
      writeTo(note.amount, RIGHT, y);
      y = write(note.text, PAGE.margin, y, COLUMN - AMOUNT_WIDTH);
      const about = [note.number, note.at && invoiceDate(note.at)].filter(Boolean).join(', ');
      y = write(about, PAGE.margin, y, COLUMN - AMOUNT_WIDTH, { size: 9, color: SOFT });
    }
    y += 10;
    write('Total after credit notes', half, y, 160, { weight: 600 });
    writeTo(credits.leftToBuyer, RIGHT, y, { weight: 600 });
    y += 18;
  }

  // Foot.
  y = room(y + 20, 50);
  write(
    `All amounts are in US dollars. Questions about this invoice? Write to ${from.email} and name its number.${isComplete() ? '' : ' Some characters cannot be drawn in this file; the invoice on our website shows them.'}`,
    PAGE.margin,
    y,
    COLUMN,
    { size: 9, color: SOFT },
  );
  return pdf.finish();
}
