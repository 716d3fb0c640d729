import type { APIRoute } from 'astro';
import { openApiDocument } from '#src/features/admin/api-reference/openapi.server.ts';

/** The public calls for programs (OpenAPI 3.1). */
export const GET: APIRoute = () =>
  new Response(JSON.stringify(openApiDocument()), {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
