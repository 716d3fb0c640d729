import { Clock } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Field } from '#src/components/Field.tsx';
import { NativeSelect } from '#src/components/NativeSelect.tsx';
import { toast } from '#src/components/toast.store.ts';
import { signInAction } from '#src/features/account/sign-in/sign-in-action.ts';
import { lessonMessage } from '#src/features/learn/progress/learn.ts';
import { counted } from '#src/shared/counted.ts';
import { loginPath } from '#src/shared/paths.ts';
import { PASS_SCORE, SCENARIO_TIMES, type ScenarioTime, secondsFor, TIME_FACTORS } from '../limits.ts';
import type { RunModel, ScenarioModel } from '../schema.ts';

const WARNINGS_SECONDS = [300, 60, 15];

interface ChosenTime {
  time: ScenarioTime;
  choose: (time: ScenarioTime) => Promise<void>;
  saving: boolean;
}

/** How much time a learner chose, and a way to change it (decision 126). */
export function useChosenTime(
  initial: ScenarioTime,
  keep: (time: ScenarioTime) => Promise<unknown>,
): ChosenTime {
  const [time, setTime] = useState(initial);
  const [saving, setSaving] = useState(false);
  const choose = async (next: ScenarioTime) => {
    // The list is not switched off meanwhile, which would take the focus from whoever has just chosen.
    if (saving) return;
    setTime(next);
    setSaving(true);
    try {
      await keep(next);
    } catch (error) {
      setTime(time);
      toast({
        title: 'Time not changed',
        description: lessonMessage(error, 'Please try again.'),
        variant: 'destructive',
        ...signInAction(error),
      });
    } finally {
      setSaving(false);
    }
  };
  return { time, choose, saving };
}

interface ChoiceProps {
  scenario: Pick<ScenarioModel, 'time_limit'>;
  chosen: ChosenTime;
  disabled: boolean;
}

export function YourTime({ isKept, ...choice }: ChoiceProps & { isKept: boolean }) {
  return (
    <TimeChoice
      label="Your time"
      hint={isKept ? 'Remembered for all scenarios. Points are the same.' : 'Points are the same.'}
      time={choice.chosen.time}
      {...choice}
    />
  );
}

export function MoreTime({ run: { time }, ...choice }: ChoiceProps & { run: RunModel }) {
  if (time === 'none') return null;
  return (
    <TimeChoice
      label="Give me more time"
      hint="Your points stay as they are."
      time={time}
      choices={SCENARIO_TIMES.slice(SCENARIO_TIMES.indexOf(time))}
      {...choice}
    />
  );
}

/** What is said below the button that starts a run. */
export function Terms({
  scenario,
  time,
  signedIn,
}: {
  scenario: Pick<ScenarioModel, 'id' | 'time_limit'>;
  time: ScenarioTime;
  signedIn: boolean;
}) {
  return (
    <>
      <p className="mt-3 text-sm text-ink-soft">
        {limitText(scenario.time_limit, time) ?? 'You have all the time you need.'} {PASS_SCORE} of 100 points
        pass; you can try as often as you like{signedIn && ', and the best score counts'}.
      </p>
      {!signedIn && (
        <p className="mt-3 text-sm text-ink-soft">
          This is a preview: nothing of it is kept.{' '}
          <a href={loginPath(`/scenario/${scenario.id}`)} className="text-link font-semibold">
            Sign in
          </a>{' '}
          to keep your runs.
        </p>
      )}
    </>
  );
}

function limitText(limit: number, time: ScenarioTime): string | null {
  const seconds = secondsFor(limit, time);
  return seconds === null ? null : `You have ${counted(seconds / 60, 'minute')} from the moment you start.`;
}

function TimeChoice({
  label,
  hint,
  time,
  choices = SCENARIO_TIMES,
  scenario,
  chosen,
  disabled,
}: ChoiceProps & { label: string; hint: string; time: ScenarioTime; choices?: readonly ScenarioTime[] }) {
  return (
    <Field label={label} hint={hint} className="sm:w-60">
      <NativeSelect
        value={time}
        disabled={disabled}
        onChange={({ target }) => void chosen.choose(target.value as ScenarioTime)}
        options={choices.map((value) => ({ value, label: timeLabel(scenario.time_limit, value) }))}
      />
    </Field>
  );
}

function timeLabel(limit: number, time: ScenarioTime): string {
  const seconds = secondsFor(limit, time);
  if (seconds === null) return 'No time limit';
  const minutes = counted(seconds / 60, 'minute');
  return time === 'usual' ? minutes : `${minutes} (× ${TIME_FACTORS[time]})`;
}

export function Countdown({
  run,
  ...rest
}: {
  run: RunModel;
  onZero: () => void;
  onSay: (text: string) => void;
}) {
  const { secondsLeft, score } = run;
  return secondsLeft === null ? (
    <span className="flex items-center gap-1.5 text-sm text-ink-soft tabular-nums">
      <Clock aria-hidden="true" className="size-4" />
      No time limit <span aria-hidden="true">·</span> Score {score}/100
    </span>
  ) : (
    // Begun anew when the learner is given more time.
    <RunningClock key={`${run.runId} ${run.time}`} secondsLeft={secondsLeft} score={score} {...rest} />
  );
}

/** By the server's clock: the browser's may be wrong. */
function RunningClock({
  secondsLeft,
  score,
  onZero,
  onSay,
}: {
  secondsLeft: number;
  score: number;
  onZero: () => void;
  onSay: (text: string) => void;
}) {
  const [end] = useState(() => performance.now() + secondsLeft * 1000);
  const [left, setLeft] = useState(secondsLeft);
  const zero = useEffectEvent(onZero);
  const say = useEffectEvent(onSay);
  useEffect(() => {
    let previous = Number.POSITIVE_INFINITY;
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      for (const warning of WARNINGS_SECONDS) {
        if (previous > warning && now <= warning && now > 0) {
          say(`${warning >= 60 ? counted(warning / 60, 'minute') : counted(warning, 'second')} left.`);
        }
      }
      previous = now;
      setLeft(now);
      if (now === 0) {
        clearInterval(timer);
        zero();
      }
    }, 500);
    return () => clearInterval(timer);
  }, [end]);
  return (
    <span className="flex items-center gap-1.5 text-sm text-ink-soft tabular-nums">
      <Clock aria-hidden="true" className="size-4" />
      <span
        role="timer"
        aria-label={`${counted(Math.floor(left / 60), 'minute')} ${counted(left % 60, 'second')} left`}
        className={`font-semibold ${left <= 60 ? 'text-danger' : 'text-ink'}`}
      >
        {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
      </span>
      <span aria-hidden="true">left ·</span> Score {score}/100
    </span>
  );
}
