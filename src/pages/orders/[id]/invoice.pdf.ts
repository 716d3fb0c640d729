import type { APIRoute } from 'astro';
import { invoicePdf } from '#src/features/store/invoices/invoice-pdf.server.ts';
import { findVisibleOrder, orderVisitor } from '#src/features/store/orders/order-access.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';
import { errorResponse } from '#src/server/endpoint.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { loginPath } from '#src/shared/paths.ts';

/** The invoice as a file, for those who may see its order. */
export const GET: APIRoute = async (context) => {
  const { locals, params } = context;
  try {
    const visitor = orderVisitor(context);
    const order = await findVisibleOrder(params.id, visitor);
    if (!order && !visitor.user && !visitor.key) {
      return context.redirect(loginPath(context.url.pathname), 302);
    }
    if (!order?.invoiceNumber || !order.completedAt)
      throw new AppError('not_found', 'There is no such invoice.');
    await consume('invoice-pdf', locals.user ? `user:${locals.user.id}` : `ip:${locals.clientIp}`);
    return new Response(await invoicePdf(await readOrderView(order)), {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${order.invoiceNumber}.pdf"`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      },
    });
  } catch (error) {
    // A person follows this link: the server has a page for every status without a body.
    const refusal = errorResponse(error, locals.requestId);
    refusal.headers.delete('content-type');
    return new Response(null, { status: refusal.status, headers: refusal.headers });
  }
};
