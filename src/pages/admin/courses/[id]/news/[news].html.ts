import type { APIRoute } from 'astro';
import { previewNewsMail } from '#src/features/authoring/news/news.server.ts';
import { parseCount } from '#src/shared/list-query.ts';

/** The mail of a course's news, as its learners get it, alone in a page that runs and loads nothing. */
export const GET: APIRoute = async ({ params, locals }) => {
  const [id, newsId] = [parseCount(params.id), parseCount(params.news)];
  const user = locals.user;
  const mail = user && id !== null && newsId !== null ? await previewNewsMail(user, id, newsId) : null;
  if (!mail) return new Response('Not found', { status: 404, headers: { 'Content-Type': 'text/plain' } });
  return new Response(mail, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox allow-popups",
    },
  });
};
