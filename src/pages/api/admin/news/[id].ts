import { changeNews, deleteNews } from '#src/features/authoring/news/news.server.ts';
import { changeNewsCall, deleteNewsCall } from '#src/features/authoring/news/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(changeNewsCall, { access: staffOf('news', 'author') }, ({ params, input }) =>
  changeNews(params.id, input),
);

export const DELETE = endpoint(deleteNewsCall, { access: staffOf('news', 'author') }, ({ actor, params }) =>
  deleteNews(actor, params.id),
);
