import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { Alert } from '#src/components/Alert.tsx';
import { useLatest } from '#src/components/use-latest.ts';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { LEVELS, levelLabel } from '#src/features/catalogue/catalogue.ts';
import { lessonType } from '#src/features/lessons/registry.ts';
import { LessonTypeIcon } from '#src/features/lessons/LessonTypeIcon.tsx';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import {
  type BuilderDraft,
  BUILT_TYPES,
  builtPoints,
  type CourseDraft,
  type DraftLesson,
  isBlankDraft,
  isCourseComplete,
  isLessonComplete,
  isWholeScenario,
  lessonForCall,
  lessonGaps,
  newDraft,
  newLesson,
  stepItem,
  tidied,
} from './builder.ts';
import {
  BUILT_LESSONS_MAX,
  builtCourseInput,
  createInteractiveCourseCall,
  draftLessonInput,
} from './schema.ts';
import { draftKey, randomId, readCourseDraft, writeCourseDraft } from './draft-storage.ts';
import { moveItem } from '#src/features/authoring/lesson-editor/lessons.ts';
import { FieldProblem } from '#src/features/authoring/lesson-editor/FieldProblem.tsx';
import { LessonEditor, type LessonValues } from '#src/features/authoring/lesson-editor/LessonEditor.tsx';
import { openErrors } from '#src/features/authoring/publishing/publish-check.ts';
import { publishReportCall } from '#src/features/authoring/publishing/schema.ts';
import { COURSE_MAX } from '#src/features/authoring/courses/course-fields.ts';
import { LessonRow, moveButtonId } from '#src/features/authoring/lesson-editor/LessonRow.tsx';

/** Milliseconds without a change after which the draft is kept. */
const REST_MS = 400;

type Made = z.output<typeof createInteractiveCourseCall.output>;

const MISSING_LESSON = {
  title: 'Missing Information',
  description: 'Give the lesson a title and instructions.',
  variant: 'destructive',
} as const;
const MISSING_COURSE = {
  title: 'Missing Course Information',
  description: 'Give the course a title, a description, a category and a price.',
  variant: 'destructive',
} as const;
const NO_LESSONS = {
  title: 'No Lessons Added',
  description: 'Add at least one lesson before you create the course.',
  variant: 'destructive',
} as const;

const timeOf = (moment: string) =>
  new Date(moment).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** Milliseconds for which the page follows the check of a new course; most are done long before. */
const CHECK_FOLLOWED_MS = 25_000;
const LOOK_MS = 500;

/** What became of a new course, and in one sentence, once its check is over or takes longer than anybody waits for. */
async function outcomeOf({ id, title, ...made }: Made): Promise<{ listed: boolean; text: string }> {
  let { listed, checked } = made;
  let toFix = made.unlisted?.length ?? 0;
  const until = performance.now() + CHECK_FOLLOWED_MS;
  while (!listed && !checked && performance.now() < until) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    try {
      const report = await call(publishReportCall, { params: { id } });
      listed = report.listed;
      checked = report.run?.status === 'finished';
      toFix = report.lessons.flatMap(({ findings }) => openErrors(findings)).length;
    } catch {
      // The check goes on without this page; the next look may get through.
    }
  }
  if (listed) return { listed, text: `Every lesson of “${title}” works, and it is in the store now.` };
  return {
    listed,
    text: checked
      ? `“${title}” is not listed in the store yet: ${counted(toFix, 'thing')} to fix first.`
      : `“${title}” is not listed in the store while its lessons are being checked.`,
  };
}

/** Builds a course with its lessons on this device, and makes it in one call (spec 2, 5). */
export function CourseBuilder({
  userId,
  categories,
}: {
  userId: number;
  categories: { id: number; name: string }[];
}) {
  const [draft, setDraft] = useState<BuilderDraft>(() => newDraft(''));
  const [restoredFrom, setRestoredFrom] = useState<string | null>(null);
  const [keeping, setKeeping] = useState<'yes' | 'impossible' | 'elsewhere'>('yes');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [sending, setSending] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  // Opening a lesson anew draws its form anew.
  const [opened, setOpened] = useState(0);
  const [leavingTo, setLeavingTo] = useState<(() => void) | null>(null);
  const startOf = useRef('');
  const values = useRef<LessonValues | null>(null);
  const focusNext = useRef<string | null>(null);
  const courseForm = useRef<HTMLFormElement>(null);
  const { course, lessons, open } = draft;

  // What was typed before this script was there, else what this device kept.
  useEffect(() => {
    const typed = Object.fromEntries(new FormData(courseForm.current!)) as Partial<CourseDraft>;
    const kept = readCourseDraft(userId);
    if (kept && !isBlankDraft(kept)) {
      setDraft(kept);
      setRestoredFrom(kept.keptAt);
      startOf.current = JSON.stringify(kept.open);
    } else {
      setDraft((before) => ({
        ...before,
        draftId: randomId(),
        course: { ...before.course, ...typed, level: before.course.level },
      }));
    }
  }, [userId]);

  const latest = useLatest({ draft, keeping });
  const isMade = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the draft changed
  useEffect(() => {
    const keep = () => {
      const { draft, keeping } = latest.current;
      if (isMade.current || !draft.draftId || keeping === 'elsewhere') return;
      const isBlank = isBlankDraft(draft);
      const kept = writeCourseDraft(userId, isBlank ? null : { ...draft, keptAt: new Date().toISOString() });
      setKeeping(kept ? 'yes' : 'impossible');
    };
    const timer = setTimeout(keep, REST_MS);
    // A page that is left within the rest keeps its last keystrokes too.
    addEventListener('pagehide', keep);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', keep);
    };
  }, [draft, userId]);

  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (event.key === draftKey(userId) && event.newValue !== null) setKeeping('elsewhere');
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [userId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the lists were drawn anew
  useEffect(() => {
    // A dialog that is still open would take the focus back.
    if (focusNext.current === null || leavingTo !== null) return;
    const place = document.getElementById(focusNext.current);
    focusNext.current = null;
    const target = place?.matches('button')
      ? place
      : place?.querySelector<HTMLElement>('input[name="title"]');
    target?.focus();
    place?.scrollIntoView({ block: 'nearest' });
  }, [lessons, opened, open === null, leavingTo]);

  const changeCourse = (field: keyof CourseDraft, value: string) => {
    setDraft((before) => ({ ...before, course: { ...before.course, [field]: value } }));
    setErrors(({ [field]: _, ...others }) => others);
  };
  const putLessons = (next: DraftLesson[], what: string) => {
    setDraft((before) => ({ ...before, lessons: next }));
    // They name lessons by their places.
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([path]) => !path.startsWith('lessons.'))),
    );
    setAnnouncement(what);
  };
  const placeText = (next: DraftLesson[], key: string) => {
    const index = next.findIndex((lesson) => lesson.key === key);
    return `${next[index]!.title} is now lesson ${index + 1} of ${next.length}.`;
  };

  const show = (lesson: DraftLesson | null) => {
    startOf.current = JSON.stringify(lesson);
    setDraft((before) => ({ ...before, open: lesson }));
    setOpened((count) => count + 1);
    if (lesson) focusNext.current = 'lesson-editor';
  };
  /** Does something that takes the open lesson away, after asking where that would lose something. */
  const leaveOpen = (go: () => void) => {
    if (open && JSON.stringify(open) !== startOf.current) setLeavingTo(() => go);
    else go();
  };

  const cancelOpen = () => {
    const isAdded = lessons.some(({ key }) => key === open!.key);
    focusNext.current = isAdded ? `edit-${open!.key}` : `add-${open!.type}`;
    show(null);
  };

  const saveLesson = () => {
    const lesson = tidied({ ...values.current!, key: open!.key, type: open!.type, order: 1 });
    const index = lessons.findIndex(({ key }) => key === lesson.key);
    const next = index === -1 ? [...lessons, lesson] : lessons.with(index, lesson);
    focusNext.current = `edit-${lesson.key}`;
    putLessons(
      next,
      index === -1 ? `${lesson.title} was added as lesson ${next.length}.` : `${lesson.title} was saved.`,
    );
    show(null);
  };

  const create = async () => {
    if (sending) return;
    const checked = builtCourseInput.safeParse(course);
    const found: FieldErrors = {};
    for (const issue of checked.error?.issues ?? []) found[issue.path.join('.')] ??= issue.message;
    setErrors(found);
    if (!checked.success) {
      if (!isCourseComplete(course)) toast(MISSING_COURSE);
      focusFirstError();
      return;
    }
    if (lessons.length === 0) {
      toast(NO_LESSONS);
      return;
    }
    if (open) {
      toast({
        title: 'A lesson is still open',
        description: 'Add it to the course or cancel it first, so that nothing of it is lost.',
        variant: 'destructive',
      });
      document.querySelector<HTMLElement>('#lesson-editor input[name="title"]')?.focus();
      return;
    }
    const halfWritten = lessons.find(({ scenario }) => scenario !== null && !isWholeScenario(scenario));
    if (halfWritten) {
      toast({
        title: 'Error Creating Course',
        description: `The scenario of “${halfWritten.title}” is not written to its end. Its form says what is missing.`,
        variant: 'destructive',
      });
      document.getElementById(`edit-${halfWritten.key}`)?.focus();
      return;
    }
    setSending(true);
    try {
      const made = await call(createInteractiveCourseCall, {
        input: {
          ...course,
          draftId: draft.draftId,
          lessons: lessons.map((lesson, index) => lessonForCall(lesson, index + 1)),
        },
      });
      isMade.current = true;
      writeCourseDraft(userId, null);
      const { listed, text } = await outcomeOf(made);
      toastOnNextPage({
        title: 'Course created',
        description: text,
        action: listed
          ? { label: 'See it', href: `/courses/${made.id}` }
          : { label: 'See the check', href: `/admin/courses/${made.id}/publish` },
      });
      location.assign('/admin');
      // The page is being left; the button stays busy until it is.
      await new Promise(() => {});
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      const courseId = error instanceof ApiError ? (error.body as { courseId?: unknown }).courseId : null;
      setErrors(fields);
      toast({
        title: 'Error Creating Course',
        description: messageOf(
          error,
          'The course could not be created. Your draft is safe; please try again.',
        ),
        variant: 'destructive',
        ...(typeof courseId === 'number'
          ? { action: { label: 'Open it', href: `/admin/courses/${courseId}/content` } }
          : {}),
      });
      focusFirstError();
    } finally {
      setSending(false);
    }
  };
  const focusFirstError = () =>
    requestAnimationFrame(() =>
      courseForm.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    );

  const discard = () => {
    writeCourseDraft(userId, null);
    setDraft(newDraft(randomId()));
    setErrors({});
    setRestoredFrom(null);
    setOpened((count) => count + 1);
    startOf.current = 'null';
    setAnnouncement('The draft was discarded.');
    courseForm.current?.querySelector('input')?.focus();
  };

  const field = (name: keyof CourseDraft) => ({
    name,
    value: course[name],
    onChange: (event: { target: { value: string } }) => changeCourse(name, event.target.value),
  });
  const isEmpty = isBlankDraft(draft);
  const discardDialog = (trigger: React.ReactElement) => (
    <AlertDialog
      title="Discard this draft?"
      description="The course and its lessons are removed from this device. This cannot be taken back."
      confirmLabel="Discard draft"
      cancelLabel="Keep it"
      destructive
      onConfirm={discard}
      trigger={trigger}
    />
  );

  return (
    <div className="grid gap-10">
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      {restoredFrom !== null && (
        <Alert tone="info" title="Your draft is back" live>
          <p>Kept on this device{restoredFrom && ` on ${timeOf(restoredFrom)}`}. Go on where you left off.</p>
          <div className="mt-3 flex flex-wrap gap-2.5">
            <Button size="sm" variant="secondary" onClick={() => setRestoredFrom(null)}>
              Go on
            </Button>
            {discardDialog(
              <Button size="sm" variant="secondary">
                Discard draft
              </Button>,
            )}
          </div>
        </Alert>
      )}
      {keeping === 'elsewhere' && (
        <Alert tone="warning" title="This draft was changed in another tab" live>
          <p>What you change here is not kept any more, so that neither tab writes over the other.</p>
          <div className="mt-3 flex flex-wrap gap-2.5">
            <Button size="sm" variant="secondary" onClick={() => location.reload()}>
              Show the other one
            </Button>
            <Button
              size="sm"
              variant="secondary"
              onClick={() => {
                setKeeping('yes');
                setDraft((before) => ({ ...before }));
              }}
            >
              Go on with this one
            </Button>
          </div>
        </Alert>
      )}

      <section aria-labelledby="course-heading">
        <h2 id="course-heading" className="text-heading">
          Course
        </h2>
        <form
          ref={courseForm}
          noValidate
          data-island=""
          className="mt-4 grid gap-5 rounded-lg border border-line bg-surface px-4 py-5 sm:px-6 sm:py-6"
          onSubmit={(event) => {
            event.preventDefault();
            void create();
          }}
          onKeyDown={(event) => {
            // The button stands below the lessons, outside of this form.
            if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
            event.preventDefault();
            void create();
          }}
        >
          <Field label="Title" required error={errors.title}>
            <Input {...field('title')} maxLength={COURSE_MAX.title} autoComplete="off" />
          </Field>
          <Field label="Description" required error={errors.description}>
            <Textarea {...field('description')} rows={4} maxLength={COURSE_MAX.description} />
          </Field>
          <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
            <Field label="Category" required error={errors.categoryId}>
              <Select
                value={course.categoryId}
                onValueChange={(value) => changeCourse('categoryId', value)}
                options={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
              />
            </Field>
            <Field label="Level" error={errors.level}>
              <Select
                value={course.level}
                onValueChange={(value) => changeCourse('level', value)}
                options={LEVELS.map((level) => ({ value: level, label: levelLabel(level) }))}
              />
            </Field>
            <Field label="Duration" optional error={errors.duration}>
              <Input {...field('duration')} placeholder="12 hours" maxLength={COURSE_MAX.duration} />
            </Field>
            <Field label="Price" required hint="US dollars; 0 for a free course." error={errors.price}>
              <Input {...field('price')} type="number" step="0.01" min="0" inputMode="decimal" />
            </Field>
            <Field
              label="Original price"
              optional
              hint="Struck through where it is higher."
              error={errors.originalPrice}
            >
              <Input {...field('originalPrice')} type="number" step="0.01" min="0" inputMode="decimal" />
            </Field>
          </div>
        </form>
      </section>

      <section aria-labelledby="lessons-heading">
        <h2 id="lessons-heading" className="text-heading">
          Lessons
        </h2>
        <p className="mt-1 text-ink-soft">Learners see them in this order.</p>
        {errors.lessons && <FieldProblem>{errors.lessons}</FieldProblem>}
        {lessons.length > 0 && (
          <ol className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface">
            {lessons.map((lesson, index) => (
              <LessonRow
                key={lesson.key}
                id={lesson.key}
                lesson={lesson}
                points={counted(lesson.points, 'point')}
                number={index + 1}
                count={lessons.length}
                className={classNames('first:rounded-t-lg', open?.key === lesson.key && 'bg-accent-soft!')}
                badge={open?.key === lesson.key && <Badge tone="accent">Open below</Badge>}
                onMove={(direction) => {
                  const next = stepItem(lessons, index, direction === 'down' ? 1 : -1);
                  focusNext.current = moveButtonId(lesson.key, direction);
                  putLessons(next, placeText(next, lesson.key));
                }}
                onDrop={(key, targetKey, side) => {
                  const lessonOf = (wanted: string) => lessons.find((one) => one.key === wanted);
                  const next = moveItem(lessons, lessonOf(key), lessonOf(targetKey), side);
                  putLessons(next, placeText(next, key));
                }}
                onEdit={() => {
                  if (open?.key === lesson.key) {
                    document.querySelector<HTMLElement>('#lesson-editor input[name="title"]')?.focus();
                  } else leaveOpen(() => show(lesson));
                }}
                deletionNotice={`“${lesson.title}” will be removed from this draft for good.`}
                onDelete={() => {
                  putLessons(lessons.toSpliced(index, 1), `${lesson.title} was deleted.`);
                  if (open?.key === lesson.key) show(null);
                  focusNext.current = `add-${BUILT_TYPES[0]}`;
                }}
              >
                <LessonProblems gaps={lessonGaps(lesson)} problems={problemsOf(errors, index)} />
              </LessonRow>
            ))}
          </ol>
        )}

        {open ? (
          <section
            id="lesson-editor"
            aria-labelledby="editor-heading"
            className="mt-5 scroll-mt-24 rounded-lg border border-accent-line bg-canvas px-4 py-6 sm:px-6"
          >
            <h2 id="editor-heading" className="mb-5 flex items-center gap-2.5 text-subheading">
              <LessonTypeIcon type={open.type} className="size-5 shrink-0 text-accent" />
              {lessons.some(({ key }) => key === open.key) ? 'Change' : 'New'}{' '}
              {lessonType(open.type).builderLabel?.toLowerCase()}
            </h2>
            <LessonEditor
              key={opened}
              lesson={open}
              input={draftLessonInput}
              toInput={(given) => {
                values.current = given;
                return lessonForCall({ ...given, order: 1 }, 1);
              }}
              onSubmit={(given) => {
                if (!isLessonComplete({ ...given, order: 1 })) toast(MISSING_LESSON);
              }}
              onSave={async () => saveLesson()}
              onFailure={() => {}}
              onDraft={(given) =>
                setDraft((before) =>
                  before.open
                    ? {
                        ...before,
                        open: { ...given, order: 1, key: before.open.key, type: before.open.type },
                      }
                    : before,
                )
              }
              pointsOf={(typed) => builtPoints(typed) as number}
              place={null}
              html={null}
              saveLabel={lessons.some(({ key }) => key === open.key) ? 'Save lesson' : 'Add lesson'}
              cancel={
                <Button variant="secondary" onClick={() => leaveOpen(cancelOpen)}>
                  Cancel
                </Button>
              }
            />
          </section>
        ) : (
          lessons.length < BUILT_LESSONS_MAX && (
            <div className="mt-5 rounded-lg border border-dashed border-line-strong px-4 py-5 sm:px-6">
              <p className="font-semibold" id="add-lesson">
                {lessons.length === 0 ? 'Add the first lesson' : 'Add a lesson'}
              </p>
              <ul aria-labelledby="add-lesson" className="mt-3 flex flex-wrap gap-2.5">
                {BUILT_TYPES.map((type) => (
                  <li key={type}>
                    <Button
                      id={`add-${type}`}
                      variant="secondary"
                      onClick={() => show(newLesson(type, randomId()))}
                    >
                      <LessonTypeIcon type={type} />
                      {lessonType(type).builderLabel}
                    </Button>
                  </li>
                ))}
              </ul>
            </div>
          )
        )}
      </section>

      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line pt-6">
        <Button
          loading={sending}
          disabled={lessons.length === 0}
          aria-describedby="create-note"
          onClick={() => void create()}
        >
          Create course
        </Button>
        {!isEmpty &&
          discardDialog(
            <Button variant="ghost" className="text-danger!">
              Discard draft
            </Button>,
          )}
        <p id="create-note" className="text-sm text-ink-soft">
          {lessons.length === 0
            ? 'Add at least one lesson first.'
            : 'Its lessons are checked at once. The course is in the store when all of them work, and hidden otherwise.'}{' '}
          {keeping === 'impossible'
            ? 'This browser keeps no drafts: what you write is lost when you leave.'
            : !isEmpty && keeping === 'yes' && 'Your draft is kept on this device.'}
        </p>
      </div>

      <AlertDialog
        title="Leave this lesson?"
        description="What you changed in it is lost."
        confirmLabel="Discard changes"
        cancelLabel="Keep editing"
        destructive
        movesFocus
        open={leavingTo !== null}
        onOpenChange={(isOpen) => !isOpen && setLeavingTo(null)}
        onConfirm={() => leavingTo?.()}
      />
    </div>
  );
}

/** What the server said of the lesson at this place, with the names of its fields. */
function problemsOf(errors: FieldErrors, index: number): string[] {
  const start = `lessons.${index}.`;
  return Object.entries(errors)
    .filter(([path]) => path.startsWith(start))
    .map(([path, message]) => `${path.slice(start.length)}: ${message}`);
}

function LessonProblems({ gaps, problems }: { gaps: string[]; problems: string[] }) {
  return (
    <>
      {gaps.length > 0 && (
        <p className="text-sm text-warning">Before it can be published it needs {gaps.join(' and ')}.</p>
      )}
      {problems.map((problem) => (
        <FieldProblem key={problem}>{problem}</FieldProblem>
      ))}
    </>
  );
}
