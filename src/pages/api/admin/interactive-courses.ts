import { createAndProveCourse } from '#src/features/authoring/builder/builder.server.ts';
import { createInteractiveCourseCall } from '#src/features/authoring/builder/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(createInteractiveCourseCall, { access: 'admin' }, ({ actor, input, status }) => {
  status(201);
  return createAndProveCourse(actor, input);
});
