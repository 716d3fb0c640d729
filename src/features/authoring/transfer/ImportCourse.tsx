import { type RefObject, useEffect, useRef, useState } from 'react';
import { toldApart } from '#src/features/catalogue/catalogue.ts';
import { Alert } from '#src/components/Alert.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Card } from '#src/components/Card.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { ProgressBar } from '#src/components/ProgressBar.tsx';
import { Select } from '#src/components/Select.tsx';
import { useLatest } from '#src/components/use-latest.ts';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import {
  ARCHIVE_UPLOADS_PATH,
  archiveProblem,
  type ImportChange,
  planSummary,
  SOURCE_COURSE,
} from './course-files.ts';
import { useUpload } from '#src/features/authoring/media/resumable-upload.ts';
import { type CourseFault, importCourseCall, importFaults, type ImportPlan } from './schema.ts';
import { publishHref } from '#src/features/authoring/publishing/publish-check.ts';

const NEW_COURSE = 'new';

type Found = { plan: ImportPlan; newVersions: readonly number[] } | { faults: CourseFault[] };

/** Reads a course from an archive: shows what would change, then does exactly that once confirmed. */
export function ImportCourse({
  courses,
  chosen,
  maxBytes,
}: {
  courses: { id: number; title: string }[];
  chosen: number | null;
  maxBytes: number;
}) {
  const [file, setFile] = useState<File | null>(null);
  const [target, setTarget] = useState(chosen === null ? SOURCE_COURSE : String(chosen));
  const [asking, setAsking] = useState<'look' | 'apply' | null>(null);
  const [problem, setProblem] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const { plan, newVersions } = found && 'plan' in found ? found : { plan: null, newVersions: [] };
  const faults = found && 'faults' in found ? found.faults : null;
  const result = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (plan || faults) result.current?.focus();
  }, [plan, faults]);

  const upload = useUpload(
    { endpoint: ARCHIVE_UPLOADS_PATH, key: 'course', goOn: 'resume when it is back' },
    { onArrived: (id) => void ask(id, ''), onProblem: setProblem },
  );
  const { sent, arrived } = upload;
  const current = useLatest(arrived);

  const forget = () => {
    setFound(null);
    setProblem('');
  };

  const discard = () => {
    upload.discard();
    forget();
  };

  const look = () => {
    if (sent?.isPaused) {
      setProblem('');
      return upload.resume();
    }
    if (asking || sent) return;
    if (!file) return setProblem('Choose a file');
    const refused = archiveProblem(file.size, maxBytes);
    setProblem(refused ?? '');
    if (refused) return;
    if (plan) result.current?.focus();
    else setFound(null);
    void (arrived === null ? upload.start(file) : ask(arrived, ''));
  };

  const ask = async (id: string, digest: string) => {
    setProblem('');
    setAsking(digest ? 'apply' : 'look');
    const courseId = target === NEW_COURSE ? null : target === SOURCE_COURSE ? SOURCE_COURSE : Number(target);
    try {
      const answer = await call(importCourseCall, {
        input: { upload: id, courseId, digest, newVersions: digest ? [...newVersions] : [] },
      });
      if (answer.appliedTo === null) {
        if (current.current !== id) return;
        setFound({ plan: answer.plan, newVersions: [] });
        setTarget(answer.plan.courseId === null ? NEW_COURSE : String(answer.plan.courseId));
      } else {
        toastOnNextPage({
          title: 'Course imported',
          description: `“${answer.plan.title}”: ${planSummary(answer.plan.rows)}.`,
        });
        location.assign(publishHref(answer.appliedTo));
        // The button stays busy until the page is left.
        await new Promise(() => {});
      }
    } catch (error) {
      if (current.current !== id) return;
      const refusal = error instanceof ApiError ? error : null;
      if (refusal?.fields.upload) upload.forget();
      const mistakes = importFaults.safeParse(refusal?.body);
      if (mistakes.success) setFound(mistakes.data);
      else {
        const newer = importCourseCall.output.shape.plan.safeParse(refusal?.body.plan);
        setFound(newer.success ? { plan: newer.data, newVersions: [] } : null);
        setProblem(
          messageOf(
            error,
            digest
              ? 'The course may have been imported: look at the list of courses before you try again.'
              : 'Please try again. The file need not be sent again.',
          ),
        );
      }
    } finally {
      setAsking(null);
    }
  };

  const changes = plan?.rows.some(({ change }) => change !== 'unchanged') ?? false;
  const removed = plan?.rows.filter(({ change }) => change === 'removed').length ?? 0;
  return (
    <>
      <Card>
        <p className="max-w-prose text-ink-soft">
          A course as a zip file, as its export makes it: <code>course.yaml</code>, lessons in Markdown,
          tests, code and files. Nothing changes before you have seen what would.
        </p>
        <form
          noValidate
          className="mt-5 grid gap-5 md:grid-cols-2"
          onSubmit={(event) => {
            event.preventDefault();
            look();
          }}
        >
          <Field label="Zip file" hint={`At most ${maxBytes / 1_048_576} MB.`} error={problem} required>
            <Input
              type="file"
              name="file"
              accept=".zip,application/zip"
              className="py-2 file:mr-4 file:font-semibold"
              onChange={(event) => {
                setFile(event.currentTarget.files?.[0] ?? null);
                discard();
              }}
            />
          </Field>
          <Field label="Read it into" hint="A new course is hidden at first." className="min-w-0">
            <Select
              name="course"
              value={target}
              onValueChange={(value) => {
                setTarget(value);
                forget();
              }}
              options={[
                { value: SOURCE_COURSE, label: 'The course it came from, or a new one' },
                { value: NEW_COURSE, label: 'A new course' },
                ...toldApart(courses).map(({ id, title }) => ({ value: String(id), label: title })),
              ]}
            />
          </Field>
          <div className="md:col-span-2">
            <Button
              type="submit"
              loading={asking === 'look' || (sent !== null && !sent.isPaused)}
              variant={plan ? 'secondary' : 'primary'}
            >
              Show what would change
            </Button>
            {sent && (
              <div className="mt-4 flex flex-wrap items-end gap-3">
                <ProgressBar
                  className="min-w-0 flex-1 basis-56 break-all md:max-w-sm"
                  value={Math.floor((sent.bytes / sent.file.size) * 100)}
                  label={sent.isPaused ? 'Upload, paused' : 'Upload'}
                />
                <Button
                  variant="secondary"
                  size="sm"
                  onClick={() => {
                    if (sent.isPaused) look();
                    else void upload.pause();
                  }}
                >
                  {sent.isPaused ? 'Resume' : 'Pause'}
                </Button>
                <Button variant="secondary" size="sm" onClick={discard}>
                  Cancel
                </Button>
              </div>
            )}
          </div>
        </form>
      </Card>

      {faults && <ImportFaults faults={faults} heading={result} />}

      {plan && (
        <section aria-labelledby="import-result" className="mt-10">
          <h2 ref={result} id="import-result" tabIndex={-1} className="text-heading outline-none">
            What would change
          </h2>
          <p className="mt-1 text-ink-soft">
            {plan.courseId === null ? `A new course, “${plan.title}”` : `In “${plan.title}”`}:{' '}
            {planSummary(plan.rows)}.
            {plan.newPictures > 0 &&
              ` ${counted(plan.newPictures, 'picture')} would be added to its library.`}
            {plan.waits && ' What changes in its lessons waits until you publish it.'}
          </p>
          {removed > 0 && (
            <Alert
              tone="warning"
              className="mt-4"
              title={`${counted(removed, 'lesson')} would be removed${plan.waits ? ' when you publish' : ' for good'}`}
            >
              They are in the course and not in the files. What learners did in them goes with them.
            </Alert>
          )}
          {plan.waiting && (
            <Alert tone="warning" className="mt-4" title="Changes wait in this course that are not published">
              {plan.waiting}. Files that were exported hold the course as learners have it: where they differ
              from what waits, they replace it.
            </Alert>
          )}
          {plan.ignored.length > 0 && (
            <Alert tone="info" className="mt-4" title={`${counted(plan.ignored.length, 'file')} left out`}>
              Nothing in the course refers to {plan.ignored.length === 1 ? 'it' : 'them'}:{' '}
              <span className="break-words">{plan.ignored.slice(0, 10).join(', ')}</span>
              {plan.ignored.length > 10 && ', …'}
            </Alert>
          )}
          <ImportRows
            rows={plan.rows}
            newVersions={newVersions}
            onNewVersions={(ids) => setFound({ plan, newVersions: ids })}
          />
          <div className="mt-5">
            {changes ? (
              <Button
                loading={asking === 'apply'}
                onClick={() => !asking && arrived && void ask(arrived, plan.digest)}
              >
                {plan.courseId === null ? 'Make the course' : 'Make these changes'}
              </Button>
            ) : (
              <p className="text-ink-soft">
                The course is exactly as these files say. There is nothing to do.
              </p>
            )}
          </div>
        </section>
      )}
    </>
  );
}

function ImportFaults({
  faults,
  heading,
}: {
  faults: readonly CourseFault[];
  heading: RefObject<HTMLHeadingElement | null>;
}) {
  return (
    <section aria-labelledby="import-result" className="mt-10">
      <h2 ref={heading} id="import-result" tabIndex={-1} className="text-heading outline-none">
        The files are no course yet
      </h2>
      <p className="mt-1 text-ink-soft">
        {counted(faults.length, 'mistake')}. Nothing was changed. Mend the files and try again.
      </p>
      <ul aria-label="Mistakes" className="mt-4 divide-y divide-line card">
        {faults.map(({ file: path, line, field, message }) => (
          <li
            key={`${path}${line}${field}${message}`}
            className="grid gap-x-6 gap-y-1 px-5 py-3 sm:px-6 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
          >
            <p className="min-w-0 font-mono text-sm break-words">
              {path}
              {line !== null && <span className="text-ink-soft">, line {line}</span>}
            </p>
            <p className="min-w-0 break-words">
              {field && <span className="font-semibold">{field}: </span>}
              {message}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const CHANGES: Record<ImportChange, { label: string; tone: 'success' | 'info' | 'neutral' | 'danger' }> = {
  new: { label: 'New', tone: 'success' },
  changed: { label: 'Changed', tone: 'info' },
  unchanged: { label: 'Unchanged', tone: 'neutral' },
  removed: { label: 'Removed', tone: 'danger' },
};

function ImportRows({
  rows,
  newVersions,
  onNewVersions,
}: {
  rows: ImportPlan['rows'];
  newVersions: readonly number[];
  onNewVersions: (ids: readonly number[]) => void;
}) {
  return (
    <ol aria-label="Changes" className="mt-4 divide-y divide-line card">
      {rows.map(({ kind, title, change, details, completed }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is never reordered, and titles may repeat
          key={index}
          className="flex items-start justify-between gap-x-6 px-5 py-3 sm:px-6"
        >
          <div className="min-w-0">
            <p className="break-words">
              <span className="text-ink-soft">{kind === 'course' ? 'Course' : 'Lesson'}</span>{' '}
              <span className="font-semibold">{title}</span>
            </p>
            {details.length > 0 && <p className="text-sm break-words text-ink-soft">{details.join(', ')}</p>}
            {completed && (
              <Checkbox
                className="mt-2.5"
                label={`A new version of “${title}”`}
                hint={`${counted(completed.learners, 'learner')} completed it and would read “Changed since you passed it”. Nothing is taken from them. Without a tick it is a correction.`}
                checked={newVersions.includes(completed.lessonId)}
                onCheckedChange={(checked) =>
                  onNewVersions([
                    ...newVersions.filter((id) => id !== completed.lessonId),
                    ...(checked === true ? [completed.lessonId] : []),
                  ])
                }
              />
            )}
          </div>
          <Badge tone={CHANGES[change].tone} className="shrink-0">
            {CHANGES[change].label}
          </Badge>
        </li>
      ))}
    </ol>
  );
}
