import type { LessonTypeDefinition } from '#src/features/lessons/lesson-type.ts';
import { isBlank } from '#src/shared/is-blank.ts';

export const video = {
  name: 'video',
  label: 'Video',
  shortLabel: 'Video',
  fields: ['fileUrl', 'captionsUrl', 'durationSeconds', 'watchRequired'],
  needs: [
    {
      field: 'fileUrl',
      isMissing: ({ fileUrl }) => isBlank(fileUrl),
      toSave: 'File URL is required',
      toPublish: 'The video has no file.',
    },
    {
      field: 'durationSeconds',
      isMissing: ({ watchRequired, durationSeconds }) => watchRequired === true && !durationSeconds,
      toPublish: 'The video must be watched, but its length is not known, so nobody can complete it.',
    },
  ],
  isPassed: false,
  text: { field: 'content', label: 'Description' },
  ownScreen: null,
} as const satisfies LessonTypeDefinition;
