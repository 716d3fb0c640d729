import { getCourse } from '#src/features/catalogue/catalogue.server.ts';
import { RATINGS_PAGE_SIZE } from '#src/features/catalogue/ratings/ratings.ts';
import { listRatings } from '#src/features/catalogue/ratings/ratings.server.ts';
import { listRatingsCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { courseTags } from '#src/server/rendering/cache-tags.ts';
import { setPageHeaders } from '#src/server/http/page-headers.ts';

export const GET = endpoint(
  listRatingsCall,
  { access: 'public' },
  async ({ params, query, user, request, headers, shows }) => {
    shows(courseTags([params]));
    await getCourse(params.id, user);
    const list = await listRatings(params.id, query.page);
    setPageHeaders(headers, new URL(request.url), {
      page: query.page,
      pageSize: RATINGS_PAGE_SIZE,
      total: list.summary.count,
    });
    return list;
  },
);
