import { toastFailure } from '#src/features/authoring/toast-failure.ts';
import {
  CircleAlert,
  Download,
  Eye,
  EyeOff,
  ListTree,
  RefreshCw,
  ShieldCheck,
  TriangleAlert,
  Undo2,
  Unlink,
} from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { Card } from '#src/components/Card.tsx';
import { classNames } from '#src/components/class-names.ts';
import { EmptyState } from '#src/components/EmptyState.tsx';
import { ProgressBar } from '#src/components/ProgressBar.tsx';
import { Spinner } from '#src/components/Spinner.tsx';
import { toast } from '#src/components/toast.store.ts';
import { lessonTypeLabel } from '#src/features/lessons/registry.ts';
import { LessonTypeIcon } from '#src/features/lessons/LessonTypeIcon.tsx';
import { call } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import {
  factsText,
  type CheckedLessonReport,
  type FindingOverride,
  type PublishReport,
  type LessonState,
  openFindings,
  type ShownFinding,
} from './publish-check.ts';
import { usePublishReport } from './use-publish-report.ts';
import {
  ChangeBadge,
  DiscardChange,
  LessonChange,
  PublishChanges,
  usePendingChanges,
} from './PublishChanges.tsx';
import {
  changeCount,
  changesText,
  type PendingChange,
  type PendingChanges,
} from '#src/features/authoring/changes/changes.ts';
import { overrideFindingCall, pendingChangesCall, startPublishCheckCall } from './schema.ts';
import { shownDate, shownMoment } from '#src/shared/dates.ts';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';
import { lessonFieldLabel } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { toggleCourseCall } from '#src/features/authoring/courses/schema.ts';
import { LEFT_OUT } from '#src/features/authoring/courses/courses.ts';
import { toggleNotice } from '#src/features/authoring/courses/toggle-notice.ts';

const STATES: Record<
  LessonState,
  { label: string; tone: 'success' | 'danger' | 'warning' | 'neutral' | 'info' }
> = {
  proven: { label: 'Proven', tone: 'success' },
  failed: { label: 'To fix', tone: 'danger' },
  changed: { label: 'Changed since', tone: 'warning' },
  unchecked: { label: 'Not checked', tone: 'neutral' },
  waiting: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Checking', tone: 'info' },
};

/** Checks a course, shows the findings, and shows or hides the course in the store. */
export function PublishCourse({
  initialReport,
  initialChanges,
  title,
}: {
  initialReport: PublishReport;
  initialChanges: PendingChanges;
  title: string;
}) {
  const { report, setReport, look, lost, isRunning } = usePublishReport(initialReport);
  const [changes, setChanges] = useState(initialChanges);
  const [working, setWorking] = useState<'check' | 'show' | null>(null);
  const { courseId } = report;
  const pending = usePendingChanges(changes, (next) => {
    setChanges(next);
    void look();
  });
  const wasRunning = useRef(isRunning);

  const published = useCallback(async () => {
    const waited = changesText(changes);
    setChanges(await call(pendingChangesCall, { params: { id: courseId } }));
    toast({ title: 'Published', description: `Learners have it now: ${waited}.` });
  }, [changes, courseId]);

  useEffect(() => {
    if (wasRunning.current && !isRunning && report.run?.outcome === 'published') void published();
    else if (wasRunning.current && !isRunning) {
      const failed = report.lessons.filter(({ state }) => state !== 'proven').length;
      toast({
        title: report.ready ? 'Every lesson is proven' : 'The course is checked',
        description: report.ready
          ? 'Nothing stands against listing the course.'
          : `${counted(failed, 'lesson')} to look at.`,
      });
    }
    wasRunning.current = isRunning;
  }, [isRunning, report, published]);

  const check = async () => {
    setWorking('check');
    try {
      setReport(await call(startPublishCheckCall, { params: { id: courseId } }));
    } catch (error) {
      toastFailure(error, 'The check could not be started.');
    } finally {
      setWorking(null);
    }
  };

  const toggle = async () => {
    setWorking('show');
    try {
      const now = await call(toggleCourseCall, { params: { id: courseId } });
      const { isActive, activateWhenProven } = now;
      setReport((current) => ({ ...current, isActive, activateWhenProven }));
      const { title: heading, description } = toggleNotice({ id: courseId, title }, now);
      toast({ title: heading, description });
      await look();
    } catch (error) {
      toastFailure(error, 'Failed to update course visibility');
      await look().catch(() => {});
    } finally {
      setWorking(null);
    }
  };

  const override = async (lessonId: number, finding: string, reason: string | null) => {
    setReport(
      await call(overrideFindingCall, { params: { id: courseId }, input: { lessonId, finding, reason } }),
    );
  };

  const waits = changeCount(changes) > 0;
  const removed = changes.lessons.filter(({ kind }) => kind === 'removed');
  const { run, lessons, ready, obstacle, isActive, activateWhenProven } = report;
  const failed = lessons.filter(({ state }) => state === 'failed').length;
  const standing = [
    isActive && !waits ? 'The course is in the store.' : '',
    waits ? 'Learners have the course as it was before the changes.' : '',
    activateWhenProven ? 'The course comes into the store as soon as each lesson is proven.' : '',
    isRunning || failed === 0
      ? obstacle
      : `${counted(failed, 'lesson has', 'lessons have')} errors. Fix them, or let one pass with a reason, and check again.`,
  ]
    .filter(Boolean)
    .join(' ');
  return (
    <>
      {waits && (
        <PublishChanges
          changes={changes}
          pending={pending}
          report={report}
          onReport={(next) => {
            setReport(next);
            // Nothing needed a check: it is published.
            if (next.run?.status !== 'running') void published();
          }}
        />
      )}
      <Card>
        <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-5">
          <div className="min-w-0 flex-1 basis-80">
            <h2 className="flex flex-wrap items-center gap-x-3 gap-y-2 text-subheading">
              {ready
                ? isActive
                  ? waits
                    ? 'In the store, with changes that are proven'
                    : 'In the store, and proven'
                  : 'Ready to be shown'
                : isActive
                  ? waits
                    ? 'In the store, with changes that are not proven'
                    : 'In the store, and not all of it proven'
                  : 'Not proven yet'}
              <Badge tone={isActive ? 'success' : 'neutral'}>{isActive ? 'Active' : 'Inactive'}</Badge>
            </h2>
            <p className="mt-1.5 max-w-prose text-ink-soft">
              {ready
                ? 'Every lesson works as it is now. A lesson that is changed afterwards has to be checked again.'
                : standing}
            </p>
            {run && !isRunning && run.total > 0 && (
              <p className="mt-1.5 text-sm text-ink-soft">
                {run.status === 'abandoned'
                  ? 'The last check was broken off.'
                  : `Checked by ${run.startedBy}, ${shownMoment(run.finishedAt ?? run.startedAt)}.`}
              </p>
            )}
          </div>
          <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-auto">
            <Button
              variant={ready || waits ? 'secondary' : 'primary'}
              loading={working === 'check' || isRunning}
              disabled={lessons.length === 0}
              onClick={() => void check()}
            >
              <RefreshCw aria-hidden="true" />{' '}
              {isRunning ? 'Checking' : run ? 'Check again' : 'Check the course'}
            </Button>
            <Button
              variant={isActive || !ready ? 'secondary' : 'primary'}
              loading={working === 'show'}
              onClick={() => void toggle()}
            >
              {isActive ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
              {isActive ? 'Hide' : 'Show in the store'}
            </Button>
          </div>
        </div>
        {isRunning && run && (
          <div className="mt-5" role="status">
            <ProgressBar
              size="md"
              value={(100 * run.done) / Math.max(1, run.total)}
              label={`${run.done} of ${counted(run.total, 'lesson')} checked`}
            />
            <p className="mt-2 text-sm text-ink-soft">
              {lost
                ? 'The connection is lost. The check goes on; this page tries again.'
                : 'You may leave this page: the check goes on without it.'}
            </p>
          </div>
        )}
        {report.findings.length > 0 && <CourseFindings findings={report.findings} />}
        <p className="mt-5 border-t border-line pt-4 text-sm">
          <a
            href={`/admin/courses/${courseId}/export.zip`}
            download
            className="text-link inline-flex min-h-6 items-center gap-1.5"
          >
            <Download aria-hidden="true" className="size-4" />{' '}
            {waits ? 'Export as files, as learners have it' : 'Export as files'}
          </a>
          <span className="block text-ink-soft">{LEFT_OUT}</span>
        </p>
      </Card>

      {lessons.length === 0 && (
        <div className="mt-6">
          <EmptyState
            title="No lessons yet"
            icon={<ListTree />}
            actions={<Button href={`/admin/courses/${courseId}/content`}>Add lessons</Button>}
          >
            Until it has some, its page in the store says that lessons are being added.
          </EmptyState>
        </div>
      )}
      {lessons.length + removed.length > 0 && (
        <section aria-labelledby="lessons" className="mt-8">
          <h2 id="lessons" className="text-heading">
            Lessons
          </h2>
          <ol className="mt-4 divide-y divide-line card">
            {lessons.map((lesson, index) => (
              <LessonReport
                key={lesson.id}
                lesson={lesson}
                number={index + 1}
                courseId={courseId}
                change={changes.lessons.find(({ lessonId }) => lessonId === lesson.id)}
                pending={pending}
                isRunning={isRunning}
                onOverride={report.mayLetPass ? override : null}
              />
            ))}
            {removed.map((change) => (
              <li key={change.lessonId} className="px-5 py-4 sm:px-6">
                <LessonHead
                  href={`/admin/courses/${courseId}/content/${change.lessonId}/versions`}
                  title={change.title}
                  type={change.type}
                  says={lessonTypeLabel(change.type)}
                  change={change}
                >
                  <DiscardChange change={change} pending={pending} disabled={isRunning} />
                </LessonHead>
                <LessonChange change={change} pending={pending} disabled={isRunning} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

/** Null where nothing can be let pass. */
type OnOverride = ((lessonId: number, finding: string, reason: string | null) => Promise<void>) | null;

function CourseFindings({ findings }: Pick<PublishReport, 'findings'>) {
  return (
    <section aria-labelledby="course-findings" className="mt-5 border-t border-line pt-4">
      <h3 id="course-findings" className="font-semibold">
        The course’s own page
      </h3>
      <ul className="mt-2 space-y-2">
        {findings.map(({ key, severity, field, message }) => (
          <li key={key} className="flex gap-2.5">
            {severity === 'error' ? (
              <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-danger" />
            ) : (
              <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-warning" />
            )}
            <p className="min-w-0 break-words">
              <span className="font-semibold">{field === 'thumbnail' ? 'Thumbnail' : 'Description'}.</span>{' '}
              {message}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LessonHead({
  href,
  number,
  title,
  type,
  says,
  change,
  children,
}: Pick<CheckedLessonReport, 'title' | 'type'> & {
  href: string;
  number?: number;
  says: string;
  change: PendingChange | undefined;
  children: ReactNode;
}) {
  return (
    <div className="flex items-start justify-between gap-x-4">
      <div className="flex min-w-0 gap-3">
        <LessonTypeIcon type={type} className="mt-1 size-5 shrink-0 text-ink-soft" />
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold break-words">
            <a href={href} className="quiet-link">
              {number && <span className="sr-only">Lesson {number}: </span>}
              {title}
            </a>
            {change && <ChangeBadge kind={change.kind} />}
          </h3>
          <p className="text-sm text-ink-soft">{says}</p>
        </div>
      </div>
      <div className="flex shrink-0 items-center gap-x-2 max-sm:flex-col max-sm:items-end">{children}</div>
    </div>
  );
}

function LessonReport({
  lesson,
  number,
  courseId,
  change,
  pending,
  isRunning,
  onOverride,
}: {
  lesson: CheckedLessonReport;
  number: number;
  courseId: number;
  change: PendingChange | undefined;
  pending: ReturnType<typeof usePendingChanges>;
  isRunning: boolean;
  onOverride: OnOverride;
}) {
  const { id, title, type, section, state, findings, deadLinks, lapsed, facts } = lesson;
  const href = `/admin/courses/${courseId}/content/${id}`;
  const [serious, advice] = [true, false].map((isSerious) =>
    findings.filter((one) => isSerious === (one.severity === 'error' || one.override !== null)),
  ) as [ShownFinding[], ShownFinding[]];
  const rowsOf = (those: readonly ShownFinding[]) =>
    those.map((finding) => (
      <FindingRow key={finding.key} finding={finding} lesson={lesson} href={href} onOverride={onOverride} />
    ));
  const done = factsText(facts);
  return (
    <li className="px-5 py-4 sm:px-6">
      <LessonHead
        href={href}
        number={number}
        title={title}
        type={type}
        says={[lessonTypeLabel(type), section, done].filter(Boolean).join('\u00a0· ')}
        change={change}
      >
        {state === 'running' ? (
          <Spinner label="Checking" showLabel />
        ) : (
          <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
        )}
        {change && <DiscardChange change={change} pending={pending} disabled={isRunning} />}
      </LessonHead>
      {change && <LessonChange change={change} pending={pending} disabled={isRunning} />}
      {state === 'changed' && (
        <p className="mt-2 ml-8 text-sm text-ink-soft">The lesson has changed since it was checked.</p>
      )}
      {serious.length > 0 && <ul className="mt-3 ml-8 space-y-3 max-sm:ml-0">{rowsOf(serious)}</ul>}
      {advice.length > 0 && (
        <details
          className="mt-3 ml-8 max-sm:ml-0"
          open={openFindings(findings, 'error').length > 0 && advice.length <= 4}
        >
          <summary className="w-fit cursor-pointer py-1 text-sm text-ink-soft hover:text-ink">
            {counted(advice.length, 'warning')}: worth a look, no obstacle
          </summary>
          <ul className="mt-2 space-y-3">{rowsOf(advice)}</ul>
        </details>
      )}
      {deadLinks.length > 0 && (
        <ul className="mt-3 ml-8 space-y-3 max-sm:ml-0">
          {deadLinks.map(({ key, field, message, since }) => (
            <li key={key} className="flex gap-2.5">
              <Unlink aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-warning" />
              <div className="min-w-0 flex-1">
                <p className="break-words">
                  <span className="font-semibold">Dead link since {shownDate(since)}.</span> {message}
                </p>
                <p className="mt-1 text-sm">
                  <a href={`${href}#${field}`} className="text-link inline-flex min-h-6 items-center">
                    Fix {lessonFieldLabel(field)}
                    <span className="sr-only"> of {title}</span>
                  </a>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {lapsed.length > 0 && (
        <details className="mt-3 ml-8 max-sm:ml-0">
          <summary className="w-fit cursor-pointer py-1 text-sm text-ink-soft hover:text-ink">
            {counted(lapsed.length, 'earlier exception')}, lapsed when the lesson changed
          </summary>
          <ul className="mt-2 space-y-2 text-sm">
            {lapsed.map((one) => (
              <li key={`${one.at}${one.message}`} className="break-words">
                {one.message} <OverrideNote override={one} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function OverrideNote({ override: { by, at, reason } }: { override: FindingOverride }) {
  return (
    <span className="block text-ink-soft">
      Let pass by {by}, {shownMoment(at)}: “{reason}”
    </span>
  );
}

function FindingRow({
  finding,
  lesson,
  href,
  onOverride,
}: {
  finding: ShownFinding;
  lesson: CheckedLessonReport;
  href: string;
  onOverride: OnOverride;
}) {
  const { key, severity, field, message, mutation, override } = finding;
  const [working, setWorking] = useState(false);
  const isError = severity === 'error';
  const Icon = override ? ShieldCheck : isError ? CircleAlert : TriangleAlert;
  const takeBack = async () => {
    setWorking(true);
    try {
      await onOverride?.(lesson.id, key, null);
    } catch (error) {
      toastFailure(error, 'That did not work. Please try again.');
    } finally {
      setWorking(false);
    }
  };
  return (
    <li className="flex gap-2.5">
      <Icon
        aria-hidden="true"
        className={classNames(
          'mt-0.5 size-5 shrink-0',
          override ? 'text-success' : isError ? 'text-danger' : 'text-warning',
        )}
      />
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <span className="sr-only">{override ? 'Let pass: ' : isError ? 'Error: ' : 'Warning: '}</span>
          {message}
        </p>
        {mutation && (
          <dl className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-md bg-sunken px-3 py-2 font-mono text-sm">
            <dt className="text-ink-soft">Solution</dt>
            <dd className="break-words whitespace-pre-wrap">{mutation.original}</dd>
            <dt className="text-ink-soft">Unnoticed</dt>
            <dd className="break-words whitespace-pre-wrap">{mutation.mutated}</dd>
          </dl>
        )}
        {override && (
          <p className="mt-1 text-sm break-words">
            <OverrideNote override={override} />
          </p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-x-5 gap-y-1 text-sm">
          <a href={`${href}#${field}`} className="text-link inline-flex min-h-6 items-center">
            {isError && !override ? 'Fix' : 'Open'} {lessonFieldLabel(field)}
            <span className="sr-only"> of {lesson.title}</span>
          </a>
          {!override && onOverride && field !== 'opening' && (
            <DecisionDialog
              label="Let it pass"
              accessibleLabel={`Let it pass: ${message}`}
              variant="link"
              title="Let this finding pass?"
              description={message}
              reasonHint="Shown beside the finding and kept in the audit log. It counts until the lesson changes, for a link until its address does."
              reasonRequired
              confirmLabel="Let it pass"
              decide={async (reason) => {
                await onOverride(lesson.id, key, reason);
                return undefined;
              }}
            />
          )}
          {override && onOverride && (
            <Button variant="link" size="sm" loading={working} onClick={() => void takeBack()}>
              <Undo2 aria-hidden="true" className="size-4" /> Take back
            </Button>
          )}
        </p>
      </div>
    </li>
  );
}
