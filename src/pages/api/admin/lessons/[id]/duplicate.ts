import { duplicateLesson } from '#src/features/authoring/transfer/copies.server.ts';
import { duplicateLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(duplicateLessonCall, { access: 'admin' }, ({ actor, params, input, status }) => {
  status(201);
  return duplicateLesson(actor, params.id, input.courseId);
});
