import { z } from 'zod';
import { filled, frontMatter, lessonFormat, text } from '#src/features/lessons/lesson-format.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { anyOf } from '#src/shared/fields.ts';
import { quiz } from './definition.ts';
import { renderQuestions } from './formats/html.server.ts';
import { KIND_NAMES, linesWherePlain, QUESTION_MAX, tidy } from './kinds/kind.ts';
import { singleChoiceFields } from './kinds/single-choice/definition.ts';
import { NAMED_KINDS, QUESTIONS_MAX } from './question.ts';
import { courseTags, quizSettingsInput } from './settings.ts';

const singleChoice = z
  .strictObject({
    ...singleChoiceFields,
    question: text(QUESTION_MAX.question),
    options: z.array(text(QUESTION_MAX.choice)).min(2, 'needs at least two').max(8, 'has more than eight'),
    correctAnswer: z.int('must be the number of an option').min(0, 'must be the number of an option'),
    explanation: z.union([z.literal(''), text(QUESTION_MAX.explanation)], 'must be text').default(''),
  })
  .refine(({ options, correctAnswer }) => correctAnswer < options.length, {
    path: ['correctAnswer'],
    error: 'must be the number of an option, counted from 0',
  })
  .superRefine(linesWherePlain);

const question = z
  .discriminatedUnion('kind', [singleChoice, ...NAMED_KINDS], { error: `must be ${anyOf(KIND_NAMES)}` })
  .transform(tidy);

export const quizFormat = lessonFormat({
  type: quiz.name,
  front: frontMatter(quiz.name, {
    questions: z
      .array(question, 'must be a list')
      .max(QUESTIONS_MAX, `has more than ${QUESTIONS_MAX}`)
      .default([]),
    quizSettings: quizSettingsInput.default({}),
  }),
  labels: { questions: 'Questions', quizSettings: 'How it is asked' },
  async read({ title, questions, quizSettings }, { complete, lacks }) {
    try {
      await renderQuestions(title, questions);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      lacks('questions', `must be smaller. ${error.message}`);
    }
    if (complete && questions.length === 0 && courseTags(quizSettings).length === 0)
      lacks('questions', 'needs at least one');
    if (complete && questions.some(({ explanation }) => !explanation)) {
      lacks('questions', 'each needs an explanation');
    }
    return { questions, quizSettings };
  },
  write: ({ questions, quizSettings }) => ({
    keys: {
      questions: questions.map(({ id: _, question, explanation, ...rest }) => ({
        question: question.trim(),
        ...rest,
        ...('options' in rest ? { options: rest.options.map((option) => option.trim()) } : {}),
        ...filled({ explanation }),
      })),
      ...(Object.keys(quizSettings).length > 0 ? { quizSettings } : {}),
    },
    files: {},
  }),
  columns: ({ questions, quizSettings }) => ({ questions, quizSettings }),
  // The database keeps the keys in another order than files have them.
  fromRow: ({ quizSettings }, { questions }) => ({
    questions,
    quizSettings: quizSettingsInput.parse(quizSettings),
  }),
});
