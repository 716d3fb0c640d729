import { describePicture, removePicture } from '#src/features/authoring/media/pictures.server.ts';
import { describePictureCall, removePictureCall } from '#src/features/authoring/media/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(describePictureCall, { access: 'admin' }, ({ params, input }) =>
  describePicture(params.id, input.alt),
);

export const DELETE = endpoint(removePictureCall, { access: 'admin' }, ({ params }) =>
  removePicture(params.id),
);
