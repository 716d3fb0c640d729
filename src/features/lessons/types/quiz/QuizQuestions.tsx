import type { ComponentType } from 'react';
import { classNames } from '#src/components/class-names.ts';
import { InlineCode } from '#src/components/InlineCode.tsx';
import { counted } from '#src/shared/counted.ts';
import { GapsAnswer } from './kinds/gaps/Answer.tsx';
import type { Answer, AnswerProps, Answers, KindName, MarkedAnswer, ShownQuestion } from './kinds/kind.ts';
import { MatchingAnswer } from './kinds/matching/Answer.tsx';
import { NumberAnswer } from './kinds/number/Answer.tsx';
import { OrderingAnswer } from './kinds/ordering/Answer.tsx';
import { SeveralAnswersAnswer } from './kinds/several-answers/Answer.tsx';
import { ShortTextAnswer } from './kinds/short-text/Answer.tsx';
import { SingleChoiceAnswer } from './kinds/single-choice/Answer.tsx';
import { TrueFalseAnswer } from './kinds/true-false/Answer.tsx';
import { kindOf } from './question.ts';

const ANSWERS: Record<KindName, ComponentType<AnswerProps>> = {
  single_choice: SingleChoiceAnswer,
  several_answers: SeveralAnswersAnswer,
  true_false: TrueFalseAnswer,
  short_text: ShortTextAnswer,
  number: NumberAnswer,
  ordering: OrderingAnswer,
  matching: MatchingAnswer,
  gaps: GapsAnswer,
};

export function rightCount(marked: readonly MarkedAnswer[]): number {
  return marked.filter(isRight).length;
}

export const isRight = ({ credit, chosen, correctAnswer }: MarkedAnswer) =>
  credit === undefined ? chosen === correctAnswer : credit === 1;

const shownNumber = (value: number) => String(Math.round(value * 100) / 100);

function creditText({ credit = 0, points = 1 }: MarkedAnswer): string {
  return `${shownNumber(credit * points)} of ${counted(points, 'point')}`;
}

/** Questions to be answered; once marked, what was right and why (decision 36). */
export function QuizQuestions({
  questions,
  answers,
  errors,
  marked,
  only,
  says,
  onAnswer,
}: {
  questions: readonly ShownQuestion[];
  answers: Answers;
  errors: Record<string, string>;
  marked: readonly MarkedAnswer[] | null;
  only?: number | undefined;
  says?: string | undefined;
  onAnswer: (questionId: number, answer: Answer) => void;
}) {
  return questions.map((question, index) => {
    const { id, points, questionHtml } = question;
    if (only !== undefined && id !== only) return null;
    const name = `question-${id}`;
    const own = marked?.find(({ questionId }) => questionId === id) ?? null;
    const error = errors[`answers.${id}`];
    const AnswerPart = ANSWERS[kindOf(question)];
    return (
      <fieldset
        key={id}
        data-question={id}
        // What is more than a line cannot stand in a legend.
        aria-labelledby={questionHtml === undefined ? undefined : `${name}-place ${name}-text`}
        aria-describedby={error ? `${name}-error` : undefined}
        className={classNames(
          'min-w-0 rounded-lg border bg-surface p-5 sm:p-6',
          error ? 'border-danger' : 'border-line',
        )}
      >
        <legend className="contents">
          {/* The only one needs no number. */}
          <span id={`${name}-place`} className="block text-sm text-ink-soft">
            {questions.length > 1 && `Question ${index + 1} of ${questions.length}`}
            {questions.length > 1 && points !== undefined && ' · '}
            {points !== undefined && counted(points, 'point')}
          </span>
          {questionHtml === undefined && (
            <span className="mt-1 block font-semibold whitespace-pre-line">
              <InlineCode text={question.question} />
            </span>
          )}
        </legend>
        {questionHtml !== undefined && (
          <div
            id={`${name}-text`}
            className="prose mt-1 text-ink"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server's one Markdown renderer
            dangerouslySetInnerHTML={{ __html: questionHtml }}
          />
        )}
        <div className="mt-4">
          <AnswerPart
            question={question}
            name={name}
            value={answers[id]}
            marked={own}
            onChange={(answer) => onAnswer(id, answer)}
          />
        </div>
        {error && (
          <p id={`${name}-error`} className="mt-3 text-sm font-medium text-danger" role="alert">
            {error}
          </p>
        )}
        {/* There before it has anything to say. */}
        <div role={says === undefined ? undefined : 'status'}>
          {says && <p className="mt-4 font-semibold">{says}</p>}
          {own && <Feedback marked={own} />}
        </div>
      </fieldset>
    );
  });
}

function Feedback({ marked }: { marked: MarkedAnswer }) {
  const { credit = 0, points, feedback = [], explanation, explanationHtml, markedAgain } = marked;
  const isPartly = credit > 0 && credit < 1;
  return (
    <>
      {(isPartly || points !== undefined) && (
        <p className="mt-4 text-sm font-semibold tabular-nums">
          {isPartly && 'Partly right: '}
          {creditText(marked)}
        </p>
      )}
      {markedAgain && (
        <p className="mt-4 text-sm text-ink-soft">
          This question was corrected and your answer marked again: it counts as{' '}
          {isPartly ? 'partly right' : isRight(marked) ? 'right' : 'not right'}.
        </p>
      )}
      {feedback.map((text) => (
        <p key={text} className="mt-4 text-[0.9375rem] whitespace-pre-line">
          <InlineCode text={text} />
        </p>
      ))}
      {explanationHtml !== undefined && (
        <div
          className="prose mt-4 border-l-2 border-line pl-4 text-[0.9375rem]"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server's one Markdown renderer
          dangerouslySetInnerHTML={{ __html: explanationHtml }}
        />
      )}
      {explanationHtml === undefined && explanation && (
        <p className="mt-4 border-l-2 border-line pl-4 text-[0.9375rem] text-ink-soft whitespace-pre-line">
          <InlineCode text={explanation} />
        </p>
      )}
    </>
  );
}
