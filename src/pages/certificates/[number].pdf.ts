import type { APIRoute } from 'astro';
import { certificatePdf } from '#src/features/learn/certificates/certificate-pdf.server.ts';
import { getOwnCertificate } from '#src/features/learn/certificates/certificates.server.ts';
import { errorResponse } from '#src/server/endpoint.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { loginPath } from '#src/shared/paths.ts';

/** A certificate as a file, for its owner alone. */
export const GET: APIRoute = async (context) => {
  const { locals, params } = context;
  try {
    if (!locals.user) return context.redirect(loginPath(context.url.pathname), 302);
    const certificate = await getOwnCertificate(locals.user.id, params.number ?? '');
    if (certificate.revokedAt) throw new AppError('not_found', 'This certificate was revoked.');
    await consume('certificate-pdf', `user:${locals.user.id}`);
    return new Response(await certificatePdf(certificate), {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="certificate-${certificate.number}.pdf"`,
        'cache-control': 'no-store',
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
