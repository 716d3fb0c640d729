import { toggleCourse } from '#src/features/admin/courses.server.ts';
import { toggleCourseCall } from '#src/features/admin/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(toggleCourseCall, { access: 'admin' }, ({ user, params }) =>
  toggleCourse({ id: user.id, name: user.username }, params.id),
);
