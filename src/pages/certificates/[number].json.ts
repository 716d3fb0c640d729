import type { APIRoute } from 'astro';
import { getCredential } from '#src/features/learn/certificates/certificates.server.ts';
import { errorResponse } from '#src/server/endpoint.ts';

/** The signed Open Badges credential of a certificate, for whoever has its number. */
export const GET: APIRoute = async ({ params, locals }) => {
  try {
    const { number, credential } = await getCredential(params.number ?? '');
    return new Response(JSON.stringify(credential, null, 2), {
      headers: {
        'content-type': 'application/ld+json; charset=utf-8',
        'content-disposition': `attachment; filename="certificate-${number}.json"`,
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'x-robots-tag': 'noindex',
      },
    });
  } catch (error) {
    return errorResponse(error, locals.requestId);
  }
};
