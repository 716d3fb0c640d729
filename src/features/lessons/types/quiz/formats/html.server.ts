import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { plainParagraphs, RENDERER_VERSION, renderMarkdown } from '#src/server/markdown.ts';
import { phrasing, withoutHeadings } from '#src/server/phrasing.ts';
import { AppError } from '#src/shared/errors.ts';
import { summed } from '#src/features/lessons/sums.server.ts';
import type { Question } from '../question.ts';

// A question that says `format: 'markdown'` is sent with its texts as HTML, beside the texts themselves.

/** Bytes of HTML at most, of one question and of a quiz. */
const QUESTION_HTML_MAX = 65_536;
export const QUIZ_HTML_MAX = 262_144;
/** Twice that and their HTML fits into one answer. */
const QUIZ_JSON_MAX = 655_360;
const TOLD_WHOLE = new Set<Question['kind']>(['several_answers', 'ordering', 'matching', 'gaps']);

export interface QuestionHtml {
  of: string;
  question: string;
  options: string[];
  explanation: string;
}

const optionsOf = (question: Question) => ('options' in question ? question.options : []);

const digestOf = (question: Question) =>
  createHash('sha256')
    .update(JSON.stringify([RENDERER_VERSION, question.question, optionsOf(question), question.explanation]))
    .digest('base64');

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

/** HTML or source, whichever is larger: text that becomes nothing costs time too. */
const weightOf = (question: Question, { question: asked, options, explanation }: QuestionHtml) =>
  Math.max(
    bytesOf([asked, ...options, explanation]),
    bytesOf([question.question, ...optionsOf(question), question.explanation]),
  );

function writtenBytes(question: Question): number {
  const bytes = Buffer.byteLength(JSON.stringify(question));
  if (TOLD_WHOLE.has(question.kind)) return 2 * bytes;
  return bytes + Math.max(0, ...optionsOf(question).map((option) => Buffer.byteLength(option)));
}

/** As many of other quizzes' questions as the bound has room for. */
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
 * The HTML of questions, null for a plain one.
 * @throws {AppError} invalid_input naming the largest question
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

export interface HtmlRoom {
  bytes: number;
}

/** Stored HTML; rendered again only for other texts. */
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

export const wordsOf = (text: string): string => plainParagraphs(text).join(' ').replace(/\s+/g, ' ').trim();

export function plainLine({ format }: { format?: 'markdown' | undefined }, text: string): string {
  return (format && wordsOf(text)) || text;
}

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
