import { CircleCheck, CircleDashed, RotateCcw } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { dismissToast, toast } from '#src/components/toast.store.ts';
import { levelLabel } from '#src/features/catalogue/catalogue.ts';
import { signInAction } from '#src/features/account/sign-in/sign-in-action.ts';
import { lessonMessage } from '#src/features/learn/progress/learn.ts';
import { ApiError } from '#src/shared/api.ts';
import { Conversation } from './Conversation.tsx';
import { PASS_SCORE } from './limits.ts';
import { Countdown, MoreTime, Terms, useChosenTime, YourTime } from './play/ScenarioTime.tsx';
import { RunResult } from './RunResult.tsx';
import { SituationPanels, SituationStrip, useIsWide } from './SituationPanels.tsx';
import { freeRuns, keptRuns } from './play/runs.ts';
import type { PanelModel, RunModel, RunReplay, ScenarioModel } from './schema.ts';
import { ACTION_FAILED, EMPTY_ACTION, TIME_IS_UP, TYPE_LABELS } from './texts.ts';
import { createResend, SENT_WHEN_BACK } from '#src/shared/resend.ts';
import { counted } from '#src/shared/counted.ts';
import { courseViewHref, type LessonPlace } from '#src/features/learn/progress/lesson-place.ts';
import { NeighborLinks } from '#src/features/learn/progress/NeighborLinks.tsx';

interface Props {
  scenario: ScenarioModel;
  resources: { title: string; html: string }[];
  course: { id: number; title: string };
  enrolled: boolean;
  place: LessonPlace | null;
  signedIn: boolean;
  pastRuns: { runId: number; score: number; passed: boolean; startedAt: string }[];
  textId: string;
  children?: ReactNode;
}

const ANNOUNCED_MS = 5_000;

/** Gone once they were said: they are news when they come again. */
function useAnnouncement(): [said: string, say: (words: string) => void] {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(''), ANNOUNCED_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said, setSaid];
}

/** `run` with the situation before its last action, a finished run, or null for neither yet. */
type Shown = { run: RunModel; before: PanelModel[] | null } | { replay: RunReplay };

/** The page of a scenario: overview, the run, and what came of it (spec 2, 4). */
export function ScenarioScreen(props: Props) {
  const { scenario, resources, course, enrolled, place, signedIn, pastRuns, textId, children } = props;
  const courseHref = enrolled ? courseViewHref(course.id, scenario.lessonId) : `/courses/${course.id}`;
  const [shown, setShown] = useState<Shown | null>(scenario.run && { run: scenario.run, before: null });
  const { run, before } = shown && 'run' in shown ? shown : { run: null, before: null };
  const [busy, setBusy] = useState(false);
  const [askRestart, setAskRestart] = useState(false);
  const [said, setSaid] = useAnnouncement();
  const [best, setBest] = useState(scenario.bestScore);
  const heading = useRef<HTMLHeadingElement>(null);
  const restart = useRef<HTMLButtonElement>(null);
  const [{ resend, runs }] = useState(() => ({
    resend: createResend(),
    runs: signedIn ? keptRuns(scenario.id) : freeRuns(scenario),
  }));
  const isWide = useIsWide();

  const finish = async (runId: number, announce: (score: number) => void) => {
    const result = await runs.result(runId);
    setShown({ replay: result });
    setBest((score) => Math.max(score ?? 0, result.score));
    announce(result.score);
    requestAnimationFrame(() => heading.current?.focus());
  };

  const start = async () => {
    setBusy(true);
    dismissToast();
    try {
      const begun = await runs.start();
      setShown({ run: begun, before: null });
      setSaid('The scenario has started.');
      requestAnimationFrame(() => heading.current?.focus());
    } catch (error) {
      toast({
        title: 'Scenario not started',
        description: lessonMessage(error, 'Please try again.'),
        variant: 'destructive',
        ...signInAction(error),
      });
    } finally {
      setBusy(false);
    }
  };

  const chosen = useChosenTime(scenario.time, async (time) => {
    const longer = await runs.chooseTime(time);
    if (!run) return;
    // In another window it may have ended.
    if (longer?.runId !== run.runId || longer.completed) return timeIsUp();
    setShown({ run: longer, before: null });
    setSaid(longer.time === 'none' ? 'Your time does not run out any more.' : 'You have more time.');
    // There is no more to choose: the list that had the focus is gone.
    if (longer.time === 'none') requestAnimationFrame(() => restart.current?.focus());
  });

  const act = async (action: string): Promise<boolean> => {
    resend.begin();
    if (!run) return false;
    if (action.trim() === '') {
      toast({ ...EMPTY_ACTION, variant: 'destructive' });
      return false;
    }
    setBusy(true);
    try {
      const result = await runs.act(run, action);
      setShown({ run: result, before: result.acted ? run.panels : null });
      setSaid([result.feedback, ...result.events].join(' '));
      // What was refused before has been answered by this action.
      if (result.kind === 'unknown') toast({ ...ACTION_FAILED, variant: 'destructive' });
      else if (result.kind !== 'stale') dismissToast();
      else toast({ title: 'Nothing was done', description: result.feedback });
      if (result.completed) {
        await finish(result.runId, (score) =>
          toast({ title: 'Scenario Completed!', description: `Your score: ${score} out of 100.` }),
        );
      }
      return result.kind !== 'stale';
    } catch (error) {
      return await refused(error, action);
    } finally {
      setBusy(false);
    }
  };

  const refused = async (error: unknown, action: string): Promise<boolean> => {
    if (error instanceof ApiError && error.code === 'not_understood') {
      // The refusal carries the run as it is, and what somebody there says to it.
      const { actionsTaken, version, asked, reply } = error.body as Partial<RunModel> & { reply?: string };
      setSaid(`${ACTION_FAILED.description} ${reply ?? ''}`);
      setShown((now) =>
        now && 'run' in now
          ? {
              ...now,
              run: {
                ...now.run,
                version: version ?? now.run.version,
                asked: asked ?? [],
                actionsTaken: actionsTaken ?? now.run.actionsTaken,
              },
            }
          : now,
      );
      toast({ ...ACTION_FAILED, variant: 'destructive' });
      // What was written stands in the story; arrow up brings it back.
      return true;
    }
    if (error instanceof ApiError && error.status === 409 && run) {
      await timeIsUp();
      return true;
    }
    // The run's version lets the server do it once. Until then it stands in its box.
    const sent = Promise.withResolvers<boolean>();
    const waits = resend.after(error, () => sent.resolve(act(action)), true);
    toast({
      title: ACTION_FAILED.title,
      description: lessonMessage(error, waits ? SENT_WHEN_BACK : 'Nothing was lost; please try again.'),
      variant: 'destructive',
      ...signInAction(error),
    });
    return waits && sent.promise;
  };

  const timeIsUp = async () => {
    if (!run) return;
    await runs.end();
    await finish(run.runId, (score) =>
      toast({ title: TIME_IS_UP, description: `Final score: ${score} out of 100.`, variant: 'destructive' }),
    ).catch(() => location.reload());
  };

  return (
    <>
      <div id={textId} className="contents">
        <Heading ref={heading} {...props} courseHref={courseHref} best={best} />
        <p className="sr-only" role="status" aria-live="polite">
          {said.replaceAll('`', '')}
        </p>

        {run ? (
          <>
            {!isWide && (
              <SituationStrip panels={run.panels} before={before}>
                <Goals goals={run.goals} />
              </SituationStrip>
            )}
            <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
              <div className="min-w-0">
                <details className="mb-6 rounded-md border border-line bg-surface px-4 py-2.5">
                  <summary className="font-medium">What has happened</summary>
                  <div className="mt-3">{children}</div>
                </details>
                <Conversation
                  run={run}
                  busy={busy}
                  aside={<Countdown run={run} onZero={timeIsUp} onSay={setSaid} />}
                  onAct={act}
                />
              </div>
              <aside
                // A new run is seen from its top.
                key={run.runId}
                aria-label="Situation and goals"
                className="grid min-w-0 content-start gap-6 self-start lg:sticky lg:top-[calc(var(--spacing-header)+1.5rem)] lg:max-h-[calc(100dvh-var(--spacing-header)-2.5rem)] lg:overflow-y-auto lg:pb-8 lg:[mask-image:linear-gradient(#000_calc(100%-4rem),transparent)]"
              >
                {isWide && <Situation run={run} before={before} />}
                <Resources resources={resources} />
                <MoreTime scenario={scenario} run={run} chosen={chosen} disabled={busy} />
                <Button ref={restart} variant="ghost" onClick={() => setAskRestart(true)} disabled={busy}>
                  <RotateCcw aria-hidden="true" />
                  Start over
                </Button>
              </aside>
            </div>
          </>
        ) : shown && 'replay' in shown ? (
          <RunResult
            tryOn={runs.tryOn}
            course={place && { ...course, lessonCount: place.lessonCount, before: place.progress }}
            replay={shown.replay}
            onRetry={start}
            busy={busy}
            backHref={courseHref}
            next={place?.next ?? null}
          />
        ) : (
          <div className="mt-8 grid gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
            <div className="min-w-0">
              {children}
              <div className="mt-8">
                <YourTime scenario={scenario} chosen={chosen} disabled={busy} isKept={signedIn} />
                <Button size="lg" className="mt-6" onClick={start} loading={busy} disabled={chosen.saving}>
                  Start Scenario
                </Button>
                <Terms scenario={scenario} time={chosen.time} signedIn={signedIn} />
              </div>
              {pastRuns.length > 0 && (
                <PastRuns runs={pastRuns} onOpen={(runId) => void finish(runId, () => {})} />
              )}
            </div>
            <aside aria-label="Goals and how it begins" className="grid min-w-0 content-start gap-6">
              <Goals goals={scenario.goals.map((goal) => ({ ...goal, met: false }))} />
              <section aria-labelledby="begin-heading">
                <h2 id="begin-heading" className="text-subheading">
                  How it begins
                </h2>
                <SituationPanels panels={scenario.panels} before={null} />
              </section>
              <Resources resources={resources} />
            </aside>
          </div>
        )}
      </div>
      <AlertDialog
        open={askRestart}
        onOpenChange={setAskRestart}
        title="Start over?"
        description="This run ends with the score it has now, and a new one begins."
        confirmLabel="Start over"
        onConfirm={start}
      />
    </>
  );
}

function Heading({
  ref,
  scenario,
  course,
  place,
  courseHref,
  best,
}: Pick<Props, 'scenario' | 'course' | 'place'> & {
  ref: Ref<HTMLHeadingElement>;
  courseHref: string;
  best: number | null;
}) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
      <div className="min-w-0">
        <a href={courseHref} className="quiet-link text-sm text-ink-soft">
          {course.title}
        </a>
        <h1 ref={ref} tabIndex={-1} className="mt-1 text-title outline-none">
          {scenario.title}
        </h1>
        <p className="mt-3 flex flex-wrap gap-2">
          <Badge>{TYPE_LABELS[scenario.scenario_type]}</Badge>
          <Badge>{levelLabel(scenario.difficulty)}</Badge>
          <Badge>{counted(scenario.time_limit, 'minute')}</Badge>
          {place && place.points > 0 && <Badge>{counted(place.points, 'point')}</Badge>}
          {best !== null && (
            <Badge tone={best >= PASS_SCORE ? 'success' : 'neutral'}>Best score {best}/100</Badge>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-5">
        {place && <NeighborLinks previous={place.previous} next={place.next} />}
      </div>
    </header>
  );
}

function Situation({ run, before }: { run: RunModel; before: PanelModel[] | null }) {
  return (
    <>
      <section aria-labelledby="state-heading">
        <div className="flex items-baseline justify-between gap-4">
          <h2 id="state-heading" className="text-subheading">
            The situation
          </h2>
          <p className="text-sm text-ink-soft tabular-nums">{run.minutes} min on its clock</p>
        </div>
        <SituationPanels panels={run.panels} before={before} />
      </section>
      <Goals goals={run.goals} />
    </>
  );
}

function Goals({ goals }: { goals: RunModel['goals'] }) {
  return (
    <section aria-labelledby="goals-heading">
      <h2 id="goals-heading" className="text-subheading">
        Goals
      </h2>
      <ul className="mt-3 grid gap-2">
        {goals.map(({ id, title, weight, required, met }) => (
          <li key={id} className="flex gap-2.5">
            {met ? (
              <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
            ) : (
              <CircleDashed aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-faint" />
            )}
            <span className="min-w-0">
              <span className="sr-only">{met ? 'Met: ' : 'Open: '}</span>
              {title}
              <span className="block text-sm text-ink-soft">
                weight {weight}
                {required ? '' : ', optional'}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Resources({ resources }: { resources: Props['resources'] }) {
  if (resources.length === 0) return null;
  return (
    <section aria-labelledby="resources-heading">
      <h2 id="resources-heading" className="text-subheading">
        Resources
      </h2>
      <div className="mt-3 grid gap-2">
        {resources.map(({ title, html }) => (
          <details
            key={title}
            className="rounded-md border border-line bg-surface px-4 py-2.5 [--reading-size:0.9375rem]"
          >
            <summary className="font-medium">{title}</summary>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered and sanitised by the server */}
            <div className="reading prose mt-3" dangerouslySetInnerHTML={{ __html: html }} />
          </details>
        ))}
      </div>
    </section>
  );
}

function PastRuns({ runs, onOpen }: { runs: Props['pastRuns']; onOpen: (runId: number) => void }) {
  return (
    <details className="mt-10 card">
      <summary className="px-4 py-2.5 font-medium">Your earlier runs ({runs.length})</summary>
      <ul className="divide-y divide-line border-t border-line">
        {runs.map(({ runId, score, passed, startedAt }) => (
          <li key={runId} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5">
            <span className="tabular-nums">
              {score}/100 {passed && <Badge tone="success">Passed</Badge>}
              <span className="block text-sm text-ink-soft">
                {startedAt.slice(0, 16).replace('T', ' ')} UTC
              </span>
            </span>
            <Button variant="ghost" size="sm" onClick={() => onOpen(runId)}>
              Look at it again
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
