import { toggleCourse } from '#src/features/authoring/courses/courses.server.ts';
import { toggleCourseCall } from '#src/features/authoring/courses/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(toggleCourseCall, { access: 'admin' }, ({ user, params }) =>
  toggleCourse({ id: user.id, name: user.username }, params.id),
);
