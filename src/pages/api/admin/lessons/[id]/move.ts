import { moveLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { moveLessonToCourse } from '#src/features/authoring/transfer/copies.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(moveLessonCall, { access: 'admin' }, ({ actor, params, input }) =>
  moveLessonToCourse(actor, params.id, input.courseId),
);
