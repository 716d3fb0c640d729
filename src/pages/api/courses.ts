import { createCourse } from '#src/features/authoring/courses/courses.server.ts';
import { createCourseCall } from '#src/features/authoring/courses/schema.ts';
import { API_PAGE_SIZE } from '#src/features/catalogue/catalogue.ts';
import { listCourseModels } from '#src/features/catalogue/catalogue.server.ts';
import { listCoursesCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { requireRenderable } from '#src/server/markdown.ts';
import { CATALOGUE_TAG, courseTags } from '#src/server/rendering/cache-tags.ts';
import { setPageHeaders } from '#src/server/http/page-headers.ts';
import { MAX_ID } from '#src/shared/fields.ts';

export const GET = endpoint(
  listCoursesCall,
  { access: 'public' },
  async ({ query, user, request, headers, shows }) => {
    const paged = {
      page: query.page ?? 1,
      pageSize: query.pageSize ?? (query.page ? API_PAGE_SIZE : MAX_ID),
    };
    const { courses, shown, total } = await listCourseModels({ ...query, ...paged }, user);
    shows([CATALOGUE_TAG, ...courseTags(shown)]);
    setPageHeaders(headers, new URL(request.url), { ...paged, total });
    return courses;
  },
);

export const POST = endpoint(createCourseCall, { access: 'admin' }, ({ actor, input, status }) => {
  requireRenderable('description', 'Description', input.description);
  status(201);
  return createCourse(actor, input);
});
