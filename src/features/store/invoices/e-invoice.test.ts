import { InvoiceService } from '@e-invoice-eu/core';
import { JSDOM } from 'jsdom';
import { describe, expect, it } from 'vitest';
import type { OrderView } from '#src/features/store/orders/order-view.ts';
import { decimalToCents } from '#src/shared/money.ts';
import { eInvoice, withEInvoice } from './e-invoice.server.ts';
import {
  type CreditNote,
  correctedInvoice,
  creditedInvoice,
  creditNotes,
  type InvoicedOrder,
} from './invoice.ts';
import { creditNotePdf, invoicePdf, quotePdf } from './invoice-pdf.server.ts';
import { seller } from './seller.server.ts';
import { linesOfParts, readOutPdf } from '../../../../tests/support/pdf.ts';

/** All elements below one by a path of local names. */
const all = (from: Element, path: string): Element[] =>
  path
    .split('/')
    .reduce<Element[]>(
      (found, name) =>
        found.flatMap((one) => [...one.children].filter(({ localName }) => localName === name)),
      [from],
    );
const texts = (from: Element, path: string) => all(from, path).map(({ textContent }) => textContent!.trim());
const has = (from: Element, path: string) => texts(from, path).some((text) => text !== '');
const cents = (from: Element, path: string) => decimalToCents(texts(from, path)[0] ?? '0') ?? Number.NaN;
const sum = (from: Element, path: string) =>
  texts(from, path).reduce((total, text) => total + (decimalToCents(text) ?? Number.NaN), 0);

const DOCUMENT = 'ExchangedDocument';
const TRADE = 'SupplyChainTradeTransaction';
const AGREEMENT = `${TRADE}/ApplicableHeaderTradeAgreement`;
const SELLER = `${AGREEMENT}/SellerTradeParty`;
const BUYER = `${AGREEMENT}/BuyerTradeParty`;
const SETTLEMENT = `${TRADE}/ApplicableHeaderTradeSettlement`;
const TOTALS = `${SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation`;
const MEANS = `${SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans`;
const VAT = `${SETTLEMENT}/ApplicableTradeTax`;
const LINE = `${TRADE}/IncludedSupplyChainTradeLineItem`;
const LINE_TOTAL =
  'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount';
const LINE_VAT = 'SpecifiedLineTradeSettlement/ApplicableTradeTax';
const PRICE = 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice';

const filled = (path: string) => (xml: Element) => has(xml, path);
const eachLine = (holds: (line: Element) => boolean) => (xml: Element) => all(xml, LINE).every(holds);
const idsOf = (xml: Element, party: string, scheme: string) =>
  all(xml, `${party}/SpecifiedTaxRegistration/ID`).filter((one) => one.getAttribute('schemeID') === scheme);
const inCategory = (code: string, holds: (xml: Element) => boolean) => (xml: Element) =>
  !texts(xml, `${VAT}/CategoryCode`).includes(code) || holds(xml);

/** The rules of EN 16931-1 that our invoices come under, by their names; the others are about what none of them has. */
const RULES: Record<string, (xml: Element) => boolean> = {
  'BR-01': filled('ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID'),
  'BR-02': filled(`${DOCUMENT}/ID`),
  'BR-03': filled(`${DOCUMENT}/IssueDateTime/DateTimeString`),
  'BR-04': (xml) => ['380', '381', '384'].includes(texts(xml, `${DOCUMENT}/TypeCode`)[0]!),
  'BR-05': filled(`${SETTLEMENT}/InvoiceCurrencyCode`),
  'BR-06': filled(`${SELLER}/Name`),
  'BR-07': filled(`${BUYER}/Name`),
  'BR-08': (xml) => all(xml, `${SELLER}/PostalTradeAddress`).length === 1,
  'BR-09': filled(`${SELLER}/PostalTradeAddress/CountryID`),
  'BR-10': (xml) => all(xml, `${BUYER}/PostalTradeAddress`).length === 1,
  'BR-11': filled(`${BUYER}/PostalTradeAddress/CountryID`),
  'BR-12': filled(`${TOTALS}/LineTotalAmount`),
  'BR-13': filled(`${TOTALS}/TaxBasisTotalAmount`),
  'BR-14': filled(`${TOTALS}/GrandTotalAmount`),
  'BR-15': filled(`${TOTALS}/DuePayableAmount`),
  'BR-16': (xml) => all(xml, LINE).length > 0,
  'BR-21': (xml) => {
    const ids = texts(xml, `${LINE}/AssociatedDocumentLineDocument/LineID`);
    return ids.length === all(xml, LINE).length && new Set(ids).size === ids.length && !ids.includes('');
  },
  'BR-22': eachLine((line) => has(line, 'SpecifiedLineTradeDelivery/BilledQuantity')),
  'BR-23': eachLine((line) =>
    all(line, 'SpecifiedLineTradeDelivery/BilledQuantity').every((one) => one.getAttribute('unitCode')),
  ),
  'BR-24': eachLine((line) => has(line, LINE_TOTAL)),
  'BR-25': eachLine((line) => has(line, 'SpecifiedTradeProduct/Name')),
  'BR-26': eachLine((line) => has(line, `${PRICE}/ChargeAmount`)),
  'BR-27': eachLine((line) => Number(texts(line, `${PRICE}/ChargeAmount`)[0]) >= 0),
  'BR-45': (xml) => all(xml, VAT).every((one) => has(one, 'BasisAmount')),
  'BR-46': (xml) => all(xml, VAT).every((one) => has(one, 'CalculatedAmount')),
  'BR-47': (xml) => all(xml, VAT).every((one) => has(one, 'CategoryCode')),
  'BR-48': (xml) =>
    all(xml, VAT).every((one) => has(one, 'RateApplicablePercent') || texts(one, 'CategoryCode')[0] === 'O'),
  'BR-49': (xml) => all(xml, MEANS).every((one) => has(one, 'TypeCode')),
  'BR-50 and BR-61': (xml) =>
    all(xml, MEANS).every(
      (one) => texts(one, 'TypeCode')[0] !== '30' || has(one, 'PayeePartyCreditorFinancialAccount/IBANID'),
    ),
  'BR-55': (xml) =>
    all(xml, `${SETTLEMENT}/InvoiceReferencedDocument`).every((one) => has(one, 'IssuerAssignedID')) &&
    (texts(xml, `${DOCUMENT}/TypeCode`)[0] === '380' || has(xml, `${SETTLEMENT}/InvoiceReferencedDocument`)),
  'BR-62 and BR-63': (xml) =>
    [SELLER, BUYER]
      .flatMap((party) => all(xml, `${party}/URIUniversalCommunication/URIID`))
      .every((one) => one.getAttribute('schemeID') === 'EM'),
  'BR-CO-03': (xml) => !(has(xml, `${VAT}/TaxPointDate`) && has(xml, `${VAT}/DueDateTypeCode`)),
  'BR-CO-04': eachLine((line) => has(line, `${LINE_VAT}/CategoryCode`)),
  'BR-CO-09': (xml) =>
    [SELLER, BUYER]
      .flatMap((party) => idsOf(xml, party, 'VA'))
      .every((one) => /^(EL|[A-Z]{2})/.test(one.textContent!)),
  'BR-CO-10': (xml) => cents(xml, `${TOTALS}/LineTotalAmount`) === sum(xml, `${LINE}/${LINE_TOTAL}`),
  'BR-CO-13': (xml) =>
    cents(xml, `${TOTALS}/TaxBasisTotalAmount`) ===
    cents(xml, `${TOTALS}/LineTotalAmount`) -
      cents(xml, `${TOTALS}/AllowanceTotalAmount`) +
      cents(xml, `${TOTALS}/ChargeTotalAmount`),
  'BR-CO-14': (xml) => cents(xml, `${TOTALS}/TaxTotalAmount`) === sum(xml, `${VAT}/CalculatedAmount`),
  'BR-CO-15': (xml) =>
    cents(xml, `${TOTALS}/GrandTotalAmount`) ===
    cents(xml, `${TOTALS}/TaxBasisTotalAmount`) + cents(xml, `${TOTALS}/TaxTotalAmount`),
  'BR-CO-16': (xml) =>
    cents(xml, `${TOTALS}/DuePayableAmount`) ===
    cents(xml, `${TOTALS}/GrandTotalAmount`) - cents(xml, `${TOTALS}/TotalPrepaidAmount`),
  'BR-CO-17': (xml) =>
    all(xml, VAT).every(
      (one) =>
        cents(one, 'CalculatedAmount') ===
        Math.round((cents(one, 'BasisAmount') * Number(texts(one, 'RateApplicablePercent')[0] ?? 0)) / 100),
    ),
  'BR-CO-18': (xml) => all(xml, VAT).length > 0,
  'BR-CO-25': (xml) =>
    cents(xml, `${TOTALS}/DuePayableAmount`) <= 0 ||
    has(xml, `${SETTLEMENT}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString`) ||
    has(xml, `${SETTLEMENT}/SpecifiedTradePaymentTerms/Description`),
  'BR-CO-26': (xml) =>
    has(xml, `${SELLER}/ID`) ||
    has(xml, `${SELLER}/GlobalID`) ||
    has(xml, `${SELLER}/SpecifiedLegalOrganization/ID`) ||
    idsOf(xml, SELLER, 'VA').length > 0,
  'BR-DEC': (xml) =>
    [TOTALS, VAT, `${LINE}/SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation`]
      .flatMap((path) => all(xml, path))
      .flatMap((one) => [...one.children].filter(({ localName }) => localName.endsWith('Amount')))
      .every((one) => /^-?\d+\.\d\d$/.test(one.textContent!.trim())),
  'BR-AE-01 and BR-O-01': (xml) => {
    const codes = new Set(texts(xml, `${LINE}/${LINE_VAT}/CategoryCode`));
    const [code, ...more] = texts(xml, `${VAT}/CategoryCode`);
    return more.length === 0 && codes.size === 1 && codes.has(code!) && ['AE', 'O'].includes(code!);
  },
  'BR-AE-02': inCategory(
    'AE',
    (xml) =>
      idsOf(xml, SELLER, 'VA').length + idsOf(xml, SELLER, 'FC').length > 0 &&
      idsOf(xml, BUYER, 'VA').length > 0,
  ),
  'BR-AE-05': inCategory(
    'AE',
    eachLine((line) => Number(texts(line, `${LINE_VAT}/RateApplicablePercent`)[0]) === 0),
  ),
  'BR-O-02': inCategory('O', (xml) => [SELLER, BUYER].every((party) => idsOf(xml, party, 'VA').length === 0)),
  'BR-O-05': inCategory(
    'O',
    eachLine((line) => !has(line, `${LINE_VAT}/RateApplicablePercent`)),
  ),
  'BR-AE-08 and BR-O-08': (xml) => sum(xml, `${VAT}/BasisAmount`) === sum(xml, `${LINE}/${LINE_TOTAL}`),
  'BR-AE-09 and BR-O-09': (xml) => sum(xml, `${VAT}/CalculatedAmount`) === 0,
  'BR-AE-10 and BR-O-10': filled(`${VAT}/ExemptionReason`),
  'a line is its price times its quantity': eachLine((line) => {
    const number = (path: string) => Number(texts(line, path)[0] ?? 1);
    const times = number('SpecifiedLineTradeDelivery/BilledQuantity') / number(`${PRICE}/BasisQuantity`);
    return Math.round(times * number(`${PRICE}/ChargeAmount`) * 100) === cents(line, LINE_TOTAL);
  }),
};

const BILLING = {
  company: 'Muster & Söhne GmbH',
  address: 'Hauptstraße 1\n10115 Berlin',
  country: 'DE',
  vatNumber: 'DE123456789',
  purchaseOrder: 'PO-7',
  costCentre: '',
};
const BUYERS = {
  'of the Union with a VAT number': BILLING,
  'of Greece': { ...BILLING, country: 'GR', vatNumber: 'EL123456789', company: 'Παράδειγμα <ΑΕ>' },
  'of the Union without a VAT number': { ...BILLING, vatNumber: '', purchaseOrder: '', costCentre: 'CC-42' },
  'of the same country': { ...BILLING, country: 'US', vatNumber: '123456789' },
  'with long names': { ...BILLING, company: 'Ü'.repeat(160), address: '長い住所\nb\nc\nd\ne\nf' },
};
const line = (title: string, seats: number | null, priceCents: number) => ({
  courseId: 1,
  title,
  bundleTitle: null,
  thumbnail: '',
  seats,
  fullPriceCents: null,
  listPriceCents: priceCents,
  priceCents,
  refundedCents: 0,
  isRefunded: false,
});
const LINES = {
  'one course': [line('Testing "well"', null, 4900)],
  'nothing to pay': [line('Free', null, 0)],
  'several after a coupon, one of them free': [
    line('A', null, 3333),
    line('B', null, 0),
    line('C', null, 1667),
  ],
  '10,000 seats at a lower step': [line('人'.repeat(200), 10_000, 39_990_000)],
  'seats that do not divide': [line('Rounded', 3, 10_000)],
};
const AT = '2026-01-31T09:30:00.000Z';

function order(billing: OrderView['billing'], lines: OrderView['lines'], bank: boolean): OrderView {
  const totalCents = lines.reduce((total, { priceCents }) => total + priceCents, 0);
  const prepaidCents = bank ? Math.floor(totalCents / 3) : totalCents;
  return {
    id: 7,
    status: 'completed',
    isPaid: !bank,
    isUnclear: false,
    createdAt: AT,
    completedAt: AT,
    invoiceNumber: 'INV-2026-000001',
    buyer: { name: 'Ada Byron', email: 'ada@example.com' },
    lines,
    totals: { subtotalCents: totalCents, coupon: null, taxCents: 0, totalCents, refundedCents: 0 },
    refunds: [
      {
        creditNoteNumber: 'CN-2026-000001',
        amountCents: 1,
        status: 'succeeded',
        title: null,
        seats: null,
        at: AT,
      },
      {
        creditNoteNumber: 'CN-2026-000002',
        amountCents: 10_000,
        status: 'succeeded',
        title: 'A',
        seats: 3,
        at: AT,
      },
    ],
    chargebacks: [{ creditNoteNumber: 'CN-2026-000003', amountCents: totalCents, at: AT }],
    payment: bank ? 'bank' : 'card',
    billing,
    correction: { number: 'INV-2026-000002', at: AT, billing: BILLING },
    organisationId: 1,
    seller: seller(),
    prepaidCents,
    bank: bank
      ? {
          receivedCents: prepaidCents,
          outstandingCents: totalCents - prepaidCents,
          dueAt: '2026-02-28T00:00:00.000Z',
          state: 'open',
          transfers: [],
        }
      : null,
    paymentState: '',
    agreed: null,
    story: [],
  } as OrderView;
}

const service = new InvoiceService({ log: () => {}, warn: () => {}, error: () => {} });

async function broken(view: InvoicedOrder, note: CreditNote | null): Promise<string[]> {
  // Checks the fields against the standard's schema, and throws where one does not fit.
  const xml = await service.generate(eInvoice(view, note), { format: 'CII', lang: 'en-us' });
  const { documentElement } = new JSDOM(String(xml), { contentType: 'application/xml' }).window.document;
  return Object.keys(RULES).filter((rule) => !RULES[rule]!(documentElement));
}

describe('an e-invoice holds to the rules of EN 16931', () => {
  const cases = Object.entries(BUYERS).flatMap(([who, billing]) =>
    Object.entries(LINES).map(([what, lines], index) => {
      // Each invoice takes the library a third of a second: every other one is by bank.
      const bank = (index + who.length) % 2 === 0;
      return [`${who}, ${what}, by ${bank ? 'bank' : 'card'}`, order(billing, lines, bank)] as const;
    }),
  );

  it.each(cases)('%s', async (_, view) => {
    expect(await broken(view, null)).toEqual([]);
  });

  it.each([false, true])('as a corrected invoice and as credit notes (by bank: %s)', async (bank) => {
    for (const billing of [BILLING, BUYERS['of the same country']]) {
      const view = order(billing, LINES['one course'], bank);
      expect(await broken(correctedInvoice(view)!, null)).toEqual([]);
      for (const note of creditNotes(view)) {
        expect(await broken(creditedInvoice(view, note), note)).toEqual([]);
      }
    }
  });
});

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
    const view = order(BILLING, LINES['one course'], true);
    const [note] = creditNotes(view);
    const invoice = await invoicePdf(view);
    const credit = await creditNotePdf(view, note!);
    const papers = [
      ['Invoice', invoice],
      ['Credit note', credit],
      ['Invoice', await withEInvoice(view, invoice)],
      ['Credit note', await withEInvoice(view, credit, note)],
    ] as const;
    for (const [kind, bytes] of papers) {
      const { parts, ...read } = await readOutPdf(bytes);
      expect(read).toMatchObject({ isTagged: true, showsTitle: true, outside: [] });
      expect(read.language).toMatch(/^en-us$/i);
      const lines = linesOfParts(parts).map((line) => line.replace(/: +/, ': '));
      expect(lines).toContain(`Document > H1: ${kind}`);
      expect(lines).toContain('Document > Table > TR > TH > P: Total (USD)');
    }
    expect((await readOutPdf(invoice)).title).toBe(`Invoice ${view.invoiceNumber}`);
  });
});
