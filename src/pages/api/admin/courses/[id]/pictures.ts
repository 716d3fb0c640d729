import { listPictures, receivePicture } from '#src/features/authoring/media/pictures.server.ts';
import { listPicturesCall, uploadPictureCall } from '#src/features/authoring/media/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listPicturesCall, { access: staffOf('course', 'author') }, ({ params }) =>
  listPictures(params.id),
);

export const POST = endpoint(
  uploadPictureCall,
  { access: staffOf('course', 'author') },
  async ({ params, request, status }) => {
    const picture = await receivePicture(params.id, request);
    status(picture.isNew ? 201 : 200);
    return picture;
  },
);
