import { receiveLessonFile } from '#src/features/learn/classroom/lesson-files.server.ts';
import { uploadLessonFileCall } from '#src/features/learn/schema.ts';
import { someAuthor } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(uploadLessonFileCall, { access: someAuthor }, ({ request, status }) => {
  status(201);
  return receiveLessonFile(request);
});
