import { z } from 'zod';
import { courseParams } from '#src/features/authoring/courses/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { idInPath, line } from '#src/shared/fields.ts';

/** Bytes and pixels of an uploaded picture, pictures of a course, and characters of an alternative text at most. */
export const PICTURE_MAX_BYTES = 20 * 1_048_576;
export const PICTURE_MAX_PIXELS = 50_000_000;
export const PICTURES_MAX = 1000;
export const ALT_MAX = 500;
/** Endings of the names of pictures that are taken. */
export const PICTURE_ENDINGS = ['png', 'jpg', 'jpeg', 'webp', 'avif', 'gif'];

const picture = z.object({
  id: z.number(),
  path: z.string(),
  name: z.string(),
  alt: z.string(),
  /** Titles of the lessons that show it, and "Course description". */
  usedIn: z.array(z.string()),
});
export type PictureModel = z.output<typeof picture>;

/** `GET /api/admin/courses/{id}/pictures`: the library of a course, newest first. */
export const listPicturesCall = contract({
  method: 'GET',
  path: '/api/admin/courses/{id}/pictures',
  params: courseParams,
  output: z.array(picture),
});

/**
 * `POST /api/admin/courses/{id}/pictures`: adds a picture, sent as `file` in a form, with `alt` beside it. The same file
 * again gives the picture that is there.
 */
export const uploadPictureCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/pictures',
  params: courseParams,
  output: picture,
});

const pictureParams = z.object({ id: idInPath('Picture') });
export const altText = line('Alternative text', { min: 0, max: ALT_MAX });

/** `PUT /api/admin/pictures/{id}`: says what a picture shows. */
export const describePictureCall = contract({
  method: 'PUT',
  path: '/api/admin/pictures/{id}',
  params: pictureParams,
  input: z.object({ alt: altText }),
  output: picture,
});

/** `DELETE /api/admin/pictures/{id}`: removes a picture that nothing shows. */
export const removePictureCall = contract({
  method: 'DELETE',
  path: '/api/admin/pictures/{id}',
  params: pictureParams,
  output: z.object({ removed: z.literal(true) }),
});
