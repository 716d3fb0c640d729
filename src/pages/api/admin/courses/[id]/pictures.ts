import { listPictures, receivePicture } from '#src/features/authoring/media/pictures.server.ts';
import { listPicturesCall, uploadPictureCall } from '#src/features/authoring/media/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listPicturesCall, { access: 'admin' }, ({ params }) => listPictures(params.id));

export const POST = endpoint(uploadPictureCall, { access: 'admin' }, async ({ params, request, status }) => {
  const picture = await receivePicture(params.id, request);
  status(picture.isNew ? 201 : 200);
  return picture;
});
