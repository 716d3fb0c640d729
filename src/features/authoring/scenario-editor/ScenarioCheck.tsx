import { CircleAlert, CircleCheck, ListChecks, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Spinner } from '#src/components/Spinner.tsx';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import type { PlacedFinding } from './ScenarioFields.tsx';
import { checkScenarioCall, type ScenarioCheck as Report } from './schema.ts';
import { type Draft, placeOf } from './scenario-draft.ts';
import { counted } from '#src/shared/counted.ts';

const PAUSE_MS = 2000;
const BUSY_MS = 10_000;

interface CheckState {
  report: Report | null;
  findings: PlacedFinding[];
  busy: boolean;
  isCurrent: boolean;
  error: string;
  checkNow: () => void;
}

export function useScenarioCheck(draft: Draft): CheckState {
  const [done, setDone] = useState<{ report: Report; findings: PlacedFinding[]; of: Draft } | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const running = useRef<AbortController | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const check = async (of: Draft) => {
    clearTimeout(timer.current);
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setBusy(true);
    setError('');
    try {
      const report = await call(checkScenarioCall, { input: { definition: of }, signal: mine.signal });
      if (mine.signal.aborted) return;
      const findings = report.findings.map((finding) => ({ ...finding, place: placeOf(finding.at, of) }));
      setDone({ report, findings, of });
    } catch (problem) {
      if (mine.signal.aborted) return;
      setError(messageOf(problem, 'The check could not be reached. Please try again.'));
      if (problem instanceof ApiError && (problem.status === 429 || problem.status === 503))
        timer.current = setTimeout(() => void check(of), BUSY_MS);
    }
    setBusy(false);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another draft is a reason to check
  useEffect(() => {
    timer.current = setTimeout(() => void check(draft), PAUSE_MS);
    return () => {
      clearTimeout(timer.current);
      running.current?.abort();
      setBusy(false);
    };
  }, [draft]);

  return {
    report: done?.report ?? null,
    findings: done?.findings ?? [],
    busy,
    isCurrent: done?.of === draft,
    error,
    checkNow: () => void check(draft),
  };
}

/** What the check says in one line. */
export function checkSummary({ report }: CheckState): string {
  if (!report) return 'Not checked yet.';
  const errors = report.findings.filter(({ level }) => level === 'error').length + report.moreFindings;
  const warnings = report.findings.length + report.moreFindings - errors;
  if (errors > 0)
    return errors === 1
      ? 'One error stands against publishing.'
      : `${counted(errors, 'error')} stand against publishing.`;
  if (warnings > 0) return `Ready to publish, with ${counted(warnings, 'warning')}.`;
  return 'Ready to publish.';
}

/** The check beside the form: what stands against publishing, with the way there, and the shortest way through. */
export function ScenarioCheck({
  check,
  draft,
  onJump,
}: {
  check: CheckState;
  draft: Draft;
  onJump: (place: (string | number)[]) => void;
}) {
  const { report, findings, busy, isCurrent, error, checkNow } = check;
  return (
    <section aria-labelledby="scenario-check" data-scenario-check="" className="card px-4 py-4 sm:px-5">
      <div className="flex items-center justify-between gap-3">
        <h3 id="scenario-check" className="text-subheading">
          Check
        </h3>
        <Button variant="secondary" size="sm" className="max-sm:min-h-11" loading={busy} onClick={checkNow}>
          <ListChecks aria-hidden="true" /> Check now
        </Button>
      </div>
      <p role="status" className="mt-2 flex items-start gap-2 font-semibold">
        {report?.publishable ? (
          <CircleCheck aria-hidden="true" className="mt-1 size-4 shrink-0 text-success" />
        ) : (
          report && <CircleAlert aria-hidden="true" className="mt-1 size-4 shrink-0 text-danger" />
        )}
        <span>{checkSummary(check)}</span>
      </p>
      {error && (
        <p role="alert" className="mt-2 text-sm font-medium text-danger">
          {error}
        </p>
      )}
      {!isCurrent && report && (
        <p className="mt-1 flex items-center gap-2 text-sm text-ink-soft">
          {busy && <Spinner label="Checking" />}
          You have changed something since.
        </p>
      )}
      {report && (
        <>
          {findings.length > 0 && (
            <ul className="mt-3 -mx-2 grid gap-1">
              {findings.map(({ level, code, at, message, place }) => (
                <li key={`${code} ${at} ${message}`}>
                  <button
                    type="button"
                    className="flex min-h-11 w-full items-start gap-2 rounded-sm px-2 py-1.5 text-left text-sm hover:bg-sunken"
                    onClick={() => onJump(place)}
                  >
                    {level === 'error' ? (
                      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
                    ) : (
                      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
                    )}
                    <span className="min-w-0 break-words">
                      <span className="font-semibold">
                        <span className="sr-only">{level === 'error' ? 'Error: ' : 'Warning: '}</span>
                        {placeName(place, draft)}:
                      </span>{' '}
                      {message}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          {report.moreFindings > 0 && (
            <p className="mt-2 text-sm text-ink-soft">And {report.moreFindings} more.</p>
          )}
          <dl className="mt-3 grid gap-2 border-t border-line pt-3 text-sm">
            <div>
              <dt className="text-ink-soft">100 points</dt>
              <dd className="font-semibold">
                {report.bestScore === 100
                  ? 'Possible'
                  : report.bestScore === null
                    ? 'Not proven'
                    : `Not possible; the best is ${report.bestScore}`}
              </dd>
            </div>
            <div>
              <dt className="text-ink-soft">Shortest way</dt>
              {report.solution ? (
                <dd>
                  <p className="font-semibold">
                    {counted(report.solution.length, 'action')}, {counted(report.minutes ?? 0, 'minute')} of
                    the situation’s clock
                  </p>
                  <ol className="mt-1.5 list-decimal space-y-1 pl-5">
                    {report.solution.map((title, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place on the way
                      <li key={index}>{title}</li>
                    ))}
                  </ol>
                </dd>
              ) : (
                <dd className="font-semibold">None found</dd>
              )}
            </div>
            {report.states > 0 && (
              <div>
                <dt className="text-ink-soft">Situations looked at</dt>
                <dd className="tabular-nums">{report.states.toLocaleString('en-US')}</dd>
              </div>
            )}
          </dl>
        </>
      )}
    </section>
  );
}

const FIELD_NAMES: Record<string, string> = {
  timeLimit: 'Time limit',
  type: 'Type',
  title: 'Title',
  description: 'Description',
  difficulty: 'Difficulty',
  goals: 'Goals',
  rules: 'Rules',
  events: 'Events',
  panels: 'Panels',
  resources: 'Resources',
  state: 'Variables',
  synonyms: 'Words that mean the same',
};
const ITEM_NAMES: Record<string, string> = {
  goals: 'Goal',
  rules: 'Rule',
  events: 'Event',
  panels: 'Panel',
  resources: 'Resource',
  synonyms: 'Group',
};

function placeName(place: (string | number)[], draft: Draft): string {
  const [field = '', index, ...rest] = place;
  const name = FIELD_NAMES[field] ?? String(field);
  if (typeof index !== 'number') return index === undefined ? name : `${name}, ${index}`;
  const items = (draft as unknown as Record<string, { title?: string }[] | undefined>)[field];
  const title = items?.[index]?.title;
  const item = `${ITEM_NAMES[field] ?? name} ${title ? `“${title}”` : index + 1}`;
  const part = rest.find((one) => typeof one === 'string');
  return part === undefined ? item : `${item}, ${part}`;
}
