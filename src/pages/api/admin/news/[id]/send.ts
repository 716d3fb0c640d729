import { sendNews } from '#src/features/authoring/news/news.server.ts';
import { sendNewsCall } from '#src/features/authoring/news/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  sendNewsCall,
  { access: staffOf('news', 'author') },
  ({ actor, params, input }) => sendNews(actor, params.id, input.version),
);
