import { receiveThumbnail } from '#src/features/authoring/courses/courses.server.ts';
import { uploadThumbnailCall } from '#src/features/authoring/courses/schema.ts';
import { someAuthor } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(uploadThumbnailCall, { access: someAuthor }, ({ request, status }) => {
  status(201);
  return receiveThumbnail(request);
});
