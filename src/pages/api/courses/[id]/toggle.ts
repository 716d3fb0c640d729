import { toggleCourse } from '#src/features/authoring/courses/courses.server.ts';
import { toggleCourseCall } from '#src/features/authoring/courses/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(toggleCourseCall, { access: 'admin' }, ({ actor, params }) =>
  toggleCourse(actor, params.id),
);
