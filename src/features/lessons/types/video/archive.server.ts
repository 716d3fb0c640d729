import { z } from 'zod';
import {
  fileReference,
  flag,
  type ConvertedFiles,
  frontMatter,
  isOwnFile,
  lessonFormat,
} from '#src/features/lessons/lesson-format.server.ts';
import { chaptersInput, isPastEnd } from './chapters.ts';
import { video } from './definition.ts';

const part = (ending: string) =>
  z
    .string('must be a file name')
    .max(500, 'is longer than 500 characters')
    .refine((name) => isOwnFile(name) && name.endsWith(ending), `must be a ${ending} file of the course`);

const sizes = z
  .array(
    z.strictObject({
      file: part('.mp4'),
      height: z.int('must be a whole number').min(2, 'must be at least 2').max(4320, 'must be at most 4320'),
    }),
    'must be a list',
  )
  .min(1, 'needs at least one')
  .max(4, 'has more than 4')
  .refine((all) => new Set(all.map(({ height }) => height)).size === all.length, 'has one height twice');

/** A video among the files of a course. */
export const videoFormat = lessonFormat({
  type: video.name,
  front: frontMatter(video.name, {
    file: fileReference.optional(),
    captions: fileReference.optional(),
    chapters: chaptersInput.optional(),
    seconds: z.int('must be a whole number').min(1, 'must be at least 1').max(1_000_000).optional(),
    watchRequired: flag.default(false),
    sizes: sizes.optional(),
    poster: part('.jpg').optional(),
  }),
  references: { file: 'fileUrl', captions: 'captionsUrl' },
  labels: {
    file: 'File',
    captions: 'Captions',
    chapters: 'Chapters',
    seconds: 'Length in seconds',
    watchRequired: 'Must be watched',
    sizes: 'Sizes',
    poster: 'Poster',
  },
  read({ file, captions, chapters = '', seconds, watchRequired, sizes, poster }, { complete, has, lacks }) {
    if (complete && !file) lacks('file', 'is missing: a video needs one');
    if (complete && !captions) lacks('captions', 'is missing: every video needs captions');
    if (complete && watchRequired && !seconds) {
      lacks('watchRequired', 'needs seconds: the share that was watched is computed from it');
    }
    if (isPastEnd(chapters, seconds)) lacks('chapters', 'has one that begins after the end of the video');
    if (sizes && !isOwnFile(file ?? '')) lacks('sizes', 'belong to a file of the course');
    if (poster && !sizes) lacks('poster', 'belongs to sizes of the video');
    for (const { key, name } of partsOfVideo({ sizes, poster })) {
      if (!has(`files/${name}`)) lacks(key, `names a file that is missing: files/${name}`);
    }
    return { file, captions, chapters, seconds, watchRequired, sizes, poster };
  },
  columns: ({ chapters, seconds, watchRequired }) => ({
    chapters,
    durationSeconds: seconds ?? null,
    watchRequired,
  }),
  fromRow: ({ chapters, durationSeconds, watchRequired }, { files, converted }) => ({
    file: files.fileUrl ?? undefined,
    captions: files.captionsUrl ?? undefined,
    chapters,
    seconds: durationSeconds ?? undefined,
    watchRequired,
    sizes: converted.sizes,
    poster: converted.poster,
  }),
});

/** The files of a folder that a video was converted to: the key that names each, and its name. */
export function partsOfVideo({ sizes = [], poster }: ConvertedFiles): { key: string; name: string }[] {
  return [
    ...sizes.map(({ file }) => ({ key: 'sizes', name: file })),
    ...(poster ? [{ key: 'poster', name: poster }] : []),
  ];
}
