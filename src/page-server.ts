import type { IncomingMessage } from 'node:http';
import { createApp } from 'astro/app/entrypoint';
import { createRequestFromNodeRequest, getAbortControllerCleanup } from 'astro/app/node';
import { UPLOAD_RULES } from '#src/server/files/upload-rules.ts';
import type { RequestLocals } from '#src/server/http/site.ts';

// The HTTP server in front knows the limit of each address (src/server/http/http.ts); this is the largest, as a last resort.
const BODY_MAX_BYTES = Math.max(...UPLOAD_RULES.map(({ maxBytes }) => maxBytes));

// A page that fails half way becomes an error page instead of half a page with status 200.
const app = createApp({ streaming: false });

/**
 * Has the framework answer a request; the build's entry. Null where it has no page or call for the address. A failure
 * without words gets them from the HTTP server, which knows the pages of the build.
 */
export async function handler(incoming: IncomingMessage, locals: RequestLocals): Promise<Response | null> {
  const request = createRequestFromNodeRequest(incoming, { bodySizeLimit: BODY_MAX_BYTES });
  try {
    const routeData = app.match(request);
    if (!routeData) return null;
    return await app.render(request, {
      addCookieHeader: true,
      locals: locals as unknown as App.Locals,
      routeData,
      prerenderedErrorPageFetch: async () => new Response(null, { status: 404 }),
    });
  } finally {
    getAbortControllerCleanup(incoming)?.();
  }
}
