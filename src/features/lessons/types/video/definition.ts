import type { LessonBody, LessonTypeDefinition } from '#src/features/lessons/lesson-type.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { CAPTIONS_LANGUAGE, captionsPlace, isLanguageTwice, LANGUAGE_TWICE } from './captions.ts';
import { isPastEnd } from './chapters.ts';
import { embedOf, isPlayable } from './embed.ts';
import { WATCHED_PERCENT, watchedPercent } from './watching.ts';

const UNPLAYABLE =
  'No video can be played from this address. Give that of an MP4 or WebM file, or of a video on YouTube or Vimeo.';
const UNMEASURED =
  'How much of a YouTube or Vimeo video was watched cannot be told. Upload it, or do not ask for it to be watched.';
const CHAPTERED =
  'A YouTube or Vimeo video shows the chapters that it has there. Upload it to give it chapters here.';
const CAPTIONED =
  'A YouTube or Vimeo video shows the captions that it has there. Add them there, or upload the video.';
const PAST_END = 'The last chapter begins after the end of the video';

/** What a player of another site cannot have from here. */
export const embedNeeds = (
  [
    ['fileUrl', ({ watchRequired }) => watchRequired === true, UNMEASURED],
    ['captionsUrl', ({ captionsUrl }) => !isBlank(captionsUrl), CAPTIONED],
    ['moreCaptions', ({ moreCaptions = [] }) => moreCaptions.length > 0, CAPTIONED],
    ['chapters', ({ chapters }) => !isBlank(chapters), CHAPTERED],
  ] satisfies [string, (lesson: LessonBody) => boolean, string][]
).map(([field, isAsked, why]) => ({
  field,
  isMissing: (lesson: LessonBody) => embedOf(lesson.fileUrl) !== null && isAsked(lesson),
  toSave: why,
  toPublish: why,
}));

export const video = {
  name: 'video',
  label: 'Video',
  shortLabel: 'Video',
  icon: 'circle-play',
  columns: {
    ...{ fileUrl: null, captionsUrl: null, captionsLanguage: CAPTIONS_LANGUAGE, moreCaptions: [] },
    ...{ chapters: '', durationSeconds: null, watchRequired: false },
  },
  parts: [],
  files: {
    fileUrl: { where: 'The file', expects: 'video' },
    captionsUrl: {
      where: ({ captionsLanguage = CAPTIONS_LANGUAGE }) => captionsPlace(captionsLanguage),
      expects: 'captions',
    },
  },
  moreFiles: ({ moreCaptions = [] }) =>
    moreCaptions.map(({ language, url }) => ({
      ...{ field: 'moreCaptions', where: captionsPlace(language), address: url, expects: 'captions' },
    })),
  needs: [
    {
      field: 'fileUrl',
      isMissing: ({ fileUrl }) => isBlank(fileUrl),
      toSave: 'File URL is required',
      toPublish: 'The video has no file.',
    },
    {
      field: 'fileUrl',
      isMissing: ({ fileUrl }) => !isBlank(fileUrl) && !isPlayable(fileUrl!),
      toSave: UNPLAYABLE,
      toPublish: UNPLAYABLE,
    },
    ...embedNeeds,
    {
      field: 'moreCaptions',
      isMissing: isLanguageTwice,
      toSave: LANGUAGE_TWICE,
      toPublish: LANGUAGE_TWICE,
    },
    {
      field: 'chapters',
      isMissing: ({ chapters = '', durationSeconds }) => isPastEnd(chapters, durationSeconds),
      toSave: PAST_END,
      toPublish: PAST_END,
    },
    {
      field: 'durationSeconds',
      isMissing: ({ watchRequired, durationSeconds }) => watchRequired === true && !durationSeconds,
      toPublish: 'The video must be watched, but its length is not known, so nobody can complete it.',
    },
  ],
  isPassed: false,
  unfinished: ({ watchRequired, durationSeconds }, watched) =>
    watchRequired && durationSeconds && watchedPercent(watched, durationSeconds)! < WATCHED_PERCENT
      ? `Watch at least ${WATCHED_PERCENT}% of this video to complete it.`
      : null,
  text: { field: 'content', label: 'Description' },
  ownScreen: null,
} as const satisfies LessonTypeDefinition;
