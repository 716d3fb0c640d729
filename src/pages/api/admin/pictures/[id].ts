import { describePicture, removePicture } from '#src/features/authoring/media/pictures.server.ts';
import { describePictureCall, removePictureCall } from '#src/features/authoring/media/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  describePictureCall,
  { access: staffOf('picture', 'author') },
  ({ params, input }) => describePicture(params.id, input.alt),
);

export const DELETE = endpoint(removePictureCall, { access: staffOf('picture', 'author') }, ({ params }) =>
  removePicture(params.id),
);
