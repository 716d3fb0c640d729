import type { APIRoute } from 'astro';
import { findOwnOrganisation } from '#src/features/organisations/members.server.ts';
import { seatCount } from '#src/features/organisations/schema.ts';
import {
  coursesWithSeats,
  findBilling,
} from '#src/features/organisations/orders/organisation-orders.server.ts';
import { billedTo } from '#src/features/store/invoices/invoice.ts';
import { quotePdf } from '#src/features/store/invoices/invoice-pdf.server.ts';
import { pdfResponse } from '#src/features/store/invoices/paper-response.server.ts';
import { seatPrice } from '#src/features/store/seats/seat-price.ts';
import { listSeatPriceSteps } from '#src/features/store/seats/seats.server.ts';
import { parseCount } from '#src/shared/list-query.ts';
import { loginPath } from '#src/shared/paths.ts';

/** What seats would cost now, as a paper for those who have to agree to it: `?course=` and `?seats=`. */
export const GET: APIRoute = (context) => {
  const { user } = context.locals;
  const { pathname, search, searchParams } = context.url;
  if (!user) return context.redirect(loginPath(pathname + search), 302);
  return pdfResponse(context, async () => {
    const id = parseCount(context.params.id);
    const own = id === null ? null : await findOwnOrganisation(user.id, id);
    const seats = seatCount.safeParse(parseCount(searchParams.get('seats')));
    const course =
      own && (await coursesWithSeats()).find((one) => one.id === parseCount(searchParams.get('course')));
    if (!own || !course || !seats.success) return null;
    const price = seatPrice(course.priceCents, seats.data, await listSeatPriceSteps());
    const billing = await findBilling(own.id);
    const bytes = await quotePdf({
      organisation: own.name,
      billedTo: billing
        ? billedTo({ billing, buyer: { name: '', email: user.email } })
        : [own.name, user.email],
      title: course.title,
      seats: seats.data,
      ...price,
      at: new Date(),
    });
    return { name: 'quote', bytes };
  });
};
