import { longDay } from '#src/shared/dates.ts';
import type { quotes } from '#db/schema/store.ts';
import type { OrderView } from '#src/features/store/orders/order-view.ts';
import { formatCents } from '#src/shared/money.ts';
import type { Seller } from './billing.ts';
import {
  aboutLine,
  billedTo,
  type CreditNote,
  discountLine,
  type InvoicedOrder,
  type InvoiceFigure,
  invoiceFigures,
  paperNotes,
  referencesOf,
  seatsAt,
} from './invoice.ts';
import { runsOf } from './invoice-fonts.server.ts';
import { INK, type Pdf, SPARK, startPdf, type Style } from './pdf.server.ts';
import { quoteTerms, seller } from './seller.server.ts';

const SOFT = '#445069';
const LINE = '#d8d2c5';
/** Points: a letter page with margins of three quarters of an inch. */
const PAGE = { width: 612, height: 792, margin: 54 };
const RIGHT = PAGE.width - PAGE.margin;
const COLUMN = RIGHT - PAGE.margin;
const HALF = PAGE.margin + COLUMN / 2 + 20;
const AMOUNT_WIDTH = 90;

interface Paper {
  from: Seller;
  kind: 'Invoice' | 'Corrected invoice' | 'Proforma invoice' | 'Quote' | 'Credit note';
  name: string;
  subject: string;
  date: Date;
  facts: { label: string; value: string }[];
  billedTo: string[];
  lines: { title: string; about: string; discount?: string | null; amount: string }[];
  figures: InvoiceFigure[];
  notes: string[];
}

/**
 * As issued, without later payments and credits; a proforma before the release. The same invoice gives the same
 * bytes.
 */
export function invoicePdf(view: InvoicedOrder): Promise<Uint8Array<ArrayBuffer>> {
  const isIssued = view.invoiceNumber !== null && view.completedAt !== null;
  const date = isIssued ? view.completedAt! : view.createdAt;
  return draw({
    from: view.seller,
    kind: view.corrects ? 'Corrected invoice' : isIssued ? 'Invoice' : 'Proforma invoice',
    name: isIssued ? `Invoice ${view.invoiceNumber}` : `Proforma invoice for order ${view.id}`,
    subject: `Order ${view.id}`,
    date: new Date(date),
    facts: [
      ...(isIssued ? [{ label: 'Invoice number', value: view.invoiceNumber! }] : []),
      { label: 'Date', value: longDay(date) },
      ...(view.corrects
        ? [
            { label: 'In place of', value: view.corrects.number },
            { label: 'Issued on', value: longDay(view.corrects.at) },
          ]
        : []),
      { label: 'Order', value: `#${view.id}` },
      ...(view.bank?.dueAt ? [{ label: 'Due', value: longDay(view.bank.dueAt) }] : []),
      ...referencesOf(view),
    ],
    billedTo: billedTo(view),
    lines: view.lines.map((line) => ({
      title: line.title,
      about: aboutLine(line),
      discount: discountLine(line),
      amount: formatCents(line.listPriceCents),
    })),
    figures: invoiceFigures(view),
    notes: [
      ...paperNotes(view, view.seller.bank, view.totals.totalCents - view.prepaidCents),
      ...(isIssued ? [] : ['This is no invoice: it is issued when the seats open.']),
    ],
  });
}

export function creditNotePdf(view: OrderView, note: CreditNote): Promise<Uint8Array<ArrayBuffer>> {
  const { number, seats, amountCents } = note;
  const amount = amountCents === 0 ? formatCents(0) : `-${formatCents(amountCents)}`;
  return draw({
    from: view.seller,
    kind: 'Credit note',
    name: `Credit note ${number}`,
    subject: `Order ${view.id}`,
    date: new Date(note.at),
    facts: [
      { label: 'Credit note number', value: number },
      { label: 'Date', value: longDay(note.at) },
      { label: 'For invoice', value: view.invoiceNumber! },
      { label: 'Invoice date', value: longDay(view.completedAt!) },
      ...referencesOf(view),
    ],
    billedTo: billedTo(view),
    lines: [
      {
        title: note.text,
        about: `${seats ? `${seatsAt(seats, amountCents)}, ` : ''}order #${view.id}`,
        amount,
      },
    ],
    figures: [
      { label: 'Tax', value: formatCents(0) },
      { label: 'Total (USD)', value: amount, isTotal: true },
    ],
    notes: paperNotes(view, view.seller.bank, 0),
  });
}

/** The same quote gives the same bytes. */
export function quotePdf(
  quote: Pick<
    typeof quotes.$inferSelect,
    'number' | 'lines' | 'billedTo' | 'taxCents' | 'madeAt' | 'validUntil'
  >,
): Promise<Uint8Array<ArrayBuffer>> {
  const { number, lines, billedTo: named, taxCents, madeAt } = quote;
  const netCents = lines.reduce((sum, { unitCents, seats }) => sum + unitCents * seats, 0);
  const until = longDay(quote.validUntil);
  return draw({
    from: seller(),
    kind: 'Quote',
    name: `Quote ${number}`,
    subject: lines.map(({ title }) => title).join(', '),
    date: madeAt,
    facts: [
      { label: 'Quote number', value: number },
      { label: 'Date', value: longDay(madeAt) },
      { label: 'Valid until', value: until },
    ],
    billedTo: named,
    lines: lines.map(({ title, courses, seats, unitCents }) => ({
      title,
      about: [
        aboutLine({ bundleTitle: null, seats, listPriceCents: unitCents * seats }),
        ...(courses.length > 0 ? [`each with ${courses.join(', ')}`] : []),
      ].join(', '),
      amount: formatCents(unitCents * seats),
    })),
    figures: [
      { label: 'Tax', value: formatCents(taxCents) },
      { label: 'Total (USD)', value: formatCents(netCents + taxCents), isTotal: true },
    ],
    notes: [
      `An order of these seats until ${until} costs this at most, whatever they cost then. This is an offer, no invoice: nothing is to be paid before an order.`,
      ...quoteTerms().terms,
    ],
  });
}

const rule = ({ doc, decorate }: Pdf, y: number, color = LINE) =>
  decorate(() => doc.moveTo(PAGE.margin, y).lineTo(RIGHT, y).lineWidth(0.75).strokeColor(color).stroke());

function room({ doc }: Pdf, y: number, height: number): number {
  if (y + height <= PAGE.height - PAGE.margin - 30) return y;
  doc.addPage();
  return PAGE.margin;
}

async function draw(paper: Paper): Promise<Uint8Array<ArrayBuffer>> {
  const { from } = paper;
  const pdf = await startPdf({
    layout: 'portrait',
    margin: PAGE.margin,
    title: paper.name,
    author: from.legalName,
    subject: paper.subject,
    date: paper.date,
  });
  const { paragraph: write } = pdf;
  const head = drawHead(pdf, paper);
  let y = drawLines(pdf, paper, head.y);
  for (const note of paper.notes) y = write(note, PAGE.margin, room(pdf, y + 14, 40), COLUMN, { size: 9.5 });
  y = room(pdf, y + 20, 50);
  const isComplete = pdf.isComplete() && head.isNameDrawn;
  write(
    `All amounts are in US dollars. Questions about this ${paper.kind.toLowerCase()}? Write to ${from.email} and name its number.${isComplete ? '' : ' Some characters cannot be drawn in this file; the invoice on our website shows them.'}`,
    PAGE.margin,
    y,
    COLUMN,
    { size: 9, color: SOFT },
  );
  return pdf.finish();
}

function drawHead(pdf: Pdf, paper: Paper): { y: number; isNameDrawn: boolean } {
  const { doc, part, paragraph: write, lineTo: writeTo } = pdf;
  const { from } = paper;
  pdf.decorate(() => doc.circle(PAGE.margin + 4, PAGE.margin + 9, 4).fill(SPARK));
  write(from.name, PAGE.margin + 15, PAGE.margin + 1, COLUMN / 2, { size: 14, weight: 600 });
  part('H1', () => writeTo(paper.kind, RIGHT, PAGE.margin - 2, { size: 20, weight: 600 }));
  let y = PAGE.margin + 44;
  let left = part('H2', () => write('From', PAGE.margin, y, 220, { size: 8.5, color: SOFT })) + 1;
  left = write(from.legalName, PAGE.margin, left, 220, { weight: 600 });
  for (const text of [...from.address, from.email, from.phone, `Tax number ${from.taxId}`])
    left = write(text, PAGE.margin, left, 220);
  let right = y;
  part('Table', () => {
    for (const { label, value } of paper.facts) {
      part('TR', () => {
        part('TH', () => write(label, HALF, right, 110, { color: SOFT }), { scope: 'Row' });
        part('TD', () => writeTo(value, RIGHT, right, { weight: 600 }));
      });
      right += 17;
    }
  });
  y = Math.max(left, right) + 18;
  y = part('H2', () => write('Billed to', PAGE.margin, y, COLUMN, { size: 8.5, color: SOFT })) + 1;
  // A name that no font has in full is left out; the line below moves up.
  const drawn = paper.billedTo.filter((text) => runsOf(text, 600).isComplete);
  drawn.forEach((text, index) => {
    y = write(text, PAGE.margin, y, COLUMN, index === 0 ? { weight: 600 } : {});
  });
  return { y: y + 20, isNameDrawn: drawn.length === paper.billedTo.length };
}

function drawLines(pdf: Pdf, paper: Paper, top: number): number {
  const { part, paragraph: write, lineTo: writeTo } = pdf;
  let y = top;
  part('Table', () => {
    part('TR', () => {
      const scope = 'Column';
      part('TH', () => write('Description', PAGE.margin, y, 200, { size: 8.5, color: SOFT }), { scope });
      part('TH', () => writeTo('Amount', RIGHT, y, { size: 8.5, color: SOFT }), { scope });
    });
    y += 16;
    rule(pdf, y, INK);
    for (const line of paper.lines) {
      y = room(pdf, y + 9, 40);
      part('TR', () => {
        const described = pdf.begin('TD');
        // Before the description, which may go on on the next page.
        part('TD', () => writeTo(line.amount, RIGHT, y));
        pdf.inPart(described, () => {
          y = write(line.title, PAGE.margin, y, COLUMN - AMOUNT_WIDTH, { weight: 600 });
          for (const text of [line.about, line.discount])
            if (text) y = write(text, PAGE.margin, y, COLUMN - AMOUNT_WIDTH, { size: 9, color: SOFT });
        });
      });
      y += 5;
      rule(pdf, y);
    }
  });
  y = room(pdf, y + 12, 110);
  part('Table', () => {
    for (const { label, value, isTotal } of paper.figures) {
      const style: Style = isTotal ? { weight: 600, size: 12 } : {};
      part('TR', () => {
        const soft = isTotal ? {} : { color: SOFT };
        part('TH', () => write(label, HALF, y, 160, { ...style, ...soft }), { scope: 'Row' });
        part('TD', () => writeTo(value, RIGHT, y, style));
      });
      y += isTotal ? 22 : 17;
    }
  });
  return y;
}
