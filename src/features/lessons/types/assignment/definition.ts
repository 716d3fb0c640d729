import type { LessonTypeDefinition } from '#src/features/lessons/lesson-type.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { completionText } from './settings.ts';

export const assignment = {
  name: 'assignment',
  label: 'Assignment',
  shortLabel: 'Assignment',
  icon: 'file-check',
  columns: { fileUrl: null, assignmentSettings: {} },
  parts: [],
  files: { fileUrl: { where: 'The file', expects: 'file' } },
  needs: [
    {
      field: 'content',
      isMissing: ({ content }) => isBlank(content),
      toSave: 'The task is required',
      toPublish: 'The assignment does not say what to do.',
    },
  ],
  isPassed: true,
  passing: ({ assignmentSettings: { completeFrom } = {} }) => ({
    promise: completionText(completeFrom),
    refusal:
      completeFrom === undefined
        ? 'Hand in your work to complete this lesson.'
        : `A grade of at least ${completeFrom} completes this lesson.`,
  }),
  text: { field: 'content', label: 'Task' },
  ownScreen: null,
} as const satisfies LessonTypeDefinition;
