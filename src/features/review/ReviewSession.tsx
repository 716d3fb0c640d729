import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { countWaiting } from '#src/features/learn/dashboard/waiting.store.ts';
import {
  type AnsweredReview,
  answerReviewItemCall,
  readReviewQueueCall,
  putOffReviewCall,
  type ReviewItem,
  type ReviewQueue,
  runReviewCall,
} from './schema.ts';
import type { Answer, Answers } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { missingAnswers } from '#src/features/lessons/types/quiz/kinds/kinds.ts';
import { QuizQuestions } from '#src/features/lessons/types/quiz/QuizQuestions.tsx';
import type { JudgedRun } from '#src/features/practice/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import type { ReviewRating } from './due/schedule.ts';
import { ReviewProgram, Solution } from './ReviewProgram.tsx';
import { ReviewRecord } from './ReviewRecord.tsx';

const RATING_LABELS: [ReviewRating, string][] = [
  ['forgot', 'I had forgotten it'],
  ['hard', 'It was hard'],
  ['good', 'I knew it'],
  ['easy', 'It was easy'],
];

/** "tomorrow", "in 6 days". */
function waitText(due: string): string {
  const days = Math.max(1, Math.round((Date.parse(due) - Date.now()) / 86_400_000));
  return days === 1 ? 'tomorrow' : `in ${counted(days, 'day')}`;
}

export function ReviewSession({
  userId,
  items,
  dueCount,
  recall,
}: Pick<ReviewQueue, 'items' | 'dueCount' | 'recall'> & { userId: number }) {
  const [at, setAt] = useState(0);
  const [notice, setNotice] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const item = items[at];
  const later = dueCount - items.length;
  const [table, setTable] = useState(recall);

  const goOn = (said: string) => {
    setNotice(said);
    setAt(at + 1);
    // Put off or gone.
    if (said) void countWaiting();
  };
  const refresh = useCallback(async () => {
    void countWaiting();
    // A reload mends an old table.
    const now = await call(readReviewQueueCall, {}).catch(() => null);
    if (now) setTable(now.recall);
  }, []);
  // The browser's page cache may restore an old state; typed text stays.
  useEffect(() => {
    const restored = ({ persisted }: PageTransitionEvent) => persisted && void refresh();
    addEventListener('pageshow', restored);
    return () => removeEventListener('pageshow', restored);
  }, [refresh]);
  useEffect(() => {
    if (at > 0) heading.current?.focus();
  }, [at]);

  return (
    <>
      <p role="status" className="text-ink-soft not-empty:mb-4">
        {notice}
      </p>
      {item ? (
        <section aria-labelledby="review-heading">
          <p className="text-sm text-ink-soft">
            {at + 1} of {items.length}&nbsp;· {item.courseTitle}
          </p>
          <h2 id="review-heading" ref={heading} tabIndex={-1} className="mt-1 text-heading outline-none">
            {item.title}
          </h2>
          <Review key={item.lessonId} userId={userId} item={item} onAnswered={refresh} onDone={goOn} />
        </section>
      ) : (
        <section
          aria-labelledby="review-heading"
          className="rounded-lg border border-success-line bg-success-soft p-6"
        >
          <h2 id="review-heading" ref={heading} tabIndex={-1} className="text-subheading outline-none">
            That is all for today
          </h2>
          <p className="mt-1 text-ink-soft">
            {later > 0
              ? `${counted(later, 'more review')} ${later === 1 ? 'waits' : 'wait'} for the next days: five minutes a day are enough.`
              : 'What you know by now comes back when you are about to forget it.'}
          </p>
          <Button href="/dashboard" className="mt-4">
            Go to your dashboard
          </Button>
        </section>
      )}
      <ReviewRecord recall={table} />
    </>
  );
}

function Review({
  userId,
  item,
  onAnswered,
  onDone,
}: {
  userId: number;
  item: ReviewItem;
  onAnswered: () => void;
  onDone: (said: string) => void;
}) {
  const [answers, setAnswers] = useState<Answers>({});
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [told, setTold] = useState<AnsweredReview | null>(null);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const params = { id: item.lessonId };

  async function send<T>(work: () => Promise<T>, then: (answer: T) => void) {
    // Disabled buttons would lose the focus.
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      then(await work());
    } catch (error) {
      const isGone = error instanceof ApiError && (error.status === 409 || error.status === 404);
      if (isGone) return onDone(messageOf(error, 'This review is not there any more.'));
      if (error instanceof ApiError) setErrors(error.fields);
      setProblem(messageOf(error, 'That did not reach our server. Nothing is lost; please try again.'));
    } finally {
      setBusy(false);
    }
  }

  const tell = (answered: AnsweredReview) => {
    setTold(answered);
    onAnswered();
  };
  const check = (event: FormEvent) => {
    event.preventDefault();
    const missing = missingAnswers([item.question!], answers);
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    void send(() => call(answerReviewItemCall, { params, input: { version: item.version, answers } }), tell);
  };
  const rate = (rating: ReviewRating) =>
    void send(
      () => call(answerReviewItemCall, { params, input: { version: item.version, rating } }),
      (answered) => {
        if (item.task?.editor) return tell(answered);
        onAnswered();
        onDone(`“${item.title}” comes back ${waitText(answered.due)}.`);
      },
    );
  const run = (code: string, then: (run: JudgedRun) => void) =>
    void send(
      () => call(runReviewCall, { params, input: { version: item.version, code } }),
      ({ run, answered }) => {
        then(run);
        if (answered) tell(answered);
      },
    );
  const putOff = (until: 'tomorrow' | 'next-week') =>
    void send(
      () => call(putOffReviewCall, { params, input: { version: item.version, until } }),
      ({ due }) => onDone(`“${item.title}” comes back ${waitText(due)}.`),
    );

  return (
    <div className="mt-6">
      {item.question ? (
        <form onSubmit={check} noValidate>
          <QuizQuestions
            questions={[item.question]}
            answers={answers}
            errors={errors}
            marked={told?.marked ? [told.marked] : null}
            onAnswer={(id, answer: Answer) => {
              setAnswers({ [id]: answer });
              setErrors({});
            }}
          />
          {told ? (
            <Told told={told} onNext={() => onDone('')} />
          ) : (
            <Button type="submit" loading={busy} className="mt-5">
              Check
            </Button>
          )}
        </form>
      ) : (
        <>
          {item.task?.editor ? (
            <ReviewProgram
              userId={userId}
              lessonId={item.lessonId}
              version={item.version}
              task={{ ...item.task, editor: item.task.editor }}
              busy={busy}
              told={told}
              onRun={run}
              onForgot={() => rate('forgot')}
            />
          ) : (
            <Program item={item} busy={busy} onRate={rate} />
          )}
          {told && <Told told={told} onNext={() => onDone('')} />}
        </>
      )}
      {problem && <Alert tone="danger" live title={problem} className="mt-5" />}
      {!told && (
        <p className="mt-8 flex flex-wrap gap-3 border-t border-line pt-4">
          <Button variant="ghost" size="sm" aria-disabled={busy} onClick={() => putOff('tomorrow')}>
            Skip it today
          </Button>
          <Button variant="ghost" size="sm" aria-disabled={busy} onClick={() => putOff('next-week')}>
            Snooze it for a week
          </Button>
        </p>
      )}
    </div>
  );
}

function Told({ told, onNext }: { told: AnsweredReview; onNext: () => void }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div ref={panel} tabIndex={-1} className="mt-5 outline-none">
      <Alert
        tone={told.recalled ? 'success' : 'warning'}
        title={told.recalled ? 'You still know it' : 'Not this time'}
      >
        It comes back {waitText(told.due)}.
      </Alert>
      <Button onClick={onNext} className="mt-4">
        Go on
      </Button>
    </div>
  );
}

function Program({
  item,
  busy,
  onRate,
}: {
  item: ReviewItem;
  busy: boolean;
  onRate: (rating: ReviewRating) => void;
}) {
  const [isShown, setIsShown] = useState(false);
  const shown = useRef<HTMLHeadingElement>(null);
  // The focused button is gone.
  useEffect(() => {
    if (isShown) shown.current?.focus();
  }, [isShown]);
  const { html, solution } = item.task!;
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered and sanitised by the server */}
      <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      <p className="mt-6 text-ink-soft">
        How did you solve it? Think it through, then compare.{' '}
        <a href={`/lesson/${item.lessonId}`} className="text-link">
          Or write it again
        </a>
      </p>
      {isShown ? (
        <>
          <Solution ref={shown} solution={solution} />
          <fieldset className="mt-5">
            <legend className="font-semibold">How well did you remember it?</legend>
            <div className="mt-3 flex flex-wrap gap-3">
              {RATING_LABELS.map(([rating, label]) => (
                <Button key={rating} variant="secondary" aria-disabled={busy} onClick={() => onRate(rating)}>
                  {label}
                </Button>
              ))}
            </div>
          </fieldset>
        </>
      ) : (
        <Button className="mt-4" onClick={() => setIsShown(true)}>
          Show my solution
        </Button>
      )}
    </>
  );
}
