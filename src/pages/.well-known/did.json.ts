import type { APIRoute } from 'astro';
import { issuerDocument } from '#src/features/learn/certificates/open-badge.server.ts';

/** The key that credentials are signed with, where `did:web` looks for it. */
export const GET: APIRoute = async () =>
  new Response(JSON.stringify(await issuerDocument(), null, 2), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
      // Verifiers run in browsers too, on their own sites.
      'access-control-allow-origin': '*',
    },
  });
