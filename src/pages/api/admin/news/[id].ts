import { changeNews, deleteNews } from '#src/features/authoring/news/news.server.ts';
import { changeNewsCall, deleteNewsCall } from '#src/features/authoring/news/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(changeNewsCall, { access: 'admin' }, ({ params, input }) =>
  changeNews(params.id, input),
);

export const DELETE = endpoint(deleteNewsCall, { access: 'admin' }, ({ actor, params }) =>
  deleteNews(actor, params.id),
);
