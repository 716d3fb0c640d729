import type { LessonTypeDefinition } from '#src/features/lessons/lesson-type.ts';
import { isBlank } from '#src/shared/is-blank.ts';

export const document = {
  name: 'document',
  label: 'Document',
  shortLabel: 'Document',
  icon: 'file-down',
  listIcon: 'file-text',
  columns: { fileUrl: null },
  parts: [],
  files: { fileUrl: { where: 'The file', expects: 'file' } },
  needs: [
    {
      field: 'fileUrl',
      isMissing: ({ fileUrl }) => isBlank(fileUrl),
      toSave: 'File URL is required',
      toPublish: 'The document has no file.',
    },
  ],
  isPassed: false,
  text: { field: 'content', label: 'Description' },
  ownScreen: null,
} as const satisfies LessonTypeDefinition;
