import { toggleCourse } from '#src/features/authoring/courses/courses.server.ts';
import { toggleCourseCall } from '#src/features/authoring/courses/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(toggleCourseCall, { access: staffOf('course', 'author') }, ({ actor, params }) =>
  toggleCourse(actor, params.id),
);
