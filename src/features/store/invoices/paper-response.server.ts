import type { APIContext } from 'astro';
import { findVisibleOrder, orderVisitor } from '#src/features/store/orders/order-access.server.ts';
import type { Order } from '#src/features/store/orders/orders.server.ts';
import { errorResponse } from '#src/server/endpoint.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { loginPath } from '#src/shared/paths.ts';
import type { PaperFile } from './papers.server.ts';

export async function pdfResponse(
  context: APIContext,
  make: () => Promise<PaperFile | null>,
): Promise<Response> {
  const { locals } = context;
  try {
    await consume('invoice-pdf', locals.user ? `user:${locals.user.id}` : `ip:${locals.clientIp}`);
    const file = await make();
    if (!file) throw new AppError('not_found', 'There is no such paper.');
    return new Response(file.bytes, {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${file.name}.pdf"`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      },
    });
  } catch (error) {
    // Opened by a link: the server has a page for each bodiless status.
    const refusal = errorResponse(error, locals.requestId);
    refusal.headers.delete('content-type');
    return new Response(null, { status: refusal.status, headers: refusal.headers });
  }
}

export async function orderPaper(
  context: APIContext,
  make: (order: Order) => Promise<PaperFile | null>,
): Promise<Response> {
  const visitor = orderVisitor(context);
  const order = await findVisibleOrder(context.params.id, visitor);
  if (!order && !visitor.user && !visitor.key) return context.redirect(loginPath(context.url.pathname), 302);
  return pdfResponse(context, async () => order && make(order));
}
