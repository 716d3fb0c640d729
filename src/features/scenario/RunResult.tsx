import { CircleCheck, CircleX, FlaskConical, RotateCcw } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { dismissToast, toast } from '#src/components/toast.store.ts';
import { CourseStanding } from '#src/features/learn/progress/CourseStanding.tsx';
import { InlineCode } from '#src/components/InlineCode.tsx';
import { messageOf } from '#src/shared/api.ts';
import { PASS_SCORE } from './limits.ts';
import { ActionBox } from './ActionBox.tsx';
import { SituationPanels } from './SituationPanels.tsx';
import type { Runs } from './play/runs.ts';
import type { ReplayStep, RunReplay } from './schema.ts';
import { ACTION_FAILED, EMPTY_ACTION } from './texts.ts';
import { counted } from '#src/shared/counted.ts';
import type { NeighborLesson } from '#src/features/learn/progress/lesson-place.ts';

export function RunResult({
  tryOn,
  course,
  replay,
  onRetry,
  busy,
  backHref,
  next,
}: {
  tryOn: Runs['tryOn'];
  /** Null where it counts for none. */
  course: { id: number; title: string; lessonCount: number; before: number } | null;
  replay: RunReplay;
  onRetry: () => void;
  busy: boolean;
  backHref: string;
  next: NeighborLesson | null;
}) {
  const [from, setFrom] = useState<number | null>(null);
  const trial = useRef<HTMLElement>(null);
  const last = replay.steps.at(-1)!;
  const tryFrom = (position: number) => {
    setFrom(position);
    requestAnimationFrame(() => trial.current?.focus());
  };
  return (
    <div className="mt-8 grid gap-10">
      <section aria-labelledby="result-heading" className="rounded-xl bg-navy px-6 py-8 on-navy sm:px-8">
        <h2 id="result-heading" className="text-heading">
          {replay.passed ? 'Passed' : 'Not passed yet'}
        </h2>
        <p className="mt-2 text-display tabular-nums">
          {replay.score}
          <span className="text-heading text-on-navy-soft"> / 100</span>
        </p>
        <p className="mt-2 max-w-prose text-on-navy-soft">
          {replay.passed
            ? 'You did what counted. Below you see which goals gave the points, and whether there was a shorter way.'
            : `${PASS_SCORE} points pass. Look at which goals were missed, go back to any step to try another way, or start again.`}
        </p>
        {course && (
          <CourseStanding {...course} course={course} after={replay} className="mt-2 text-on-navy-soft" />
        )}
        <div className="mt-6 flex flex-wrap gap-3">
          {replay.passed && next && (
            <Button variant="inverse" href={next.href}>
              {next.isBefore ? 'Next to do' : 'Next lesson'}: {next.title}
            </Button>
          )}
          <Button variant="inverse" onClick={onRetry} loading={busy}>
            <RotateCcw aria-hidden="true" />
            Try again
          </Button>
          <Button variant="inverse" href={backHref}>
            Back to the course
          </Button>
        </div>
      </section>

      <section aria-labelledby="account-heading">
        <h2 id="account-heading" className="text-subheading">
          Goal by goal
        </h2>
        <GoalAccount step={last} score={replay.score} />
      </section>

      <section aria-labelledby="path-heading">
        <h2 id="path-heading" className="text-subheading">
          The path you took{replay.best ? ', beside the best known one' : ''}
        </h2>
        <div className="mt-3 grid gap-6 lg:grid-cols-2">
          <div>
            <h3 className="font-semibold">
              Yours: {counted(replay.steps.length - 1, 'action')}, {last.minutes} min
            </h3>
            <ol className="mt-2 grid gap-2">
              {replay.steps.slice(1).map((step) => (
                <li key={step.position} className="rounded-md border border-line bg-surface px-4 py-3">
                  <p className="flex flex-wrap justify-between gap-x-4">
                    <span className="min-w-0 font-mono text-[0.9375rem] break-words">
                      {step.position}. {step.action}
                    </span>
                    <span className="text-sm text-ink-soft tabular-nums">Score {step.score}</span>
                  </p>
                  <p className="text-sm text-ink-soft">{step.understoodAs ?? 'Nothing was done'}</p>
                  <p className="mt-1.5 text-[0.9375rem] whitespace-pre-line">
                    <InlineCode text={step.feedback} />
                  </p>
                  <Button
                    variant="ghost"
                    size="sm"
                    className="mt-1.5 -ml-2"
                    onClick={() => tryFrom(step.position)}
                  >
                    <FlaskConical aria-hidden="true" />
                    What if… from here
                  </Button>
                </li>
              ))}
            </ol>
            <Button variant="ghost" size="sm" className="mt-2 -ml-2" onClick={() => tryFrom(0)}>
              <FlaskConical aria-hidden="true" />
              What if… from the beginning
            </Button>
          </div>
          {replay.best && (
            <div>
              <h3 className="font-semibold">
                The best known: {counted(replay.best.actions.length, 'action')}, {replay.best.minutes} min
              </h3>
              <ol className="mt-2 grid list-decimal gap-1.5 pl-6">
                {replay.best.actions.map((action) => (
                  <li key={action}>{action}</li>
                ))}
              </ol>
            </div>
          )}
        </div>
      </section>

      {from !== null && (
        <section ref={trial} tabIndex={-1} aria-labelledby="what-if-heading" className="outline-none">
          <h2 id="what-if-heading" className="text-subheading">
            What if?
          </h2>
          <p className="mt-1 max-w-prose text-ink-soft">
            {from === 0
              ? 'From the beginning: try another way. This is practice; nothing is stored or scored.'
              : `After step ${from}: try another way. This is practice; nothing is stored or scored.`}
          </p>
          <Trial key={from} tryOn={tryOn} replay={replay} keep={from} />
        </section>
      )}
    </div>
  );
}

function GoalAccount({ step, score }: { step: ReplayStep; score: number }) {
  const all = step.goals.reduce((sum, { weight }) => sum + weight, 0);
  const reached = step.goals.reduce((sum, goal) => sum + (goal.met ? goal.weight : 0), 0);
  const penalty = Math.round((100 * reached) / all) - score;
  return (
    <table className="mt-3 w-full max-w-content border-collapse text-left">
      <thead className="text-sm text-ink-soft">
        <tr>
          <th className="border-b border-line py-2 font-medium">Goal</th>
          <th className="border-b border-line py-2 text-right font-medium">Points</th>
        </tr>
      </thead>
      <tbody>
        {step.goals.map(({ id, title, weight, met }) => (
          <tr key={id}>
            <td className="border-b border-line py-2">
              <span className="flex gap-2.5">
                {met ? (
                  <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
                ) : (
                  <CircleX aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-faint" />
                )}
                <span>
                  {title} <span className="sr-only">{met ? 'met' : 'not met'}</span>
                </span>
              </span>
            </td>
            <td className="border-b border-line py-2 text-right tabular-nums">
              {met ? Math.round((100 * weight) / all) : 0} of {Math.round((100 * weight) / all)}
            </td>
          </tr>
        ))}
        {penalty > 0 && (
          <tr>
            <td className="border-b border-line py-2">Deducted for actions that did harm</td>
            <td className="border-b border-line py-2 text-right tabular-nums">−{penalty}</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr className="font-semibold">
          <td className="py-2">Score</td>
          <td className="py-2 text-right tabular-nums">{score} of 100</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Trial({ tryOn, replay, keep }: { tryOn: Runs['tryOn']; replay: RunReplay; keep: number }) {
  const [extra, setExtra] = useState<ReplayStep[]>([]);
  const [asked, setAsked] = useState<string[]>([]);
  const [completed, setCompleted] = useState(false);
  const [busy, setBusy] = useState(false);
  const steps = [replay.steps[keep]!, ...extra];
  const now = steps.at(-1)!;

  const act = async (action: string): Promise<boolean> => {
    if (action.trim() === '') {
      toast({ ...EMPTY_ACTION, variant: 'destructive' });
      return false;
    }
    setBusy(true);
    // What was said of the try before is not true of this one.
    dismissToast();
    try {
      const result = await tryOn(replay, keep, [...extra.map((step) => step.action), action]);
      setAsked(result.asked);
      setExtra([...extra, result.step]);
      setCompleted(result.completed);
      return true;
    } catch (error) {
      toast({
        title: ACTION_FAILED.title,
        description: messageOf(error, 'The server could not be reached. Please try again.'),
        variant: 'destructive',
      });
      return false;
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="mt-4 grid gap-6 lg:grid-cols-2">
      <div>
        {completed ? (
          <p className="font-medium">This way ends here with {now.score} of 100 points.</p>
        ) : (
          <ActionBox
            busy={busy}
            label="Another action"
            history={extra.map(({ action }) => action)}
            asked={asked}
            onAct={act}
          />
        )}
        <ol aria-live="polite" className="mt-4 grid gap-2">
          {extra.map(({ position, action, feedback, score }) => (
            <li key={position} className="rounded-md border border-line bg-surface px-4 py-3">
              <p className="flex flex-wrap justify-between gap-x-4">
                <span className="min-w-0 font-mono text-[0.9375rem] break-words">{action}</span>
                <span className="text-sm text-ink-soft tabular-nums">Score {score}</span>
              </p>
              <p className="mt-1.5 text-[0.9375rem] whitespace-pre-line">
                <InlineCode text={feedback} />
              </p>
            </li>
          ))}
        </ol>
      </div>
      <SituationPanels panels={now.panels} before={steps.at(-2)?.panels ?? null} />
    </div>
  );
}
