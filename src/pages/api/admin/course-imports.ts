import { receiveCourse } from '#src/features/authoring/transfer/course-import.server.ts';
import { importCourseCall } from '#src/features/authoring/transfer/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  importCourseCall,
  { access: 'admin', limit: 'course-import' },
  ({ actor, input }) => receiveCourse(actor, input),
);
