import { getCourse } from '#src/features/catalogue/catalogue.server.ts';
import { REVIEWS_PAGE_SIZE } from '#src/features/catalogue/reviews/reviews.ts';
import { listReviews } from '#src/features/catalogue/reviews/reviews.server.ts';
import { listReviewsCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { courseTags } from '#src/server/rendering/cache-tags.ts';
import { setPageHeaders } from '#src/server/http/page-headers.ts';

export const GET = endpoint(
  listReviewsCall,
  { access: 'public' },
  async ({ params, query, user, request, headers, shows }) => {
    shows(courseTags([params]));
    await getCourse(params.id, user);
    const list = await listReviews(params.id, query.page);
    setPageHeaders(headers, new URL(request.url), {
      page: query.page,
      pageSize: REVIEWS_PAGE_SIZE,
      total: list.summary.count,
    });
    return list;
  },
);
