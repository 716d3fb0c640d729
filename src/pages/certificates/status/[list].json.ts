import type { APIRoute } from 'astro';
import { statusList } from '#src/features/learn/certificates/certificates.server.ts';
import { errorResponse } from '#src/server/endpoint.ts';
import { AppError } from '#src/shared/errors.ts';

/** Which certificates are revoked, as a signed list of bits without numbers or names. */
export const GET: APIRoute = async ({ params, locals }) => {
  try {
    const list = /^\d{1,5}$/.test(params.list ?? '') ? await statusList(Number(params.list)) : null;
    if (!list) throw new AppError('not_found', 'There is no such list.');
    return new Response(JSON.stringify(list, null, 2), {
      headers: {
        'content-type': 'application/ld+json; charset=utf-8',
        'cache-control': 'public, max-age=60',
        'access-control-allow-origin': '*',
        'x-robots-tag': 'noindex',
      },
    });
  } catch (error) {
    return errorResponse(error, locals.requestId);
  }
};
