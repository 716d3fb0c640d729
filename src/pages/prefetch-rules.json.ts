import type { APIRoute } from 'astro';
import { prefetchRules } from '#src/features/company/prefetch.ts';

export const prerender = false;

export const GET: APIRoute = () =>
  new Response(JSON.stringify(prefetchRules()), {
    headers: {
      'content-type': 'application/speculationrules+json',
      'cache-control': 'public, max-age=86400',
    },
  });
