import { RotateCcw } from 'lucide-react';
import { type FormEvent, useEffect, useReducer, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { dismissToast } from '#src/components/toast.store.ts';
import { draftOf } from '#src/shared/drafts.ts';
import type { PlayerPartProps } from '#src/features/lessons/player-part.ts';
import {
  getQuizCall,
  type LessonCompletion,
  type QuizModel,
  type QuizResult,
} from '#src/features/learn/schema.ts';
import { ApiError, call } from '#src/shared/api.ts';
import { SENT_LATER, sayNotSent, sendQuiz } from '#src/features/learn/offline/waiting.ts';
import { counted } from '#src/shared/counted.ts';
import { shownDate } from '#src/shared/dates.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import type { Answer, Answers } from './kinds/kind.ts';
import { missingAnswers, missingOf } from './kinds/kinds.ts';
import { QuizQuestions, rightCount } from './QuizQuestions.tsx';
import { QuizWait } from './QuizWait.tsx';
import { newTry, tryReducer } from './quiz-try.ts';

/** A quiz: questions to answer, then what was right and why, and another try whenever one may (decisions 36 and 70). */
export function QuizPanel({ own: opened, userId, onPassed }: PlayerPartProps<QuizModel, LessonCompletion>) {
  const [quiz, setQuiz] = useState(opened);
  const [{ phase, answers, result, errors }, dispatch] = useReducer(
    tryReducer<QuizResult>,
    quiz.lastResult,
    newTry<QuizResult>,
  );
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  const justSubmitted = useRef(false);
  const draft = draftOf('quiz', userId, quiz.lessonId);

  // What was chosen before a reload. Only after the first rendering, which is the server's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the quiz is opened
  useEffect(() => {
    try {
      const kept = JSON.parse(draft.read() ?? 'null') as Answers | null;
      if (!kept || quiz.attemptsLeft === 0) return;
      const answers = Object.fromEntries(
        quiz.questions.flatMap((question) => {
          const answer = kept[question.id];
          return answer !== undefined && fits(question, answer) ? [[question.id, answer]] : [];
        }),
      );
      dispatch({ do: 'begin', answers });
    } catch {
      draft.clear();
    }
  }, []);

  useEffect(() => {
    if (result && justSubmitted.current) outcome.current?.focus();
  }, [result]);

  if (quiz.questions.length === 0) {
    return <Alert tone="neutral" title="This quiz has no questions yet" />;
  }

  function answer(questionId: number, given: Answer) {
    dispatch({ do: 'answer', questionId, answer: given });
    draft.write(JSON.stringify({ ...answers, [questionId]: given }));
  }

  function showErrors(found: FieldErrors) {
    dispatch({ do: 'refuse', errors: found });
    const first = quiz.questions.find(({ id }) => found[`answers.${id}`]);
    if (first) focusOn(first.id);
  }

  function focusOn(questionId: number) {
    form.current
      ?.querySelector(`[data-question="${questionId}"]`)
      ?.querySelector<HTMLElement>('input, select, button')
      ?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (phase !== 'answering') return;
    // What was said of the try before is not true of this one.
    dismissToast();
    const missing = missingAnswers(quiz.questions, answers);
    if (Object.keys(missing).length > 0) return showErrors(missing);
    dispatch({ do: 'send' });
    try {
      const { bestScore, completion, ...submitted } = await sendQuiz(userId, quiz, answers, (error) => {
        sayNotSent('Not submitted', error, `Your answers are kept. ${SENT_LATER}`);
        dispatch({ do: 'fail' });
      });
      draft.clear();
      justSubmitted.current = true;
      const attempts = [submitted.attempt, ...quiz.attempts.filter(({ id }) => id !== submitted.attempt.id)];
      setQuiz({ ...quiz, bestScore, attempts });
      dispatch({ do: 'mark', result: submitted });
      if (completion) onPassed(completion);
      if (quiz.attempt !== undefined || submitted.questions) await readAgain();
    } catch (error) {
      // What is wrong with an answer stands beside it.
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) return showErrors(error.fields);
      sayNotSent('Not submitted', error, 'Your answers are kept. Please try again.');
      dispatch({ do: 'fail' });
    }
  }

  /** The next attempt asks in another way, or has to wait: only the server knows. */
  async function readAgain() {
    try {
      setQuiz(await call(getQuizCall, { params: { id: quiz.lessonId } }));
    } catch {
      // The result is there; a reload shows the rest.
    }
  }

  async function retry() {
    dispatch({ do: 'begin', answers: {} });
    if (quiz.attempt !== undefined) await readAgain();
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('input, select, button')?.focus());
  }

  const asked = result?.questions ?? quiz.questions;
  const count = asked.length;
  const answered = quiz.questions.filter((question) => missingOf(question, answers[question.id]) === null);
  const isLast = quiz.attemptsLeft === 0;

  return (
    <section aria-label="Quiz" className="mt-6">
      <p className="text-base text-ink-soft">
        {counted(count, 'question')} · {quiz.passPercent}% passes · the best score counts
        {quiz.attemptsLeft !== undefined && ` · ${counted(quiz.attemptsLeft, 'attempt')} left`}
        {quiz.bestScore !== null && (
          <>
            {' · '}
            <span className="font-semibold text-ink">best so far {quiz.bestScore}%</span>
          </>
        )}
      </p>

      {result && (
        <div
          ref={outcome}
          tabIndex={-1}
          role="status"
          className={classNames(
            'mt-5 flex flex-wrap items-center gap-x-6 gap-y-4 rounded-lg border p-5 sm:p-6',
            result.attempt.passed
              ? 'border-success-line bg-success-soft'
              : 'border-warning-line bg-warning-soft',
          )}
        >
          <p className="text-[2.5rem] leading-none font-semibold tracking-tight tabular-nums">
            {result.attempt.score}%
          </p>
          <p className="min-w-48 flex-1">
            <span className="block font-semibold">{result.attempt.passed ? 'Passed' : 'Not passed yet'}</span>
            <span className="block text-sm text-ink-soft">
              {rightCount(result.answers)} of {count} right.{' '}
              {result.attempt.passed
                ? 'The explanations are below.'
                : `You need ${quiz.passPercent}%. Read the explanations below${isLast ? '.' : ' and try again.'}`}
            </span>
          </p>
          {isLast ? (
            <p className="text-sm font-semibold">No attempt is left.</p>
          ) : quiz.waitsUntil ? (
            <QuizWait until={quiz.waitsUntil} onOver={readAgain} />
          ) : (
            <Button
              variant={result.attempt.passed ? 'secondary' : 'primary'}
              onClick={retry}
              className="max-sm:w-full"
            >
              <RotateCcw aria-hidden="true" />
              Try again
            </Button>
          )}
        </div>
      )}

      <form ref={form} onSubmit={submit} noValidate className="mt-6 grid gap-6">
        <QuizQuestions
          questions={asked}
          answers={answers}
          errors={errors}
          marked={result?.answers ?? null}
          onAnswer={answer}
        />
        {!result && (
          <div className="flex flex-wrap items-center gap-4">
            <Button type="submit" loading={phase === 'sending'}>
              Submit answers
            </Button>
            <p className="text-sm text-ink-soft tabular-nums">
              {answered.length} of {count} answered
            </p>
          </div>
        )}
      </form>

      {quiz.attempts.length > 0 && <Attempts attempts={quiz.attempts} />}
    </section>
  );
}

/** Whether a kept answer still has something to do with the question; half an answer does. */
function fits(question: QuizModel['questions'][number], answer: Answer): boolean {
  if (typeof answer === 'string' && !question.shuffled) return question.kind !== undefined;
  if (Array.isArray(answer) && (question.kind === 'gaps' || question.kind === 'matching')) return true;
  return missingOf(question, answer) === null;
}

/** Every try so far, the newest first. */
function Attempts({ attempts }: { attempts: QuizModel['attempts'] }) {
  return (
    <details className="mt-8 rounded-lg border border-line bg-surface">
      <summary className="min-h-12 px-5 py-3 font-semibold -outline-offset-2">
        Your attempts <span className="font-normal text-ink-soft tabular-nums">({attempts.length})</span>
      </summary>
      <table className="w-full border-t border-line text-left text-[0.9375rem] [&_:is(td,th)]:px-5 [&_:is(td,th)]:py-2.5">
        <thead className="text-sm text-ink-soft">
          <tr>
            <th scope="col">Date</th>
            <th scope="col" className="text-right">
              Score
            </th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {attempts.map(({ id, score, passed, submittedAt }) => (
            <tr key={id}>
              <td>{shownDate(submittedAt)}</td>
              <td className="text-right tabular-nums">{score}%</td>
              <td>
                <Badge tone={passed ? 'success' : 'neutral'}>{passed ? 'Passed' : 'Not passed'}</Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
