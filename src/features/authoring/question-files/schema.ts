import { z } from 'zod';
import { type Question, questionInput } from '#src/features/lessons/types/quiz/question.ts';
import { contract } from '#src/shared/contract.ts';
import { FILE_QUESTIONS_MAX } from './question-file.ts';

/** A package may hold pictures, which are left out. */
export const QUESTION_FILE_MAX_BYTES = 20 * 1_048_576;

const remark = z.object({ file: z.string().nullable(), line: z.number().nullable(), message: z.string() });

/**
 * Reads GIFT, Moodle XML, a QTI item or a QTI package from a form with `file`. Mistakes are part of the
 * answer.
 */
export const readQuestionFileCall = contract({
  method: 'POST',
  path: '/api/admin/questions/files',
  output: z.object({
    questions: z.array(z.custom<Question>()),
    words: z.array(z.custom<Question>()),
    problems: z.array(remark),
    moreProblems: z.number(),
    notes: z.array(remark),
  }),
});
export type QuestionFile = z.output<typeof readQuestionFileCall.output>;

export const EXPORT_FORMATS = ['gift', 'moodle', 'qti21', 'qti3'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const exportQuestionsCall = contract({
  method: 'POST',
  path: '/api/admin/questions/export',
  input: z.object({
    format: z.enum(EXPORT_FORMATS, { error: 'There is no such format' }),
    questions: z
      .array(questionInput, { error: 'Questions must be a list' })
      .min(1, 'There is no question to export')
      .max(FILE_QUESTIONS_MAX, `A file has at most ${FILE_QUESTIONS_MAX} questions`),
  }),
  output: z.object({
    name: z.string(),
    mediaType: z.string(),
    base64: z.string(),
    left: z.array(z.string()),
  }),
});
