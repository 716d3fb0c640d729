import { describe, expect, it } from 'vitest';
import type { OrderView } from '#src/features/store/orders/order-view.ts';
import { creditNotes } from './invoice.ts';
import { creditNotePdf, invoicePdf, quotePdf } from './invoice-pdf.server.ts';
import { seller } from './seller.server.ts';
import { linesOfParts, readOutPdf } from '../../../../tests/support/pdf.ts';

const AT = '2026-01-31T09:30:00.000Z';

/** An order by bank of which a part is paid, and a part refunded. */
const ORDER: OrderView = {
  id: 7,
  status: 'completed',
  isPaid: false,
  isUnclear: false,
  createdAt: AT,
  completedAt: AT,
  invoiceNumber: 'INV-2026-000001',
  buyer: { name: 'Ada Byron', email: 'ada@example.com' },
  lines: [
    {
      courseId: 1,
      title: 'Testing "well"',
      bundleTitle: null,
      thumbnail: '',
      seats: null,
      fullPriceCents: null,
      listPriceCents: 4900,
      priceCents: 4900,
      refundedCents: 0,
      isRefunded: false,
    },
  ],
  totals: { subtotalCents: 4900, coupon: null, taxCents: 0, totalCents: 4900, refundedCents: 1 },
  refunds: [
    {
      creditNoteNumber: 'CN-2026-000001',
      amountCents: 1,
      status: 'succeeded',
      title: null,
      seats: null,
      at: AT,
    },
  ],
  chargebacks: [],
  payment: 'bank',
  billing: {
    company: 'Muster & Söhne GmbH',
    address: 'Hauptstraße 1\n10115 Berlin',
    country: 'DE',
    vatNumber: 'DE123456789',
    purchaseOrder: 'PO-7',
    costCentre: '',
  },
  correction: null,
  organisationId: 1,
  seller: seller(),
  prepaidCents: 1633,
  bank: {
    receivedCents: 1633,
    outstandingCents: 3267,
    dueAt: '2026-02-28T00:00:00.000Z',
    state: 'open',
    transfers: [],
  },
  paymentState: '',
  story: [],
  refundRequest: null,
  promise: null,
};

describe('a paper is read out', () => {
  const quote = (lines: number) =>
    quotePdf({
      number: 'Q-2026-000001',
      lines: Array.from({ length: lines }, (_, at) => ({
        ...{ of: `course ${at + 1}`, title: `Course ${at + 1}`, courses: [] },
        ...{ unitCents: 5000, seats: 2 },
      })),
      billedTo: ['Ada Lovelace', '1 Example Street'],
      taxCents: 0,
      madeAt: new Date('2026-05-01T10:00:00Z'),
      validUntil: new Date('2026-06-01T10:00:00Z'),
    });

  it('part by part, in the order in which it is understood', async () => {
    const { parts, ...read } = await readOutPdf(await quote(1));
    expect(read).toEqual({
      isTagged: true,
      showsTitle: true,
      title: 'Quote Q-2026-000001',
      language: 'en-US',
      outside: [],
    });
    const lines = linesOfParts(parts).map((line) => line.replace(/: +/, ': '));
    expect(lines.slice(0, 3)).toEqual([
      `Document > P: ${seller().name}`,
      'Document > H1: Quote',
      'Document > H2: From',
    ]);
    expect(lines.slice(lines.indexOf('Document > H2: Billed to'), -4)).toEqual([
      'Document > H2: Billed to',
      'Document > P: Ada Lovelace',
      'Document > P: 1 Example Street',
      'Document > Table > TR > TH > P: Description',
      'Document > Table > TR > TH > P: Amount',
      'Document > Table > TR > TD > P: Course 1',
      'Document > Table > TR > TD > P: 2 seats at $50.00, lifetime access for one person each',
      'Document > Table > TR > TD > P: $100.00',
      'Document > Table > TR > TH > P: Tax',
      'Document > Table > TR > TD > P: $0.00',
      'Document > Table > TR > TH > P: Total (USD)',
      'Document > Table > TR > TD > P: $100.00',
    ]);
  });

  it('over as many pages as it has', async () => {
    const { parts, outside } = await readOutPdf(await quote(40));
    expect(parts.length).toBeGreaterThan(1);
    expect(outside).toEqual([]);
    expect(linesOfParts(parts).filter((line) => line.includes('TD > P: Course '))).toHaveLength(40);
  });

  it('as an invoice and as a credit note', async () => {
    const [note] = creditNotes(ORDER);
    const papers = [
      ['Invoice', ORDER.invoiceNumber, await invoicePdf(ORDER)],
      ['Credit note', note!.number, await creditNotePdf(ORDER, note!)],
    ] as const;
    for (const [kind, number, bytes] of papers) {
      const { parts, ...read } = await readOutPdf(bytes);
      expect(read).toEqual({
        isTagged: true,
        showsTitle: true,
        title: `${kind} ${number}`,
        language: 'en-US',
        outside: [],
      });
      const lines = linesOfParts(parts).map((line) => line.replace(/: +/, ': '));
      expect(lines).toContain(`Document > H1: ${kind}`);
      expect(lines).toContain('Document > Table > TR > TH > P: Total (USD)');
    }
  });
});
