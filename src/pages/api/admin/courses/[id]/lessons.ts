import { createLesson } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { createLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(createLessonCall, { access: 'admin' }, ({ actor, params, input, status }) => {
  status(201);
  return createLesson(actor, params.id, input);
});
