import type { APIRoute } from 'astro';
import { findOwnOrganisation } from '#src/features/organisations/members.server.ts';
import {
  readSeatChoice,
  findBilling,
} from '#src/features/organisations/orders/organisation-orders.server.ts';
import { quoteSeats } from '#src/features/organisations/orders/quotes.server.ts';
import { thingName } from '#src/features/store/seats/seat-thing.ts';
import { billedTo } from '#src/features/store/invoices/invoice.ts';
import { quotePdf } from '#src/features/store/invoices/invoice-pdf.server.ts';
import { pdfResponse } from '#src/features/store/invoices/paper-response.server.ts';
import { TAX_CENTS } from '#src/features/store/cart/cart.ts';
import { parseCount } from '#src/shared/list-query.ts';
import { loginPath } from '#src/shared/paths.ts';

/**
 * What seats cost for some weeks, as a paper for those who have to agree to it: `?of=course-12&seats=5`. Asked for again, it
 * is the same one.
 */
export const GET: APIRoute = (context) => {
  const { user } = context.locals;
  const { pathname, search, searchParams } = context.url;
  if (!user) return context.redirect(loginPath(pathname + search), 302);
  return pdfResponse(context, async () => {
    const id = parseCount(context.params.id);
    const own = id === null ? null : await findOwnOrganisation(user.id, id);
    const choice = own && (await readSeatChoice(own.id, searchParams));
    if (!own || !choice) return null;
    const billing = await findBilling(own.id);
    // A quote never makes another one: its price would last for ever.
    const lines = choice.lines.map((line) => ({
      of: thingName(line),
      title: line.title,
      courses: line.courses,
      seats: line.seats,
      unitCents: line.listCents,
    }));
    const quote = await quoteSeats(user.id, own.id, {
      lines,
      taxCents: TAX_CENTS,
      // Whoever runs the organisation gets the same paper.
      billedTo: billing ? billedTo({ billing, buyer: { name: '', email: '' } }) : [own.name],
    });
    return { name: quote.number, bytes: await quotePdf(quote) };
  });
};
