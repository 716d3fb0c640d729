import type { LessonTypeDefinition } from '#src/features/lessons/lesson-type.ts';

export const quiz = {
  name: 'quiz',
  label: 'Quiz',
  shortLabel: 'Quiz',
  builderLabel: 'Quiz',
  fields: ['questions', 'quizSettings'],
  needs: [
    {
      field: 'questions',
      isMissing: ({ questions }) => !questions?.length,
      toSave: 'A quiz needs at least one question',
      toPublish: 'The quiz has no questions.',
      gap: 'questions',
    },
  ],
  isPassed: true,
  text: { field: 'content', label: 'Description' },
  ownScreen: null,
} as const satisfies LessonTypeDefinition;
