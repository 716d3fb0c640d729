import type { APIRoute } from 'astro';
import { robotsText } from '#src/features/company/seo/sitemap.ts';
import { env } from '#src/server/start/env.ts';

export const prerender = false;

export const GET: APIRoute = () =>
  new Response(robotsText(env().siteUrl), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
