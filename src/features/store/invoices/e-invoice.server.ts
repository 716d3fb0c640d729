import type { Invoice } from '@e-invoice-eu/core';
import type { OrderView } from '#src/features/store/orders/order-view.ts';
import { log } from '#src/server/log.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import type { CreditNote, InvoicedOrder } from './invoice.ts';
import { TAX_NOTES, taxedBuyer, taxOn } from './tax.ts';

/** Codes of EN 16931: an invoice, a corrected one, a credit note, a bank card and a transfer as ways to pay, and "piece". */
const INVOICE = '380';
const CORRECTED = '384';
const CREDIT_NOTE = '381';
const BY_CARD = '48';
const BY_TRANSFER = '30';
const PIECE = 'C62';

type Fields = Invoice['ubl:Invoice'];

/** What differs between an invoice and a credit note of it; amounts in cents. */
interface Figures {
  number: string;
  at: string;
  totalCents: number;
  taxCents: number;
  prepaidCents: number;
  lines: { title: string; seats: number | null; priceCents: number }[];
}

function figuresOf(view: OrderView, note: CreditNote | null): Figures {
  if (!note) {
    const { invoiceNumber, completedAt, totals, prepaidCents, lines } = view;
    return { ...totals, number: invoiceNumber!, at: completedAt!, prepaidCents, lines };
  }
  const { number, at, text, seats, amountCents } = note;
  return {
    number,
    at,
    totalCents: amountCents,
    taxCents: 0,
    // To a card the money has gone back; off an invoice by bank it is less to pay.
    prepaidCents: view.bank ? 0 : amountCents,
    lines: [{ title: text, seats, priceCents: amountCents }],
  };
}

/**
 * An invoice's figures, or those of a credit note of it, in the terms of the European standard EN 16931, from which its XML
 * is made. Amounts are decimal strings of the order's currency.
 *
 * @param view a completed order with billing details
 */
export function eInvoice(view: InvoicedOrder, credit: CreditNote | null = null): Invoice {
  const { number, at, totalCents, taxCents, prepaidCents, lines } = figuresOf(view, credit);
  const from = view.seller;
  /** The invoice that this paper is about. */
  const before = credit ? { number: view.invoiceNumber!, at: view.completedAt! } : view.corrects;
  const billing = view.billing!;
  const [street = '', ...further] = billing.address.split('\n');
  const { note } = taxOn(totalCents, taxedBuyer(billing));
  // AE is the reverse charge; O says that no tax applies, and then a VAT number may not be named.
  const category = note === 'reverse_charge' ? 'AE' : 'O';
  const percent = category === 'AE' ? { 'cbc:Percent': '0' } : {};
  const scheme = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };
  const net = centsToDecimal(totalCents - taxCents);
  const tax = centsToDecimal(taxCents);
  const total = centsToDecimal(totalCents);
  const amount = <Name extends string>(name: Name, value: string) =>
    ({ [name]: value, [`${name}@currencyID`]: 'USD' }) as Record<Name | `${Name}@currencyID`, string>;
  const fields = {
    'cbc:CustomizationID': 'urn:cen.eu:en16931:2017',
    'cbc:ID': number,
    'cbc:IssueDate': at.slice(0, 10),
    ...(!credit && view.bank?.dueAt ? { 'cbc:DueDate': view.bank.dueAt.slice(0, 10) } : {}),
    'cbc:InvoiceTypeCode': credit ? CREDIT_NOTE : view.corrects ? CORRECTED : INVOICE,
    ...(note ? { 'cbc:Note': [TAX_NOTES[note]] } : {}),
    'cbc:DocumentCurrencyCode': 'USD',
    'cbc:BuyerReference': billing.costCentre || `Order ${view.id}`,
    ...(billing.purchaseOrder ? { 'cac:OrderReference': { 'cbc:ID': billing.purchaseOrder } } : {}),
    ...(before
      ? {
          'cac:BillingReference': [
            {
              'cac:InvoiceDocumentReference': {
                'cbc:ID': before.number,
                'cbc:IssueDate': before.at.slice(0, 10),
              },
            },
          ],
        }
      : {}),
    'cac:AccountingSupplierParty': {
      'cac:Party': {
        'cbc:EndpointID': from.email,
        'cbc:EndpointID@schemeID': 'EM',
        'cac:PartyName': { 'cbc:Name': from.name },
        'cac:PostalAddress': {
          'cbc:StreetName': from.place.street,
          'cbc:CityName': from.place.city,
          'cbc:PostalZone': from.place.zip,
          'cac:Country': { 'cbc:IdentificationCode': 'US' },
        },
        'cac:PartyTaxScheme': [{ 'cbc:CompanyID': from.taxId, 'cac:TaxScheme': { 'cbc:ID': 'FC' } }],
        // The standard asks for a number by which programs know the seller, and one for taxes alone is none.
        'cac:PartyLegalEntity': { 'cbc:RegistrationName': from.legalName, 'cbc:CompanyID': from.taxId },
        'cac:Contact': {
          'cbc:Name': from.name,
          'cbc:Telephone': from.phone,
          'cbc:ElectronicMail': from.email,
        },
      },
    },
    'cac:AccountingCustomerParty': {
      'cac:Party': {
        'cbc:EndpointID': view.buyer.email || from.email,
        'cbc:EndpointID@schemeID': 'EM',
        'cac:PostalAddress': {
          'cbc:StreetName': street,
          ...(further[0] ? { 'cbc:AdditionalStreetName': further[0] } : {}),
          ...(further.length > 1 ? { 'cac:AddressLine': { 'cbc:Line': further.slice(1).join(', ') } } : {}),
          'cac:Country': { 'cbc:IdentificationCode': billing.country },
        },
        ...(category === 'AE'
          ? { 'cac:PartyTaxScheme': { 'cbc:CompanyID': billing.vatNumber, ...scheme } }
          : {}),
        'cac:PartyLegalEntity': { 'cbc:RegistrationName': billing.company },
      },
    },
    ...(credit && view.bank
      ? { 'cac:PaymentTerms': { 'cbc:Note': `Taken off invoice ${view.invoiceNumber}.` } }
      : { 'cac:PaymentMeans': [waysToPay(view)] }),
    'cac:TaxTotal': [
      {
        ...amount('cbc:TaxAmount', tax),
        'cac:TaxSubtotal': [
          {
            ...amount('cbc:TaxableAmount', net),
            ...amount('cbc:TaxAmount', tax),
            'cac:TaxCategory': {
              'cbc:ID': category,
              ...percent,
              'cbc:TaxExemptionReason': note ? TAX_NOTES[note] : 'Not subject to tax',
              ...scheme,
            },
          },
        ],
      },
    ],
    'cac:LegalMonetaryTotal': {
      ...amount('cbc:LineExtensionAmount', net),
      ...amount('cbc:TaxExclusiveAmount', net),
      ...amount('cbc:TaxInclusiveAmount', total),
      ...amount('cbc:PrepaidAmount', centsToDecimal(prepaidCents)),
      ...amount('cbc:PayableAmount', centsToDecimal(totalCents - prepaidCents)),
    },
    'cac:InvoiceLine': lines.map((line, index) => ({
      'cbc:ID': String(index + 1),
      'cbc:InvoicedQuantity': String(line.seats ?? 1),
      'cbc:InvoicedQuantity@unitCode': PIECE,
      ...amount('cbc:LineExtensionAmount', centsToDecimal(line.priceCents)),
      'cac:Item': {
        'cbc:Name': line.title,
        'cac:ClassifiedTaxCategory': { 'cbc:ID': category, ...percent, ...scheme },
      },
      'cac:Price': priceOf(line),
    })),
  };
  return { 'ubl:Invoice': fields as unknown as Fields };
}

/** What one of a line costs, or where that is no whole number of cents what all of them do. */
function priceOf({ priceCents, seats }: Figures['lines'][number]) {
  const each = priceCents / (seats ?? 1);
  const isWhole = Number.isInteger(each);
  return {
    'cbc:PriceAmount': centsToDecimal(isWhole ? each : priceCents),
    'cbc:PriceAmount@currencyID': 'USD',
    ...(isWhole ? {} : { 'cbc:BaseQuantity': String(seats), 'cbc:BaseQuantity@unitCode': PIECE }),
  };
}

/** How an invoice is paid, or was. */
function waysToPay({ bank, invoiceNumber, seller }: OrderView) {
  if (!bank) return { 'cbc:PaymentMeansCode': BY_CARD };
  return {
    'cbc:PaymentMeansCode': BY_TRANSFER,
    'cbc:PaymentID': invoiceNumber!,
    'cac:PayeeFinancialAccount': {
      'cbc:ID': seller.bank.iban.replaceAll(' ', ''),
      'cbc:Name': seller.bank.holder,
      'cac:FinancialInstitutionBranch': { 'cbc:ID': seller.bank.bic },
    },
  };
}

/**
 * Puts the figures of an invoice or of a credit note as XML into its file, which becomes a Factur-X (ZUGFeRD) one: PDF/A-3 to
 * read and CII XML for programs.
 *
 * @param pdf the file as it is drawn
 */
export async function withEInvoice(
  view: InvoicedOrder,
  pdf: Uint8Array<ArrayBuffer>,
  credit: CreditNote | null = null,
): Promise<Uint8Array<ArrayBuffer>> {
  // Large, and needed by few: loaded with the first such file.
  const { InvoiceService } = await import('@e-invoice-eu/core');
  const service = new InvoiceService({
    log: (message) => log.debug({ message }, 'e-invoice'),
    warn: (message) => log.warn({ message }, 'e-invoice'),
    error: (message) => log.error({ message }, 'e-invoice'),
  });
  const made = await service.generate(eInvoice(view, credit), {
    format: 'Factur-X-EN16931',
    lang: 'en-us',
    pdf: {
      buffer: pdf,
      filename: `${credit?.number ?? view.invoiceNumber}.pdf`,
      mimetype: 'application/pdf',
    },
    noWarnings: true,
  });
  if (typeof made === 'string') throw new Error('A Factur-X invoice is a file, and text was made.');
  return new Uint8Array(made);
}
