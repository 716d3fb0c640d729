import type { APIRoute } from 'astro';
import { findOwnOrganisation } from '#src/features/organisations/members.server.ts';
import {
  readSeatChoice,
  findBilling,
} from '#src/features/organisations/orders/organisation-orders.server.ts';
import { billedTo } from '#src/features/store/invoices/invoice.ts';
import { quotePdf } from '#src/features/store/invoices/invoice-pdf.server.ts';
import { pdfResponse } from '#src/features/store/invoices/paper-response.server.ts';
import { taxedBuyer, taxOn } from '#src/features/store/invoices/tax.ts';
import { parseCount } from '#src/shared/list-query.ts';
import { loginPath } from '#src/shared/paths.ts';

/** What seats would cost now, as a paper for those who have to agree to it: `?of=course-12&seats=5`. */
export const GET: APIRoute = (context) => {
  const { user } = context.locals;
  const { pathname, search, searchParams } = context.url;
  if (!user) return context.redirect(loginPath(pathname + search), 302);
  return pdfResponse(context, async () => {
    const id = parseCount(context.params.id);
    const own = id === null ? null : await findOwnOrganisation(user.id, id);
    const choice = own && (await readSeatChoice(searchParams));
    if (!own || !choice) return null;
    const billing = await findBilling(own.id);
    const bytes = await quotePdf({
      organisation: own.name,
      billedTo: billing
        ? billedTo({ billing, buyer: { name: '', email: user.email } })
        : [own.name, user.email],
      lines: choice.lines,
      netCents: choice.totalCents,
      taxCents: taxOn(choice.totalCents, taxedBuyer(billing)).taxCents,
      at: new Date(),
    });
    return { name: 'quote', bytes };
  });
};
