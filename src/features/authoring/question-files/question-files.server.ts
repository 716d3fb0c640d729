import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { Question } from '#src/features/lessons/types/quiz/question.ts';
import { plainQuestion } from '#src/features/lessons/types/quiz/formats/html.server.ts';
import { CourseFileError } from '#src/features/authoring/transfer/course-format.server.ts';
import { withZipTexts } from '#src/features/authoring/transfer/course-zip.server.ts';
import { withUpload } from '#src/server/files/uploads.ts';
import { AppError } from '#src/shared/errors.ts';
import { readGift } from './gift.ts';
import { type WrittenQuestions, writeGift } from './gift-writer.ts';
import { isMoodleXml, readMoodle } from './moodle.ts';
import { writeMoodle } from './moodle-writer.ts';
import { readQtiItem, readQtiPackage } from './qti.ts';
import { type QtiVersion, writeQti } from './qti-writer.ts';
import { QUESTION_TEXT_MAX_BYTES, type ReadQuestions, unreadable } from './question-file.ts';
import { type ExportFormat, type exportQuestionsCall, QUESTION_FILE_MAX_BYTES } from './schema.ts';

/**
 * Reads the questions of an uploaded file; stores nothing.
 * @throws {AppError} as `withUpload`; invalid_input without a file
 */
export async function receiveQuestionFile(request: Request): Promise<ReadQuestions & { words: Question[] }> {
  const read = await withUpload(request, { maxBytes: QUESTION_FILE_MAX_BYTES }, async ({ file }) => {
    if (!file) {
      throw new AppError('invalid_input', 'Choose a file', { fields: { file: 'Choose a file' } });
    }
    if (isZip(file.head)) return readPackage(file.file);
    if (file.size > QUESTION_TEXT_MAX_BYTES) return unreadable('The text is larger than 5 MB');
    const bytes = await readFile(file.file);
    if (!isUtf8(bytes)) return unreadable('The file is not UTF-8 text: save it as such');
    const source = new TextDecoder().decode(bytes);
    const isXml = /\.xml$/i.test(file.originalName) || XML.test(source.slice(0, 1000).trimStart());
    if (isMoodleXml(source)) return readMoodle(source);
    return isXml ? readQtiItem(source) : readGift(source);
  });
  return { ...read, words: read.questions.map(plainQuestion) };
}

/** XML whatever the file's name; GIFT may begin with a tag of HTML. */
const XML = /^<(\?xml|!DOCTYPE|!--|(\w+:)?(qti-)?assessment|quiz|questestinterop|manifest)/i;
const isZip = (head: Uint8Array) => head[0] === 0x50 && head[1] === 0x4b;

async function readPackage(path: string): Promise<ReadQuestions> {
  try {
    return await withZipTexts(path, readQtiPackage);
  } catch (error) {
    if (!(error instanceof CourseFileError)) throw error;
    const [first, ...others] = error.faults.map(({ file, message }) => unreadable(message, file));
    return { ...first!, problems: [first!, ...others].flatMap(({ problems }) => problems) };
  }
}

async function writePlain(questions: readonly Question[], version: QtiVersion): Promise<WrittenQuestions> {
  const plain: Question[] = [];
  for (const question of questions) {
    plain.push(plainQuestion(question));
    // Rendering much Markdown takes a second.
    if (question.format) await nextTurn();
  }
  const { left, ...made } = await writeQti(plain, version);
  const formatted = questions.flatMap(({ format }, at) =>
    format ? [`Question ${at + 1}: the format of its texts`] : [],
  );
  return { ...made, left: [...left, ...formatted] };
}

const FORMATS: Record<
  ExportFormat,
  {
    name: string;
    mediaType: string;
    write: (questions: Question[]) => WrittenQuestions | Promise<WrittenQuestions>;
  }
> = {
  gift: { name: 'questions.gift.txt', mediaType: 'text/plain;charset=utf-8', write: writeGift },
  moodle: { name: 'questions-moodle.xml', mediaType: 'application/xml', write: writeMoodle },
  qti21: {
    name: 'questions-qti-2.1.zip',
    mediaType: 'application/zip',
    write: (questions) => writePlain(questions, '2.1'),
  },
  qti3: {
    name: 'questions-qti-3.zip',
    mediaType: 'application/zip',
    write: (questions) => writePlain(questions, '3'),
  },
};

/** Keeps the answer below 2 MB. */
const EXPORTED_MAX = 1_400_000;

function requireSmall(field: string, what: string, bytes: number): void {
  if (bytes <= EXPORTED_MAX) return;
  const [is, max] = [bytes, EXPORTED_MAX].map((one) => `${Math.ceil(one / 1000)} KB`);
  const message = `${what} would be ${is}, at most ${max} are possible: export fewer questions at once`;
  throw new AppError('invalid_input', message, { fields: { [field]: message } });
}

/**
 * Questions as a file.
 * @param field of the questions in the call
 * @throws {AppError} invalid_input where the format holds none, or they are too large
 */
export async function exportQuestions(
  format: ExportFormat,
  questions: Question[],
  field: 'questions' | 'questionIds' = 'questions',
): Promise<z.input<typeof exportQuestionsCall.output>> {
  requireSmall(field, 'These questions', Buffer.byteLength(JSON.stringify(questions)));
  const { name, mediaType, write } = FORMATS[format];
  const { content, left, written } = await write(questions);
  if (written === 0) throw new AppError('invalid_input', left.join('. '));
  requireSmall(field, 'The file of these questions', content.byteLength);
  return { name, mediaType, base64: Buffer.from(content).toString('base64'), left };
}
