import { CircleCheck, CircleX, RotateCcw } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { toast } from '#src/components/toast.store.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { shownDate } from '#src/shared/dates.ts';
import { draftOf } from '#src/shared/drafts.ts';
import { InlineCode } from '#src/features/learn/classroom/InlineCode.tsx';
import type { PlayerPartProps } from '#src/features/learn/classroom/lesson-parts.ts';
import { type QuizModel, type QuizResult, submitQuizCall } from '#src/features/learn/schema.ts';
import { counted } from '#src/shared/counted.ts';

type Answers = Record<string, number>;

/** A quiz: questions to answer, then what was right and why, and another try whenever one likes (decision 36). */
export function QuizPanel({ own: quiz, userId, onPassed }: PlayerPartProps<QuizModel>) {
  const [attempts, setAttempts] = useState(quiz.attempts);
  const [best, setBest] = useState(quiz.bestScore);
  const [result, setResult] = useState<QuizResult | null>(quiz.lastResult);
  const [answers, setAnswers] = useState<Answers>({});
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  const justSubmitted = useRef(false);
  const draft = draftOf('quiz', userId, quiz.lessonId);

  // What was chosen before a reload. Only after the first rendering, which is the server's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the quiz is opened
  useEffect(() => {
    try {
      const kept = JSON.parse(draft.read() ?? 'null') as Answers | null;
      if (!kept) return;
      setAnswers(
        Object.fromEntries(
          quiz.questions.flatMap(({ id }) => (kept[id] === undefined ? [] : [[id, kept[id]]])),
        ),
      );
      setResult(null);
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

  function choose(questionId: number, option: number) {
    const next = { ...answers, [questionId]: option };
    setAnswers(next);
    draft.write(JSON.stringify(next));
    setErrors(({ [`answers.${questionId}`]: _, ...others }) => others);
  }

  function showErrors(found: Record<string, string>) {
    setErrors(found);
    const first = quiz.questions.find(({ id }) => found[`answers.${id}`]);
    form.current?.querySelector<HTMLInputElement>(`input[name="question-${first?.id}"]`)?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending) return;
    const missing = quiz.questions.flatMap(({ id }, index) =>
      answers[id] === undefined ? [[`answers.${id}`, `Question ${index + 1} has no answer`]] : [],
    );
    if (missing.length > 0) return showErrors(Object.fromEntries(missing));
    setSending(true);
    try {
      const { bestScore, completion, ...submitted } = await call(submitQuizCall, {
        params: { id: quiz.lessonId },
        input: { answers },
      });
      draft.clear();
      justSubmitted.current = true;
      setBest(bestScore);
      setAttempts((before) => [submitted.attempt, ...before]);
      setResult(submitted);
      if (completion) onPassed(completion);
    } catch (error) {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) showErrors(error.fields);
      toast({
        title: 'Not submitted',
        description: messageOf(error, 'Your answers are kept. Please try again.'),
        variant: 'destructive',
      });
    } finally {
      setSending(false);
    }
  }

  function retry() {
    setAnswers({});
    setErrors({});
    setResult(null);
    requestAnimationFrame(() => form.current?.querySelector('input')?.focus());
  }

  const count = quiz.questions.length;
  const right = result?.answers.filter(({ chosen, correctAnswer }) => chosen === correctAnswer).length ?? 0;

  return (
    <section aria-label="Quiz" className="mt-6">
      <p className="text-base text-ink-soft">
        {counted(count, 'question')} · {quiz.passPercent}% passes · the best score counts
        {best !== null && (
          <>
            {' · '}
            <span className="font-semibold text-ink">best so far {best}%</span>
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
              {right} of {count} right.{' '}
              {result.attempt.passed
                ? 'The explanations are below.'
                : `You need ${quiz.passPercent}%. Read the explanations below and try again.`}
            </span>
          </p>
          <Button
            variant={result.attempt.passed ? 'secondary' : 'primary'}
            onClick={retry}
            className="max-sm:w-full"
          >
            <RotateCcw aria-hidden="true" />
            Try again
          </Button>
        </div>
      )}

      <form ref={form} onSubmit={submit} noValidate className="mt-6 grid gap-6">
        {quiz.questions.map(({ id, question, options }, index) => {
          const answer = result?.answers.find(({ questionId }) => questionId === id);
          const error = errors[`answers.${id}`];
          return (
            <fieldset
              key={id}
              aria-describedby={error ? `question-${id}-error` : undefined}
              className={classNames(
                'min-w-0 rounded-lg border bg-surface p-5 sm:p-6',
                error ? 'border-danger' : 'border-line',
              )}
            >
              <legend className="contents">
                <span className="block text-sm text-ink-soft">
                  Question {index + 1} of {count}
                </span>
                <span className="mt-1 block font-semibold whitespace-pre-line">
                  <InlineCode text={question} />
                </span>
              </legend>
              <div className="mt-4 grid gap-2.5">
                {options.map((option, at) => (
                  <Option
                    // biome-ignore lint/suspicious/noArrayIndexKey: an option is its number
                    key={at}
                    text={option}
                    name={`question-${id}`}
                    value={at}
                    isChosen={answer ? answer.chosen === at : answers[id] === at}
                    isRight={answer ? answer.correctAnswer === at : null}
                    onChoose={() => choose(id, at)}
                  />
                ))}
              </div>
              {error && (
                <p id={`question-${id}-error`} className="mt-3 text-sm font-medium text-danger" role="alert">
                  {error}
                </p>
              )}
              {answer?.explanation && (
                <p className="mt-4 border-l-2 border-line pl-4 text-[0.9375rem] text-ink-soft whitespace-pre-line">
                  <InlineCode text={answer.explanation} />
                </p>
              )}
            </fieldset>
          );
        })}
        {!result && (
          <div className="flex flex-wrap items-center gap-4">
            <Button type="submit" loading={sending}>
              Submit answers
            </Button>
            <p className="text-sm text-ink-soft tabular-nums">
              {Object.keys(answers).length} of {count} answered
            </p>
          </div>
        )}
      </form>

      {attempts.length > 0 && <Attempts attempts={attempts} />}
    </section>
  );
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

/** An answer to choose; once the quiz is sent, whether it was right. */
function Option({
  text,
  name,
  value,
  isChosen,
  isRight,
  onChoose,
}: {
  text: string;
  name: string;
  value: number;
  isChosen: boolean;
  /** Null until the quiz was sent. */
  isRight: boolean | null;
  onChoose: () => void;
}) {
  const isAnswered = isRight !== null;
  return (
    <label
      className={classNames(
        'flex items-start gap-3 rounded-md border px-3.5 py-2.5',
        !isAnswered &&
          'cursor-pointer border-line-strong transition-colors hover:border-ink has-checked:border-accent has-checked:bg-accent-soft',
        isRight && 'border-success-line bg-success-soft',
        isAnswered && !isRight && isChosen && 'border-danger-line bg-danger-soft',
        isAnswered && !isRight && !isChosen && 'border-line',
      )}
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={isChosen}
        disabled={isAnswered}
        onChange={onChoose}
        className="mt-1 size-4.5 shrink-0 accent-accent"
      />
      <span className="min-w-0 flex-1">
        <InlineCode text={text} />
      </span>
      {isRight && (
        <span className="inline-flex items-center gap-1.5 text-sm font-semibold text-success">
          <CircleCheck aria-hidden="true" className="size-4.5" />
          {isChosen ? 'Right' : 'Right answer'}
        </span>
      )}
      {isAnswered && !isRight && isChosen && (
        <span className="inline-flex items-center gap-1.5 text-sm font-semibold text-danger">
          <CircleX aria-hidden="true" className="size-4.5" />
          Your answer
        </span>
      )}
    </label>
  );
}
