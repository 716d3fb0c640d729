import { archiveCourse } from '#src/features/authoring/courses/courses.server.ts';
import { archiveCourseCall } from '#src/features/authoring/courses/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(archiveCourseCall, { access: 'admin' }, ({ actor, params, input }) =>
  archiveCourse(actor, params.id, input.archived),
);
