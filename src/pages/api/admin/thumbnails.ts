import { receiveThumbnail } from '#src/features/authoring/courses/courses.server.ts';
import { uploadThumbnailCall } from '#src/features/authoring/courses/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(uploadThumbnailCall, { access: 'admin' }, ({ request, status }) => {
  status(201);
  return receiveThumbnail(request);
});
