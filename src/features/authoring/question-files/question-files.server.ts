import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import type { Question } from '#src/features/lessons/types/quiz/question.ts';
import { withUpload } from '#src/server/files/uploads.ts';
import { AppError } from '#src/shared/errors.ts';
import { readGift } from './gift.ts';
import { type WrittenQuestions, writeGift } from './gift-writer.ts';
import { QUESTION_TEXT_MAX_BYTES, type ReadQuestions, unreadable } from './question-file.ts';
import { type ExportFormat, type exportQuestionsCall, QUESTION_FILE_MAX_BYTES } from './schema.ts';

/**
 * Reads the questions of a file that is sent as `file` in a form. Nothing is kept.
 *
 * @throws {AppError} as `withUpload` does; invalid_input where no file came
 */
export function receiveQuestionFile(request: Request): Promise<ReadQuestions> {
  return withUpload(request, { maxBytes: QUESTION_FILE_MAX_BYTES }, async ({ file }) => {
    if (!file) {
      throw new AppError('invalid_input', 'Choose a file', { fields: { file: 'Choose a file' } });
    }
    if (file.size > QUESTION_TEXT_MAX_BYTES) return unreadable('The text is larger than 1 MB');
    const source = decoded(await readFile(file.file));
    return source === null ? unreadable('The file is not UTF-8 text: save it as such') : readGift(source);
  });
}

/** A text without the mark at its beginning; null where it is not UTF-8. */
function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const FORMATS: Record<
  ExportFormat,
  { name: string; mediaType: string; write: (questions: Question[]) => WrittenQuestions }
> = {
  gift: { name: 'questions.gift.txt', mediaType: 'text/plain;charset=utf-8', write: writeGift },
};

/** Questions as a file. */
export async function exportQuestions(
  format: ExportFormat,
  questions: Question[],
): Promise<z.input<typeof exportQuestionsCall.output>> {
  const { name, mediaType, write } = FORMATS[format];
  const { content, left } = write(questions);
  return { name, mediaType, base64: Buffer.from(content as string).toString('base64'), left };
}
