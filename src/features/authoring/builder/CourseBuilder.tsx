import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { formFor } from '#src/components/form-values.ts';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { useForm } from '#src/components/use-form.ts';
import { CourseField, typedFields } from '#src/features/authoring/courses/CourseField.tsx';
import { BUILT_FIELDS, mayBuildWithout } from '#src/features/authoring/courses/course-fields.ts';
import { StoreChoice } from '#src/features/authoring/courses/StoreChoice.tsx';
import { toggleNotice } from '#src/features/authoring/courses/toggle-notice.ts';
import { DraftNotice } from '#src/features/authoring/lesson-editor/drafts/DraftNotice.tsx';
import { useDraft } from '#src/features/authoring/lesson-editor/drafts/use-draft.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { type BuilderDraft, type DraftLesson, lessonForCall, parseDraft } from './builder.ts';
import { BuiltLessons, OpenLesson } from './BuiltLessons.tsx';
import { createInteractiveCourseCall, lessonProblems } from './schema.ts';

interface Choices {
  categories: { id: number; name: string }[];
  isProofRequired: boolean;
}

const refuse = (title: string, description: string) => toast({ title, description, variant: 'destructive' });

/** Builds a course with its lessons on this device, and makes it in one call (spec 2, 5). */
export function CourseBuilder({
  userId,
  draftId,
  ...choices
}: Choices & {
  userId: number;
  draftId: string;
}) {
  const { keep, saved, ...kept } = useDraft(`course_builder_draft:${userId}`, parseDraft, true);
  const [draft, setDraft] = useState<BuilderDraft>(() => ({
    ...{ draftId, course: {}, whenProven: false, lessons: [], open: null },
  }));
  const [isRestored, setIsRestored] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  /** The forms hold what was typed since the last drawing. */
  const latest = useRef(draft);
  const isOpenChanged = useRef(false);
  const focusNext = useRef<string | null>(null);
  const { lessons, open } = draft;

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the draft is drawn
  useEffect(() => {
    const place = open ? '#lesson-editor input[name="title"]' : focusNext.current && `#${focusNext.current}`;
    if (place) document.querySelector<HTMLElement>(place)?.focus();
    focusNext.current = null;
  }, [draft]);

  const draw = (change: Partial<BuilderDraft>) => {
    latest.current = { ...latest.current, ...change };
    setDraft(latest.current);
  };
  const type = (change: Partial<BuilderDraft>) => {
    latest.current = { ...latest.current, ...change };
    keep(latest.current);
  };
  const change = (next: Partial<BuilderDraft>) => {
    draw(next);
    keep(latest.current);
  };
  const isListed = (lesson: DraftLesson) => lessons.some(({ key }) => key === lesson.key);
  const close = (lessons: DraftLesson[]) => {
    const { key, type } = open!;
    focusNext.current = lessons.some((lesson) => lesson.key === key) ? `edit-${key}` : `add-${type}`;
    if (isOpenChanged.current) change({ lessons, open: null });
    else draw({ lessons, open: null });
  };

  return (
    <div className="grid gap-10">
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      <div className="empty:hidden">
        <DraftNotice
          what="course"
          found={kept.found}
          keeping={kept.keeping}
          onRestore={() => {
            const { keptAt: _, ...found } = kept.found!;
            isOpenChanged.current = found.open !== null;
            draw(found);
            setIsRestored(true);
            kept.restore();
          }}
          onDiscard={kept.discard}
          onTakeOver={kept.takeOver}
        />
      </div>
      {open && (
        <OpenLesson
          key={`${open.key} ${isRestored}`}
          lesson={open}
          isNew={!isListed(open)}
          isChanged={() => isOpenChanged.current}
          isUnsaved={kept.isUnsaved}
          onType={(values) => {
            isOpenChanged.current = true;
            type({ open: { ...values, ...{ key: open.key, type: open.type, order: 1 } } });
          }}
          onSave={() => {
            const lesson = latest.current.open!;
            close(
              isListed(lesson)
                ? lessons.map((one) => (one.key === lesson.key ? lesson : one))
                : [...lessons, lesson],
            );
          }}
          onClose={() => close(lessons)}
        />
      )}
      <div hidden={open !== null} className="grid gap-10">
        <CourseForm
          key={String(isRestored)}
          {...choices}
          draft={draft}
          latest={latest}
          isUnsaved={kept.isUnsaved}
          onType={(course) => type({ course })}
          onPlace={(whenProven) => change({ whenProven })}
          onMade={saved}
        >
          <BuiltLessons
            lessons={lessons}
            onChange={(lessons, focus, moved) => {
              focusNext.current = focus;
              change({ lessons });
              if (moved)
                setAnnouncement(
                  `${moved.title} is now lesson ${lessons.indexOf(moved) + 1} of ${lessons.length}.`,
                );
            }}
            onOpen={(lesson) => {
              isOpenChanged.current = false;
              draw({ open: lesson });
            }}
          />
        </CourseForm>
      </div>
    </div>
  );
}

const FORM_ID = 'built-course';

function CourseForm({
  draft,
  latest,
  categories,
  isProofRequired,
  isUnsaved,
  onType,
  onPlace,
  onMade,
  children,
}: Choices & {
  draft: BuilderDraft;
  latest: RefObject<BuilderDraft>;
  isUnsaved: boolean;
  onType: (course: BuilderDraft['course']) => void;
  onPlace: (whenProven: boolean) => void;
  onMade: () => void;
  children: ReactNode;
}) {
  const [start] = useState(draft.course);
  const [schema] = useState(() =>
    formFor(createInteractiveCourseCall.input!, (typed) => {
      const { draftId, whenProven, lessons } = latest.current;
      return {
        ...typedFields(BUILT_FIELDS, typed),
        ...(whenProven && { isActive: false, activateWhenProven: true }),
        draftId,
        lessons: lessons.map((lesson, index) => lessonForCall(lesson, index + 1)),
      };
    }),
  );
  const { errors, sending, ...form } = useForm(
    schema,
    async (input) => {
      const made = await call(createInteractiveCourseCall, { input });
      onMade();
      toastOnNextPage({ ...toggleNotice(made, made), title: 'Course created' });
      location.assign('/admin');
      // The form stays busy until the page is left.
      await new Promise(() => {});
    },
    (_message, error) => {
      const { courseId } = (error instanceof ApiError ? error.body : {}) as { courseId?: number };
      toast({
        title: 'Error Creating Course',
        description: messageOf(
          error,
          'The course could not be created. Your draft is safe; please try again.',
        ),
        variant: 'destructive',
        ...(courseId && { action: { label: 'Open it', href: `/admin/courses/${courseId}/content` } }),
      });
    },
  );
  const typedIn = (element: HTMLFormElement) => {
    const data = new FormData(element);
    return Object.fromEntries(BUILT_FIELDS.map((name) => [name, String(data.get(name) ?? '')]));
  };
  const type = (event: FormEvent<HTMLFormElement>) => {
    form.onInput(event);
    onType(typedIn(event.currentTarget));
  };
  const { lessons } = draft;

  return (
    <>
      <section aria-labelledby="course-heading">
        <h2 id="course-heading" className="text-heading">
          Course
        </h2>
        <form
          {...form}
          id={FORM_ID}
          noValidate
          aria-busy={sending || undefined}
          className="mt-4 grid items-end gap-5 card px-4 py-5 sm:grid-cols-2 sm:px-6 sm:py-6 lg:grid-cols-3"
          onInput={type}
          onChange={type}
          onSubmit={(event) => {
            const course = typedIn(event.currentTarget);
            const unfinished = lessons.find((lesson) => lessonProblems(lesson).length > 0);
            if (['title', 'description', 'categoryId', 'price'].some((name) => isBlank(course[name] ?? ''))) {
              refuse(
                'Missing Course Information',
                'Give the course a title, a description, a category and a price.',
              );
            } else if (lessons.length === 0) {
              refuse('No Lessons Added', 'Add at least one lesson before you create the course.');
            } else if (unfinished) {
              refuse('Error Creating Course', `The list says what “${unfinished.title}” lacks.`);
            }
            form.onSubmit(event);
          }}
          onKeyDown={(event) => {
            // With the disabled button of an empty course a browser does nothing.
            if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
            event.preventDefault();
            event.currentTarget.requestSubmit();
          }}
        >
          {BUILT_FIELDS.map((name) => (
            <CourseField
              key={name}
              name={name}
              start={start[name] ?? (name === 'level' ? 'beginner' : '')}
              error={errors[name]}
              categories={categories}
              isOptional={mayBuildWithout(name)}
            />
          ))}
          <StoreChoice whenProven={draft.whenProven} onChange={onPlace} isProofRequired={isProofRequired} />
        </form>
      </section>
      {children}
      <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line bg-canvas py-3">
        <Button
          type="submit"
          form={FORM_ID}
          loading={sending}
          disabled={lessons.length === 0}
          aria-describedby="create-note"
        >
          Create course
        </Button>
        <p role="status">{isUnsaved && <Badge tone="warning">Not saved yet</Badge>}</p>
        <p id="create-note" className="text-sm text-ink-soft">
          {lessons.length === 0
            ? 'Add at least one lesson first.'
            : 'Its lessons are checked at once, and you get a mail if one of them does not work.'}
        </p>
      </div>
    </>
  );
}
