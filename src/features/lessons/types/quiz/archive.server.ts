import { z } from 'zod';
import {
  filled,
  frontMatter,
  lessonFormat,
  line,
  text,
} from '#src/features/authoring/transfer/lesson-format.server.ts';
import { quiz } from './definition.ts';

const question = z
  .strictObject({
    question: text(1000),
    options: z.array(line(500)).min(2, 'needs at least two').max(8, 'has more than eight'),
    correctAnswer: z.int('must be the number of an option').min(0, 'must be the number of an option'),
    explanation: z.union([z.literal(''), text(2000)], 'must be text').default(''),
  })
  .refine(({ options, correctAnswer }) => correctAnswer < options.length, {
    path: ['correctAnswer'],
    error: 'must be the number of an option, counted from 0',
  });

/** A quiz among the files of a course. */
export const quizFormat = lessonFormat({
  type: quiz.name,
  front: frontMatter(quiz.name, {
    questions: z.array(question, 'must be a list').max(100, 'has more than 100').default([]),
  }),
  labels: { questions: 'Questions' },
  read({ questions }, { complete, lacks }) {
    if (complete && questions.length === 0) lacks('questions', 'needs at least one');
    if (complete && questions.some(({ explanation }) => !explanation)) {
      lacks('questions', 'each needs an explanation');
    }
    return { questions };
  },
  write: ({ questions }) => ({
    keys: {
      questions: questions.map(({ question, options, correctAnswer, explanation }) => ({
        question: question.trim(),
        options: options.map((option) => option.trim()),
        correctAnswer,
        ...filled({ explanation }),
      })),
    },
    files: {},
  }),
  columns: ({ questions }) => ({ questions }),
  fromRow: (_, { questions }) => ({ questions }),
});
