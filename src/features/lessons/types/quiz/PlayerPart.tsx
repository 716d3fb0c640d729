import { ArrowRight, RotateCcw } from 'lucide-react';
import { type FormEvent, useEffect, useReducer, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { dismissToast } from '#src/components/toast.store.ts';
import { draftOf } from '#src/shared/drafts.ts';
import type { PlayerPartProps } from '#src/features/lessons/player-part.ts';
import {
  checkQuizCall,
  getQuizCall,
  type LessonCompletion,
  type QuizModel,
  type QuizResult,
} from '#src/features/learn/schema.ts';
import { ApiError, call } from '#src/shared/api.ts';
import { sayNotSent, sayWaits, sendQuiz } from '#src/features/learn/offline/waiting.ts';
import { counted } from '#src/shared/counted.ts';
import { shownDate } from '#src/shared/dates.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import type { Answer, Answers } from './kinds/kind.ts';
import { missingAnswers, missingOf } from './kinds/kinds.ts';
import { QuizPractice } from './QuizPractice.tsx';
import { isRight, QuizQuestions, rightCount } from './QuizQuestions.tsx';
import { firstOpen } from './quiz-steps.ts';
import { QuizWait } from './QuizWait.tsx';
import { newTry, tryReducer } from './quiz-try.ts';

const PHONE = '(width < 40rem)';
const MANY = 3;

/** Decisions 36 and 70. */
export function QuizPanel({
  own: opened,
  userId,
  next,
  onPassed,
}: PlayerPartProps<QuizModel, LessonCompletion>) {
  const [quiz, setQuiz] = useState(opened);
  const [{ phase, answers, result, errors }, dispatch] = useReducer(
    tryReducer<QuizResult>,
    quiz.checked ? null : quiz.lastResult,
    newTry<QuizResult>,
  );
  const { checked = [] } = quiz;
  const told = new Set(checked.map(({ questionId }) => questionId));
  const isEach = quiz.feedback === 'each';
  const [at, setAt] = useState(() => firstOpen(quiz.questions, told));
  const isPhone = useIsPhone();
  const [practised, setPractised] = useState<readonly QuizModel['questions'][number][]>([]);
  const form = useRef<HTMLFormElement>(null);
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

  if (quiz.questions.length === 0) {
    return <Alert tone="neutral" title="This quiz has no questions yet" />;
  }

  // Answers are told one by one, and a phone asks them so.
  const asksAlone = !result && (isEach || (isPhone && quiz.questions.length > MANY));
  const current = quiz.questions[at] ?? quiz.questions[0]!;

  function answer(questionId: number, given: Answer) {
    dispatch({ do: 'answer', questionId, answer: given });
    draft.write(JSON.stringify({ ...answers, [questionId]: given }));
  }

  function showErrors(found: FieldErrors) {
    dispatch({ do: 'refuse', errors: found });
    const first = quiz.questions.findIndex(({ id }) => found[`answers.${id}`]);
    if (first >= 0) goTo(first);
  }

  function goTo(place: number) {
    setAt(place);
    const { id } = quiz.questions[place]!;
    requestAnimationFrame(() => {
      form.current?.querySelector(`[data-question="${id}"]`)?.scrollIntoView({ block: 'nearest' });
      focusOn(id);
    });
  }

  function focusOn(questionId: number) {
    form.current
      ?.querySelector(`[data-question="${questionId}"]`)
      ?.querySelector<HTMLElement>('input:enabled, select, button')
      ?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (phase !== 'answering') return;
    dismissToast();
    if (asksAlone && isEach && !told.has(current.id)) return check(current);
    if (asksAlone && at < quiz.questions.length - 1) {
      return goTo(isEach ? firstOpen(quiz.questions, told) : at + 1);
    }
    const missing = missingAnswers(quiz.questions, answers);
    for (const id of told) delete missing[`answers.${id}`];
    if (Object.keys(missing).length > 0) return showErrors(missing);
    dispatch({ do: 'send' });
    try {
      const { bestScore, completion, ...submitted } = await sendQuiz(userId, quiz, answers, (error) => {
        sayWaits(error);
        dispatch({ do: 'fail' });
      });
      draft.clear();
      justSubmitted.current = true;
      if (isEach) {
        const wrong = new Set(
          submitted.answers.filter((one) => !isRight(one)).map(({ questionId }) => questionId),
        );
        setPractised((submitted.questions ?? quiz.questions).filter(({ id }) => wrong.has(id)));
      }
      const attempts = [submitted.attempt, ...quiz.attempts.filter(({ id }) => id !== submitted.attempt.id)];
      setQuiz({ ...quiz, bestScore, attempts, checked: undefined });
      setAt(0);
      dispatch({ do: 'mark', result: submitted });
      if (completion) onPassed(completion);
      if (quiz.attempt !== undefined || submitted.questions) await readAgain();
    } catch (error) {
      failed(error, 'Not submitted');
    }
  }

  async function check({ id }: QuizModel['questions'][number]) {
    const { [`answers.${id}`]: missing } = missingAnswers(quiz.questions, answers);
    if (missing) return showErrors({ [`answers.${id}`]: missing });
    dispatch({ do: 'send' });
    try {
      const marked = await call(checkQuizCall, {
        params: { id: quiz.lessonId },
        input: { answers: { [id]: answers[id]! }, attempt: quiz.attempt },
      });
      setQuiz({ ...quiz, checked: [...checked, marked] });
      dispatch({ do: 'fail' });
    } catch (error) {
      failed(error, 'Not checked');
    }
  }

  function failed(error: unknown, title: string) {
    // What is wrong with an answer stands beside it.
    if (error instanceof ApiError && Object.keys(error.fields).length > 0) return showErrors(error.fields);
    sayNotSent(title, error, 'Your answers are kept. Please try again.');
    dispatch({ do: 'fail' });
  }

  async function readAgain() {
    try {
      setQuiz(await call(getQuizCall, { params: { id: quiz.lessonId } }));
    } catch {}
  }

  async function retry() {
    dispatch({ do: 'begin', answers: {} });
    setAt(0);
    if (quiz.attempt !== undefined) await readAgain();
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('input:enabled, select, button')?.focus(),
    );
  }

  const asked = result?.questions ?? quiz.questions;
  const count = asked.length;
  const answered = quiz.questions.filter(
    (question) => told.has(question.id) || missingOf(question, answers[question.id]) === null,
  );

  const own = checked.find(({ questionId }) => questionId === current.id);
  const ownText = own ? (isRight(own) ? 'Right' : 'Not right') : '';
  const goesOn = at < count - 1;
  const submitLabel =
    asksAlone && isEach && !own
      ? 'Check'
      : asksAlone && goesOn
        ? 'Next question'
        : isEach
          ? 'See the result'
          : 'Submit answers';

  if (result && practised.length > 0) {
    return (
      <QuizPractice
        questions={practised}
        score={result.attempt.score}
        onCheck={(answers) =>
          call(checkQuizCall, { params: { id: quiz.lessonId }, input: { answers, practice: true } })
        }
        onDone={() => setPractised([])}
      />
    );
  }

  return (
    <section aria-label="Quiz" className="mt-6">
      <p className="text-base text-ink-soft">
        {counted(count, 'question')}&nbsp;· {quiz.passPercent}% passes · the best score counts
        {quiz.attemptsLeft !== undefined && `\u00a0· ${counted(quiz.attemptsLeft, 'attempt')} left`}
        {isEach && ' · feedback after each question'}
        {quiz.bestScore !== null && (
          <>
            {' · '}
            <span className="font-semibold text-ink">best so far {quiz.bestScore}%</span>
          </>
        )}
      </p>

      {result && (
        <Outcome
          result={result}
          quiz={quiz}
          next={next}
          takesFocus={justSubmitted.current}
          onRetry={retry}
          onWaited={readAgain}
        />
      )}

      <form ref={form} onSubmit={submit} noValidate className="mt-6 grid gap-6">
        <QuizQuestions
          questions={asked}
          answers={answers}
          errors={errors}
          marked={result?.answers ?? checked}
          only={asksAlone ? current.id : undefined}
          says={asksAlone && isEach ? ownText : undefined}
          onAnswer={answer}
        />
        {!result && (
          <div className="flex flex-wrap items-center gap-4">
            {asksAlone && !isEach && at > 0 && (
              <Button variant="secondary" onClick={() => goTo(at - 1)}>
                Back
              </Button>
            )}
            <Button type="submit" loading={phase === 'sending'}>
              {submitLabel}
            </Button>
            {!asksAlone && (
              <p className="text-sm text-ink-soft tabular-nums">
                {answered.length} of {count} answered
              </p>
            )}
          </div>
        )}
      </form>

      {quiz.attempts.length > 0 && <Attempts attempts={quiz.attempts} />}
    </section>
  );
}

function useIsPhone(): boolean {
  const [isPhone, setIsPhone] = useState(false);
  useEffect(() => {
    const narrow = matchMedia(PHONE);
    const look = () => setIsPhone(narrow.matches);
    look();
    narrow.addEventListener('change', look);
    return () => narrow.removeEventListener('change', look);
  }, []);
  return isPhone;
}

function Outcome({
  result,
  quiz,
  next,
  takesFocus,
  onRetry,
  onWaited,
}: {
  result: QuizResult;
  quiz: QuizModel;
  next: PlayerPartProps<QuizModel>['next'];
  takesFocus: boolean;
  onRetry: () => void;
  onWaited: () => void;
}) {
  const panel = useRef<HTMLDivElement>(null);
  const isLast = quiz.attemptsLeft === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is there
  useEffect(() => {
    if (takesFocus) panel.current?.focus();
  }, []);
  return (
    <div
      ref={panel}
      tabIndex={-1}
      role="status"
      className={classNames(
        'mt-5 flex flex-wrap items-center gap-x-6 gap-y-4 rounded-lg border p-5 sm:p-6',
        result.attempt.passed ? 'border-success-line bg-success-soft' : 'border-warning-line bg-warning-soft',
      )}
    >
      <p className="text-[2.5rem] leading-none font-semibold tracking-tight tabular-nums">
        {result.attempt.score}%
      </p>
      <p className="min-w-48 flex-1">
        <span className="block font-semibold">{result.attempt.passed ? 'Passed' : 'Not passed yet'}</span>
        <span className="block text-sm text-ink-soft">
          {rightCount(result.answers)} of {result.answers.length} right.{' '}
          {!result.attempt.passed && `You need ${quiz.passPercent}%. `}
          {isLast || result.attempt.passed
            ? 'Your answers are below.'
            : 'Look at your answers and try again.'}
        </span>
      </p>
      {result.attempt.passed && next && (
        <Button href={next.href} aria-label={`Next lesson: ${next.title}`} className="max-sm:w-full">
          Next lesson
          <ArrowRight aria-hidden="true" />
        </Button>
      )}
      {isLast ? (
        <p className="text-sm font-semibold">No attempt is left.</p>
      ) : quiz.waitsUntil ? (
        <QuizWait until={quiz.waitsUntil} onOver={onWaited} />
      ) : (
        <Button
          variant={result.attempt.passed ? 'secondary' : 'primary'}
          onClick={onRetry}
          className="max-sm:w-full"
        >
          <RotateCcw aria-hidden="true" />
          Try again
        </Button>
      )}
    </div>
  );
}

function fits(question: QuizModel['questions'][number], answer: Answer): boolean {
  if (typeof answer === 'string' && !question.shuffled) return question.kind !== undefined;
  if (Array.isArray(answer) && (question.kind === 'gaps' || question.kind === 'matching')) return true;
  return missingOf(question, answer) === null;
}

function Attempts({ attempts }: { attempts: QuizModel['attempts'] }) {
  return (
    <details className="mt-8 card">
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
