import type { APIRoute } from 'astro';
import { logo } from '#src/features/company/logo.server.ts';

export const prerender = false;

const THIRTY_DAYS_SECONDS = 30 * 24 * 3600;

/** The site's own logo with a long cache life (decision 8). */
export const GET: APIRoute = async ({ request }) => {
  const { bytes, etag } = await logo;
  const headers = { etag, 'cache-control': `public, max-age=${THIRTY_DAYS_SECONDS}` };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(bytes, { headers: { ...headers, 'content-type': 'image/png' } });
};
