import { receiveLessonFile } from '#src/features/learn/classroom/lesson-files.server.ts';
import { uploadLessonFileCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(uploadLessonFileCall, { access: 'admin' }, ({ request, status }) => {
  status(201);
  return receiveLessonFile(request);
});
