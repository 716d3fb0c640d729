import type { LessonTypeDefinition } from '#src/features/lessons/lesson-type.ts';
import { courseTags } from './settings.ts';

export const quiz = {
  name: 'quiz',
  label: 'Quiz',
  shortLabel: 'Quiz',
  builderLabel: 'Quiz',
  icon: 'circle-question-mark',
  listIcon: 'list-checks',
  columns: { quizSettings: {} },
  parts: ['questions'],
  files: {},
  needs: [
    {
      field: 'questions',
      // One that draws from the other quizzes of its course needs none of its own.
      isMissing: ({ questions, quizSettings }) =>
        !questions?.length && courseTags(quizSettings ?? {}).length === 0,
      toSave: 'A quiz needs at least one question',
      toPublish: 'The quiz has no questions.',
      gap: 'questions',
      isPassedBy: true,
    },
  ],
  isPassed: true,
  text: { field: 'content', label: 'Description' },
  ownScreen: null,
} as const satisfies LessonTypeDefinition;
