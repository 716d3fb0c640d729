import { createHash } from 'node:crypto';
import { AppError } from '#src/shared/errors.ts';
import { gapsGrader } from './kinds/gaps/grade.ts';
import {
  type Answer,
  type Answers,
  type Arrange,
  type Grader,
  type KindName,
  type MarkedAnswer,
  NO_ANSWER,
  type ShownQuestion,
} from './kinds/kind.ts';
import { missingOf } from './kinds/kinds.ts';
import { matchingGrader } from './kinds/matching/grade.ts';
import { numberGrader } from './kinds/number/grade.ts';
import { orderingGrader } from './kinds/ordering/grade.ts';
import { severalAnswersGrader } from './kinds/several-answers/grade.ts';
import { shortTextGrader } from './kinds/short-text/grade.ts';
import { singleChoiceGrader } from './kinds/single-choice/grade.ts';
import { trueFalseGrader } from './kinds/true-false/grade.ts';
import { kindOf, type Question, type QuestionOf, questionOfRow, type QuestionRow } from './question.ts';
import {
  type HtmlRoom,
  htmlWithin,
  plainLine,
  QUIZ_HTML_MAX,
  type QuestionHtml,
  withinQuiz,
} from './formats/html.server.ts';
import { drawnFrom, type QuizSettings } from './settings.ts';

const GRADERS: { [K in KindName]: Grader<QuestionOf<K>> } = {
  single_choice: singleChoiceGrader,
  several_answers: severalAnswersGrader,
  true_false: trueFalseGrader,
  short_text: shortTextGrader,
  number: numberGrader,
  ordering: orderingGrader,
  matching: matchingGrader,
  gaps: gapsGrader,
};

export function graderOf(question: Question): Grader<Question> {
  // The compiler cannot follow a union through a table.
  return GRADERS[kindOf(question)] as unknown as Grader<Question>;
}

export type KeptQuestion = Question & { id: number; html?: QuestionHtml | null };

/** Names the one attempt at a quiz that everybody has who only tries it. */
export const previewSeed = (lessonId: number) => `preview ${lessonId}`;

export interface AskedQuestion {
  kept: KeptQuestion;
  shown: ShownQuestion;
  html: QuestionHtml | null;
}

/** Drawn and ordered the same way for the whole attempt. */
export function askedQuestions(
  questions: readonly KeptQuestion[],
  settings: QuizSettings,
  seed: string,
  bank: readonly KeptQuestion[] = [],
  room: HtmlRoom = { bytes: QUIZ_HTML_MAX },
): AskedQuestion[] {
  const rank = (text: string) => createHash('sha256').update(`${seed}\n${text}`).digest('hex');
  const ranked = <T>(items: readonly T[], textOf: (item: T) => string) =>
    items
      .map((item) => ({ item, place: rank(textOf(item)) }))
      .toSorted((a, b) => (a.place < b.place ? -1 : 1))
      .map(({ item }) => item);
  const tagged = new Set<KeptQuestion>();
  const chosen = new Set<KeptQuestion>();
  for (const { count, among } of drawnFrom(questions, settings, bank)) {
    for (const [place, question] of ranked(among, ({ id }) => `draw ${id}`).entries()) {
      tagged.add(question);
      if (place < count) chosen.add(question);
    }
  }
  const own = questions.filter((question) => !tagged.has(question) || chosen.has(question));
  const others = withinQuiz(
    own,
    bank.filter((question) => chosen.has(question)),
  );
  const drawn = [...own, ...others];
  const placed = settings.shuffleQuestions ? ranked(drawn, ({ id }) => `place ${id}`) : drawn;
  return placed.map((kept) => {
    const kind = kindOf(kept);
    const arrange: Arrange = (texts) => ranked(texts, (text) => `${kept.id} ${text}`);
    const isShuffled = settings.shuffleOptions === true;
    const isChoice = kind === 'single_choice' || kind === 'several_answers';
    const own = graderOf(kept).shown(kept, isChoice && !isShuffled ? (texts) => [...texts] : arrange);
    const shown: ShownQuestion = { id: kept.id, question: kept.question, options: [], ...own };
    if (kind !== 'single_choice') shown.kind = kind;
    else if (isShuffled) Object.assign(shown, { shuffled: true, options: arrange(shown.options) });
    if (kept.points !== undefined) shown.points = kept.points;
    const html = htmlWithin(room, kept);
    if (html) shown.questionHtml = html.question;
    if (html && 'options' in kept) {
      const htmlOf = new Map(kept.options.map((option, at) => [option, html.options[at] ?? '']));
      shown.optionsHtml = shown.options.map((option) => htmlOf.get(option) ?? '');
    }
    return { kept, shown, html };
  });
}

/** Of answers that were kept, those to questions that are still asked and can still be answered so. */
export function stillValid(asked: readonly AskedQuestion[], answers: Answers): Answers {
  return Object.fromEntries(
    asked.flatMap(({ kept }) => {
      const answer = answers[kept.id];
      return answer !== undefined && graderOf(kept).read(kept, answer) !== null ? [[kept.id, answer]] : [];
    }),
  );
}

/**
 * The answers to store. @throws {AppError} invalid_input naming questions without a valid answer; conflict
 * where the quiz has changed
 */
export function readAnswers(
  asked: readonly AskedQuestion[],
  answers: Answers,
  { known = {}, isPart = false }: { known?: Answers; isPart?: boolean } = {},
): Answers {
  const ids = new Set(asked.map(({ kept }) => String(kept.id)));
  if (Object.keys(answers).some((id) => !ids.has(id))) {
    throw new AppError(
      'conflict',
      'This quiz was changed after you opened it. Reload the page to see its questions.',
    );
  }
  const fields: Record<string, string> = {};
  const read: Answers = { ...known };
  for (const [index, { kept, shown }] of asked.entries()) {
    const answer = answers[kept.id];
    if (known[kept.id] !== undefined || (isPart && answer === undefined)) continue;
    const missing = missingOf(shown, answer);
    // An option may be given by its place or text, of which the page takes one.
    const isRefused = answer === undefined || (missing !== null && missing !== NO_ANSWER);
    const found = isRefused ? null : graderOf(kept).read(kept, answer);
    if (found !== null) read[kept.id] = found;
    else fields[`answers.${kept.id}`] = `Question ${index + 1} ${isRefused ? missing : noSuch(answer)}`;
  }
  const [first] = Object.values(fields);
  if (first) throw new AppError('invalid_input', first, { fields });
  return read;
}

const isEmpty = (answer: Answer) =>
  (typeof answer === 'string' && answer.trim() === '') ||
  (Array.isArray(answer) && answer.every((text) => text.trim() === ''));
const noSuch = (answer: Answer) => (isEmpty(answer) ? NO_ANSWER : 'has no such option');

/** Only ever called for a stored answer (decision 36). */
export function markedAnswer(
  { kept, shown, html }: AskedQuestion,
  answer: Answer | null,
  again?: number,
): MarkedAnswer {
  const grader = graderOf(kept);
  const isSingle = kindOf(kept) === 'single_choice';
  const solution = grader.solution(kept);
  const spoken = (one: Answer) =>
    shown.shuffled ? ((kept as QuestionOf<'single_choice'>).options[one as number] ?? one) : one;
  const marked: MarkedAnswer = {
    questionId: kept.id,
    chosen: isSingle && typeof answer === 'number' ? answer : null,
    correctAnswer: isSingle ? (solution as number) : null,
    explanation: kept.explanation,
  };
  if (html?.explanation) marked.explanationHtml = html.explanation;
  if (!isSingle || shown.shuffled) {
    marked.given = answer === null ? null : spoken(answer);
    marked.solution = spoken(solution);
  }
  if (!isSingle || kept.points !== undefined)
    marked.credit = answer === null ? 0 : grader.credit(kept, answer);
  if (kept.points !== undefined) marked.points = kept.points;
  if (grader.solutionText) marked.solutionText = grader.solutionText(kept);
  if (answer !== null && grader.rightParts) marked.rightParts = grader.rightParts(kept, answer);
  const feedback =
    answer === null
      ? []
      : (grader.feedback?.(kept, answer, (option) => plainLine(kept, option)) ?? []).filter(
          (text) => text !== '',
        );
  if (feedback.length > 0) marked.feedback = feedback;
  return again === undefined ? marked : { ...marked, credit: again, markedAgain: true };
}

/** Percent, rounded down so that 69.9 does not pass. `credits` go before what the questions give. */
export function scoreOf(
  asked: readonly Pick<AskedQuestion, 'kept'>[],
  read: Answers,
  credits: Readonly<Record<string, number>> = {},
): { score: number; right: number } {
  let [earned, possible, right] = [0, 0, 0];
  for (const { kept } of asked) {
    const answer = read[kept.id];
    const credit = credits[kept.id] ?? (answer === undefined ? 0 : graderOf(kept).credit(kept, answer));
    const points = kept.points ?? 1;
    earned += credit * points;
    possible += points;
    if (credit === 1) right += 1;
  }
  // Thirds do not add up to a whole for a computer.
  const score = possible === 0 ? 0 : Math.floor((100 * earned) / possible + 1e-9);
  return { score, right };
}

export function previewQuestions(
  { id, quizSettings }: { id: number; quizSettings: QuizSettings },
  rows: readonly (QuestionRow & Pick<KeptQuestion, 'id' | 'html'>)[],
  room: HtmlRoom,
): ShownQuestion[] {
  const kept = rows.map((row) => ({ ...questionOfRow(row), id: row.id, html: row.html }));
  return askedQuestions(kept as KeptQuestion[], quizSettings, previewSeed(id), [], room).map(
    ({ shown }) => shown,
  );
}
