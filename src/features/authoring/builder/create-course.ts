import type { z } from 'zod';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { openErrors } from '#src/features/authoring/publishing/publish-check.ts';
import { publishReportCall } from '#src/features/authoring/publishing/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { type BuilderDraft, isCourseComplete, isWholeScenario, lessonForCall } from './builder.ts';
import { writeCourseDraft } from './draft-storage.ts';
import { builtCourseInput, createInteractiveCourseCall } from './schema.ts';
import type { Dispatch } from './use-builder.ts';

type Made = z.output<typeof createInteractiveCourseCall.output>;

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

/** Milliseconds for which the page follows the check of a new course; most are done long before. */
const CHECK_FOLLOWED_MS = 25_000;
const LOOK_MS = 500;

/** What became of a new course, and in one sentence, once its check is over or takes longer than anybody waits for. */
async function outcomeOf({ id, title, ...made }: Made): Promise<{ isSound: boolean; text: string }> {
  let { isActive, checked } = made;
  let isSound = made.unproven === undefined;
  let toFix = made.unproven?.length ?? 0;
  const until = performance.now() + CHECK_FOLLOWED_MS;
  while (!isSound && !checked && performance.now() < until) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    try {
      const report = await call(publishReportCall, { params: { id } });
      isActive = report.isActive;
      isSound = report.ready;
      checked = report.run?.status === 'finished';
      toFix = report.lessons.flatMap(({ findings }) => openErrors(findings)).length;
    } catch {
      // The check goes on without this page; the next look may get through.
    }
  }
  const place = isActive ? 'is in the store' : 'is not in the store';
  if (isSound) return { isSound, text: `Every lesson of “${title}” works, and it ${place}.` };
  return {
    isSound,
    text: checked
      ? `“${title}” ${place}. ${counted(toFix, 'thing')} in it did not pass the check.`
      : `“${title}” ${place}. Its lessons are still being checked; you get a mail if one does not pass.`,
  };
}

const failed = (description: string) =>
  ({ title: 'Error Creating Course', description, variant: 'destructive' }) as const;

/** Why a draft cannot be sent yet: told, and the place that asks for something gets the focus. */
function isUnfinished({ lessons, open }: BuilderDraft): boolean {
  if (lessons.length === 0) {
    toast(NO_LESSONS);
    return true;
  }
  if (open) {
    toast({
      title: 'A lesson is still open',
      description: 'Add it to the course or cancel it first, so that nothing of it is lost.',
      variant: 'destructive',
    });
    document.querySelector<HTMLElement>('#lesson-editor input[name="title"]')?.focus();
    return true;
  }
  const halfWritten = lessons.find(({ scenario }) => scenario !== null && !isWholeScenario(scenario));
  if (halfWritten) {
    toast(
      failed(
        `The scenario of “${halfWritten.title}” is not written to its end. Its form says what is missing.`,
      ),
    );
    document.getElementById(`edit-${halfWritten.key}`)?.focus();
  }
  return halfWritten !== undefined;
}

/**
 * Makes the course of a draft in one call (spec 5) and leads to the list of courses; what hinders it is told, and the
 * draft stays.
 *
 * @param focusFirstError puts the focus on the first field that was refused
 */
export async function createCourse(
  draft: BuilderDraft,
  userId: number,
  dispatch: Dispatch,
  focusFirstError: () => void,
): Promise<void> {
  const { course, whenProven, lessons, draftId } = draft;
  const checked = builtCourseInput.safeParse(course);
  const errors: FieldErrors = {};
  for (const issue of checked.error?.issues ?? []) errors[issue.path.join('.')] ??= issue.message;
  dispatch({ do: 'refuse', errors });
  if (!checked.success) {
    if (!isCourseComplete(course)) toast(MISSING_COURSE);
    focusFirstError();
    return;
  }
  if (isUnfinished(draft)) return;
  dispatch({ do: 'send' });
  try {
    const made = await call(createInteractiveCourseCall, {
      input: {
        ...course,
        categoryId: Number(course.categoryId),
        ...(whenProven && { isActive: false, activateWhenProven: true }),
        draftId,
        lessons: lessons.map((lesson, index) => lessonForCall(lesson, index + 1)),
      },
    });
    // The button stays busy until the page is left.
    dispatch({ do: 'made' });
    writeCourseDraft(userId, null);
    const { isSound, text } = await outcomeOf(made);
    toastOnNextPage({
      title: 'Course created',
      description: text,
      action: isSound
        ? { label: 'See it', href: `/courses/${made.id}` }
        : { label: 'See the check', href: `/admin/courses/${made.id}/publish` },
    });
    location.assign('/admin');
  } catch (error) {
    const courseId = error instanceof ApiError ? (error.body as { courseId?: unknown }).courseId : null;
    dispatch({ do: 'refuse', errors: error instanceof ApiError ? error.fields : {} });
    toast({
      ...failed(messageOf(error, 'The course could not be created. Your draft is safe; please try again.')),
      ...(typeof courseId === 'number'
        ? { action: { label: 'Open it', href: `/admin/courses/${courseId}/content` } }
        : {}),
    });
    focusFirstError();
  }
}
