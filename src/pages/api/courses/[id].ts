import { deleteCourse, updateCourse } from '#src/features/authoring/courses/courses.server.ts';
import { deleteCourseCall, updateCourseCall } from '#src/features/authoring/courses/schema.ts';
import { getCourseModel } from '#src/features/catalogue/catalogue.server.ts';
import { getCourseCall } from '#src/features/catalogue/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { requireRenderable } from '#src/server/markdown.ts';
import { courseTags } from '#src/server/rendering/cache-tags.ts';

export const GET = endpoint(getCourseCall, { access: 'public' }, ({ params, user, shows }) => {
  shows(courseTags([params]));
  return getCourseModel(params.id, user);
});

export const DELETE = endpoint(deleteCourseCall, { access: 'admin' }, ({ actor, params }) =>
  deleteCourse(actor, params.id),
);

export const PUT = endpoint(
  updateCourseCall,
  { access: staffOf('course', 'author') },
  ({ user, actor, params, input }) => {
    requireRenderable('description', 'Description', input.description);
    return updateCourse(actor, params.id, input, { mayPrice: user.role === 'admin' });
  },
);
