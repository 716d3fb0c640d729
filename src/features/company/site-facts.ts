import { z } from 'zod';
import { NETWORKS } from '#src/components/icon-names.ts';

const text = (what: string) =>
  z.string(`${what} is missing or is not text`).trim().min(1, `${what} is empty`);

/** The sum of nine digits weighted 3, 7, 1 is a multiple of ten (American Bankers Association). */
const routingNumber = (what: string) =>
  text(`${what} (put it in quotes)`)
    .regex(/^\d{9}$/, { error: `${what} must be nine digits in quotes`, abort: true })
    .refine(
      (digits) =>
        [...digits].reduce((sum, digit, at) => sum + Number(digit) * [3, 7, 1][at % 3]!, 0) % 10 === 0,
      `${what} is mistyped: its digits do not add up as those of a routing number do`,
    );

/** Of `src/content/site.yaml`, whose editors read the messages. */
export const siteFactsSchema = z.strictObject({
  name: text('name (the firm, as shown beside the logo)'),
  legalName: text('legalName'),
  blurb: text('blurb (the paragraph in the footer)'),
  description: text('description (one sentence for search engines)').max(
    200,
    'description is longer than 200 characters; search engines cut it off',
  ),
  established: z.int('established must be a year such as 2022').min(1900).max(2100),
  copyrightYears: text('copyrightYears').regex(/^\d{4}(-\d{4})?$/, 'copyrightYears must look like 2022-2025'),
  eVerify: text('eVerify'),
  email: z.email('email is not an e-mail address'),
  phone: text('phone').regex(/^[+()\d\s.-]{7,}$/, 'phone may hold digits, spaces, and + ( ) - . only'),
  address: z.strictObject({
    street: text('address.street'),
    city: text('address.city'),
    state: text('address.state').regex(/^[A-Z]{2}$/, 'address.state must be two capital letters, such as NC'),
    zip: text('address.zip (put it in quotes)').regex(
      /^\d{5}(-\d{4})?$/,
      'address.zip must be five digits in quotes',
    ),
  }),
  taxId: text('taxId (the number under which the firm pays taxes)'),
  bank: z.strictObject({
    holder: text('bank.holder (the account that invoices are paid to)'),
    name: text('bank.name'),
    accountNumber: text('bank.accountNumber (put it in quotes)').regex(
      /^\d{4,17}$/,
      'bank.accountNumber must be 4 to 17 digits in quotes',
    ),
    achRoutingNumber: routingNumber('bank.achRoutingNumber'),
    wireRoutingNumber: routingNumber('bank.wireRoutingNumber'),
    swift: text('bank.swift').regex(
      /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/,
      'bank.swift must be 8 or 11 capital letters and digits, such as EXAMUS33',
    ),
  }),
  quotes: z.strictObject({
    validDays: z.int('quotes.validDays must be a whole number of days').min(1).max(365),
    terms: z
      .array(text('quotes.terms').max(600, 'a paragraph of quotes.terms has more than 600 characters'))
      .max(6, 'quotes.terms has more than 6 paragraphs'),
  }),
  seats: z.strictObject({
    takeBackBegun: z
      .strictObject({
        afterIdleDays: z
          .int('seats.takeBackBegun.afterIdleDays must be a whole number of days')
          .min(1, 'seats.takeBackBegun.afterIdleDays must be 1 or more')
          .max(3650, 'seats.takeBackBegun.afterIdleDays must be 3650 at most'),
      })
      .nullable(),
  }),
  hours: z.strictObject({
    days: text('hours.days'),
    times: text('hours.times'),
    closed: text('hours.closed'),
  }),
  social: z
    .array(
      z.strictObject({
        kind: z.enum(NETWORKS, `social kind must be one of: ${NETWORKS.join(', ')}`),
        label: text('social label'),
        url: z.url({ protocol: /^https$/, error: 'social url must begin with https://' }),
      }),
    )
    .min(1, 'social needs at least one link'),
});

export type SiteFacts = z.infer<typeof siteFactsSchema>;

/** "(704) 555-0142" gives "tel:+17045550142"; without + it is a US number. */
export function phoneHref(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  if (phone.trim().startsWith('+')) return `tel:+${digits}`;
  return digits.length === 10 ? `tel:+1${digits}` : `tel:+${digits}`;
}
