import type { LessonTypeDefinition } from '#src/features/lessons/lesson-type.ts';
import { isBlank } from '#src/shared/is-blank.ts';

export const text = {
  name: 'text',
  label: 'Text',
  shortLabel: 'Text',
  builderLabel: 'Text lesson',
  icon: 'file-text',
  listIcon: 'type',
  columns: {},
  parts: [],
  files: {},
  needs: [
    {
      field: 'content',
      isMissing: ({ content }) => isBlank(content),
      toSave: 'Content is required',
      toPublish: 'The lesson has no text.',
    },
  ],
  isPassed: false,
  text: { field: 'content', label: 'Content' },
  ownScreen: null,
} as const satisfies LessonTypeDefinition;
