import type { LessonTypeDefinition } from '#src/features/lessons/lesson-type.ts';
import { isBlank } from '#src/shared/is-blank.ts';

export const assignment = {
  name: 'assignment',
  label: 'Assignment',
  shortLabel: 'Assignment',
  fields: ['fileUrl', 'assignmentSettings'],
  needs: [
    {
      field: 'content',
      isMissing: ({ content }) => isBlank(content),
      toSave: 'The task is required',
      toPublish: 'The assignment does not say what to do.',
    },
  ],
  isPassed: true,
  text: { field: 'content', label: 'Task' },
  ownScreen: null,
} as const satisfies LessonTypeDefinition;
