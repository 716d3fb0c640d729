import { z } from 'zod';
import { courseParams } from '#src/features/authoring/courses/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { idInPath, line } from '#src/shared/fields.ts';

export const PICTURE_MAX_BYTES = 20 * 1_048_576;
export const PICTURE_MAX_PIXELS = 50_000_000;
export const PICTURES_MAX = 1000;
export const ALT_MAX = 500;
export const PICTURE_ENDINGS = ['png', 'jpg', 'jpeg', 'webp', 'avif', 'gif'];

const picture = z.object({
  id: z.number(),
  path: z.string(),
  name: z.string(),
  alt: z.string(),
  usedIn: z.array(z.string()),
});
export type PictureModel = z.output<typeof picture>;

/** Newest first. */
export const listPicturesCall = contract({
  method: 'GET',
  path: '/api/admin/courses/{id}/pictures',
  params: courseParams,
  output: z.array(picture),
});

/** Takes a form with `file` and `alt`; the same file gives the same picture. */
export const uploadPictureCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/pictures',
  params: courseParams,
  output: picture,
});

const pictureParams = z.object({ id: idInPath('Picture') });
export const altText = line('Alternative text', { min: 0, max: ALT_MAX });

export const describePictureCall = contract({
  method: 'PUT',
  path: '/api/admin/pictures/{id}',
  params: pictureParams,
  input: z.object({ alt: altText }),
  output: picture,
});

/** Removes a picture that nothing shows. */
export const removePictureCall = contract({
  method: 'DELETE',
  path: '/api/admin/pictures/{id}',
  params: pictureParams,
  output: z.object({ removed: z.literal(true) }),
});

export const VIDEO_MAX_BYTES = 2_000_000_000;
/** Speaks the tus protocol (https://tus.io/protocols/resumable-upload). */
export const VIDEO_UPLOADS_PATH = '/api/admin/video-uploads';
/** Browsers play these; others are converted. */
export const PLAYED_ENDINGS = ['mp4', 'm4v', 'webm'];
export const CONVERTED_ENDINGS = [...PLAYED_ENDINGS, 'mov', 'mkv'];

const videoModel = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  status: z.enum(['arriving', 'checking', 'converting', 'ready', 'failed']),
  arrived: z.number(),
  percent: z.number(),
  message: z.string(),
  path: z.string().nullable(),
  duration: z.number().nullable(),
  height: z.number().nullable(),
});
export type VideoModel = z.output<typeof videoModel>;

/** Uploads of a course, newest first, and what this site takes. */
export const listVideosCall = contract({
  method: 'GET',
  path: '/api/admin/courses/{id}/videos',
  params: courseParams,
  output: z.object({
    converts: z.boolean(),
    videos: z.array(videoModel),
  }),
});

const videoParams = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/, 'There is no such video') });

export const getVideoCall = contract({
  method: 'GET',
  path: '/api/admin/videos/{id}',
  params: videoParams,
  output: videoModel,
});

export function videoProblem(name: string, size: number, converts: boolean): string | null {
  const endings = converts ? CONVERTED_ENDINGS : PLAYED_ENDINGS;
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (!endings.includes(ending)) {
    return `${ending ? `.${ending}` : 'A file without an ending'} cannot be played. Choose a video: ${endings.join(', ')}.`;
  }
  if (size === 0) return 'The file is empty';
  if (size > VIDEO_MAX_BYTES) return `The video must not be larger than ${VIDEO_MAX_BYTES / 1e9} GB.`;
  return null;
}
