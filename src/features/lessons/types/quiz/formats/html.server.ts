import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { plainParagraphs, RENDERER_VERSION, renderMarkdown } from '#src/server/markdown.ts';
import { phrasing, withoutHeadings } from '#src/server/phrasing.ts';
import { AppError } from '#src/shared/errors.ts';
import { summed } from '#src/features/lessons/sums.server.ts';
import type { Question } from '../question.ts';

// A question that says `format: 'markdown'` is sent with its texts as HTML, beside the texts themselves. The HTML is made
// when the question is saved and stored in its row.

/** Bytes of HTML that the texts of one formatted question, and those of a whole quiz, come to at most. */
export const QUESTION_HTML_MAX = 65_536;
export const QUIZ_HTML_MAX = 262_144;
/** Bytes of all questions of a quiz, or drawn for it: twice that, and their HTML, fits into one answer. */
const QUIZ_JSON_MAX = 655_360;
/** Kinds whose whole list the result of an attempt says twice more: as it was given, and as it is right. */
const TOLD_WHOLE = new Set<Question['kind']>(['several_answers', 'ordering', 'matching', 'gaps']);

/** The texts of a formatted question as HTML. */
export interface QuestionHtml {
  /** Digest of the texts, and of the renderer's version. */
  of: string;
  question: string;
  /** Of a choice, as what may stand in a label. */
  options: string[];
  explanation: string;
}

const optionsOf = (question: Question) => ('options' in question ? question.options : []);

const digestOf = (question: Question) =>
  createHash('sha256')
    .update(JSON.stringify([RENDERER_VERSION, question.question, optionsOf(question), question.explanation]))
    .digest('base64');

/** What makes the HTML of each text: the question, its options, its explanation. */
function renderersOf(question: Question): (() => string)[] {
  // A page has its own headings.
  const block = (text: string) => text && withoutHeadings(renderMarkdown(text));
  return [
    () => block(question.question),
    ...optionsOf(question).map((option) => () => phrasing(renderMarkdown(option))),
    () => block(question.explanation),
  ];
}

const htmlOf = (question: Question, texts: readonly string[]): QuestionHtml => ({
  of: digestOf(question),
  question: texts[0]!,
  options: texts.slice(1, -1),
  explanation: texts.at(-1)!,
});

const bytesOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Bytes of the HTML, or of the texts where these are more: text that becomes nothing costs time too. */
const weightOf = (question: Question, { question: asked, options, explanation }: QuestionHtml) =>
  Math.max(
    bytesOf([asked, ...options, explanation]),
    bytesOf([question.question, ...optionsOf(question), question.explanation]),
  );

/** Half of what one answer has of a question: with the questions of an attempt it has those of the last, and its result. */
function writtenBytes(question: Question): number {
  const bytes = Buffer.byteLength(JSON.stringify(question));
  if (TOLD_WHOLE.has(question.kind)) return 2 * bytes;
  return bytes + Math.max(0, ...optionsOf(question).map((option) => Buffer.byteLength(option)));
}

/** Of questions of other quizzes those that are asked beside a quiz's own: as many as the bound has room for. */
export function withinQuiz<Q extends Question>(own: readonly Question[], others: readonly Q[]): Q[] {
  let bytes = own.reduce((sum, question) => sum + writtenBytes(question), 0);
  return others.filter((question) => {
    bytes += writtenBytes(question);
    return bytes <= QUIZ_JSON_MAX;
  });
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`;
const ADVICE = 'use fewer formulas, tables and blocks of code, or make the texts shorter';

function tooLarge(message: string): AppError {
  return new AppError('invalid_input', message, { fields: { questions: message } });
}

/**
 * The HTML of a quiz's questions, null for a plain one. It ends at the question that goes beyond a bound.
 *
 * @param title of the quiz
 * @throws {AppError} invalid_input naming the sum and the largest question
 */
export async function renderQuestions(
  title: string,
  questions: readonly Question[],
): Promise<(QuestionHtml | null)[]> {
  const isCountedTwice = questions.some(({ kind }) => TOLD_WHOLE.has(kind));
  const note = isCountedTwice
    ? '; what is ordered, matched, filled in or has several answers counts twice'
    : '';
  const advice = `make several quizzes of them${note}`;
  const [of, field] = [`The questions of “${title}”`, 'questions'];
  const addWritten = summed(of, QUIZ_JSON_MAX, { field, advice });
  const addShown = summed(of, QUIZ_HTML_MAX, { field, where: ' on the page', advice: ADVICE });
  for (const [index, question] of questions.entries()) {
    addWritten(`Question ${index + 1}`, writtenBytes(question));
  }
  const all: (QuestionHtml | null)[] = [];
  for (const [index, question] of questions.entries()) {
    if (!question.format) {
      all.push(null);
      continue;
    }
    const texts: string[] = [];
    for (const render of renderersOf(question)) {
      texts.push(render());
      // A thousand questions take a third of a second: others have their turn between two texts.
      await nextTurn();
    }
    const html = htmlOf(question, texts);
    const bytes = weightOf(question, html);
    const place = index + 1;
    if (bytes > QUESTION_HTML_MAX) {
      throw tooLarge(
        `Question ${place} of “${title}” alone would be ${kilobytes(bytes)} on the page, at most ${kilobytes(QUESTION_HTML_MAX)} are possible: ${ADVICE}`,
      );
    }
    addShown(`Question ${place}`, bytes);
    all.push(html);
  }
  return all;
}

/** What is left of the HTML that one answer may hold. */
export interface HtmlRoom {
  bytes: number;
}

/**
 * The HTML of a formatted question as it is stored, made here only where the row has none of these texts; null where the
 * question is plain or there is no room: then its texts are shown as they were written.
 *
 * @param room goes down
 */
export function htmlWithin(
  room: HtmlRoom,
  question: Question & { html?: QuestionHtml | null },
): QuestionHtml | null {
  if (!question.format || room.bytes <= 0) return null;
  const { html: stored } = question;
  const html =
    stored?.of === digestOf(question)
      ? stored
      : htmlOf(
          question,
          renderersOf(question).map((render) => render()),
        );
  room.bytes -= weightOf(question, html);
  return room.bytes < 0 ? null : html;
}

/** The words of a formatted text on one line. */
export const wordsOf = (text: string): string => plainParagraphs(text).join(' ').replace(/\s+/g, ' ').trim();

/** A text of a question on one line, for lists; one that is not formatted stays as it is. */
export function plainLine({ format }: { format?: 'markdown' | undefined }, text: string): string {
  return (format && wordsOf(text)) || text;
}

/** A question without formats, as a file that knows none has it. */
export function plainQuestion(question: Question): Question {
  if (!question.format) return question;
  const plain = (text: string) => plainLine(question, text);
  return {
    ...question,
    question: plain(question.question),
    explanation: question.explanation && plain(question.explanation),
    ...('options' in question ? { options: question.options.map(plain) } : {}),
  } as Question;
}
