import { z } from 'zod';
import {
  fileReference,
  flag,
  type ConvertedFiles,
  frontMatter,
  isOwnFile,
  lessonFormat,
} from '#src/features/lessons/lesson-format.server.ts';
import { CAPTIONS_LANGUAGE, isLanguageTwice, languageInput, MORE_CAPTIONS_MAX } from './captions.ts';
import { chaptersInput, isPastEnd } from './chapters.ts';
import { embedNeeds, video } from './definition.ts';
import { embedOf } from './embed.ts';

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

const moreCaptions = z
  .array(z.strictObject({ language: languageInput, file: fileReference }), 'must be a list')
  .max(MORE_CAPTIONS_MAX, `has more than ${MORE_CAPTIONS_MAX}`);

const KEYS: Record<string, string> = { fileUrl: 'watchRequired', captionsUrl: 'captions' };

export const videoFormat = lessonFormat({
  type: video.name,
  front: frontMatter(video.name, {
    file: fileReference.optional(),
    captions: fileReference.optional(),
    captionsLanguage: languageInput.optional(),
    moreCaptions: moreCaptions.optional(),
    chapters: chaptersInput.optional(),
    seconds: z.int('must be a whole number').min(1, 'must be at least 1').max(1_000_000).optional(),
    watchRequired: flag.default(false),
    sizes: sizes.optional(),
    poster: part('.jpg').optional(),
  }),
  references: { file: 'fileUrl', captions: 'captionsUrl', moreCaptions: 'moreCaptions' },
  labels: {
    file: 'File',
    captions: 'Captions',
    captionsLanguage: 'Language of the captions',
    moreCaptions: 'Captions in other languages',
    chapters: 'Chapters',
    seconds: 'Length in seconds',
    watchRequired: 'Must be watched',
    sizes: 'Sizes',
    poster: 'Poster',
  },
  read({ file, captions, ...front }, { complete, has, lacks }) {
    const { captionsLanguage, moreCaptions, chapters = '', seconds, watchRequired, sizes, poster } = front;
    if (complete && !file) lacks('file', 'is missing: a video needs one');
    if (complete && !captions && !embedOf(file)) lacks('captions', 'is missing: every video needs captions');
    if (complete && watchRequired && !seconds) {
      lacks('watchRequired', 'needs seconds: the share that was watched is computed from it');
    }
    if (isPastEnd(chapters, seconds)) lacks('chapters', 'has one that begins after the end of the video');
    const more = moreCaptions?.map(({ language, file }) => ({ language, url: file }));
    const captioned = { captionsUrl: captions, captionsLanguage, moreCaptions: more };
    if (isLanguageTwice(captioned)) lacks('moreCaptions', 'have a language twice');
    const lesson = { content: '', fileUrl: file, ...captioned, chapters, watchRequired };
    for (const { field, isMissing, toSave } of embedNeeds) {
      if (isMissing(lesson)) lacks(KEYS[field] ?? field, toSave);
    }
    if (sizes && !isOwnFile(file ?? '')) lacks('sizes', 'belong to a file of the course');
    if (poster && !sizes) lacks('poster', 'belongs to sizes of the video');
    for (const { key, name } of partsOfVideo({ sizes, poster })) {
      if (!has(`files/${name}`)) lacks(key, `names a file that is missing: files/${name}`);
    }
    const language = captionsLanguage === CAPTIONS_LANGUAGE ? undefined : captionsLanguage;
    return {
      ...{ file, captions, captionsLanguage: language, moreCaptions },
      ...{ chapters, seconds, watchRequired, sizes, poster },
    };
  },
  columns: ({ captionsLanguage = CAPTIONS_LANGUAGE, chapters, seconds, watchRequired }) => ({
    captionsLanguage,
    chapters,
    durationSeconds: seconds ?? null,
    watchRequired,
  }),
  fromRow: (row, { nameOf, converted }) => ({
    file: nameOf(row.fileUrl) ?? undefined,
    captions: nameOf(row.captionsUrl) ?? undefined,
    captionsLanguage: row.captionsLanguage === CAPTIONS_LANGUAGE ? undefined : row.captionsLanguage,
    moreCaptions:
      row.moreCaptions.length > 0
        ? row.moreCaptions.map(({ language, url }) => ({ language, file: nameOf(url)! }))
        : undefined,
    chapters: row.chapters,
    seconds: row.durationSeconds ?? undefined,
    watchRequired: row.watchRequired,
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
