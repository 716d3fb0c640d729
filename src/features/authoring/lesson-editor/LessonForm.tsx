import { toastFailure } from '#src/features/authoring/toast-failure.ts';
import { useCallback, useRef, useState } from 'react';
import type { z } from 'zod';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { ApiError, call } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { typedNumber } from '#src/components/form-values.ts';
import { has } from '#src/features/lessons/registry.ts';
import { LibraryCourse } from '#src/features/authoring/media/PictureLibrary.tsx';
import { DraftNotice } from './drafts/DraftNotice.tsx';
import { lessonDraftKey, parseKeptLesson } from './drafts/lesson-draft.ts';
import { useDraft } from './drafts/use-draft.ts';
import { LessonEditor, type LessonValues } from './LessonEditor.tsx';
import type { OtherLesson } from './opening/OpeningFields.tsx';
import { type LessonFields, POINTS_DEFAULT } from './lesson-fields.ts';
import { type ChangedFields, changedFields } from '#src/features/authoring/courses/schema.ts';
import { createLessonCall, type LessonChange, updateLessonCall } from './schema.ts';

type NewLesson = z.input<NonNullable<typeof createLessonCall.input>>;
type ChangedLesson = z.input<NonNullable<typeof updateLessonCall.input>>;

function forCall({ exercise, questions, scenario, ...values }: LessonValues) {
  return {
    ...values,
    ...(has(values.type, 'testCases') ? exercise : {}),
    ...(has(values.type, 'questions') ? { questions } : {}),
    ...(has(values.type, 'scenario') ? { scenario } : {}),
  };
}

/** The form of a lesson of a course: new (`lessonId` null) or changed. */
export function LessonForm({
  userId,
  courseId,
  lessonId,
  lesson,
  isPublished,
  completions,
  lessonCount,
  sections,
  others,
  html,
}: {
  userId: number;
  courseId: number;
  lessonId: number | null;
  lesson: LessonFields;
  isPublished: boolean;
  completions: number;
  lessonCount: number;
  sections: string[];
  others: readonly OtherLesson[];
  html: { content: string; instructions: string };
}) {
  const [newer, setNewer] = useState<ChangedFields | null>(null);
  const [begun, setBegun] = useState<LessonFields | null>(null);
  const [answer, setAnswer] = useState<((change: LessonChange | null) => void) | null>(null);
  const version = useRef(lesson.version);
  const {
    keep,
    saved: forget,
    ...draft
  } = useDraft(
    lessonDraftKey(userId, { lessonId, courseId, type: lesson.type }),
    useCallback((text: string | null) => parseKeptLesson(text, lesson.type), [lesson.type]),
    lessonId === null,
  );

  const fail = (error: unknown) => {
    const changed = changedFields.safeParse(error instanceof ApiError ? error.body : null);
    if (changed.success) {
      setNewer(changed.data);
      window.scrollTo({ top: 0 });
      return;
    }
    if (lessonId !== null && error instanceof ApiError && error.status === 404) {
      toast({
        title: 'This lesson is gone',
        description: 'Somebody deleted or moved it meanwhile. What you typed is kept on this device.',
        variant: 'destructive',
      });
      return;
    }
    toastFailure(error, lessonId === null ? 'Failed to create lesson' : 'Failed to update lesson');
  };

  return (
    <LibraryCourse value={courseId}>
      <div className="mb-6 empty:hidden">
        <DraftNotice
          what="lesson"
          found={draft.found}
          keeping={draft.keeping}
          isOlder={draft.found !== null && draft.found.lesson.version !== lesson.version}
          onRestore={() => {
            version.current = draft.found!.lesson.version;
            setBegun(draft.found!.lesson);
            draft.restore();
          }}
          onDiscard={draft.discard}
          onTakeOver={draft.takeOver}
        />
      </div>
      <LessonEditor
        key={begun ? 'restored' : 'read'}
        lesson={begun ?? lesson}
        onDraft={(values) =>
          keep({ lesson: { ...values, order: values.order ?? lesson.order, version: version.current } })
        }
        input={
          (lessonId === null ? createLessonCall.input! : updateLessonCall.input!) as z.ZodType<
            unknown,
            NewLesson | ChangedLesson
          >
        }
        toInput={(values) => ({
          ...forCall(values),
          // A typed place survives a crash.
          ...(values.order === null && begun && begun.order !== lesson.order ? { order: begun.order } : {}),
          ...(lessonId === null ? {} : { version: version.current }),
        })}
        isUnsaved={draft.isUnsaved}
        onSave={async (input, stays) => {
          const change =
            completions > 0 && !isPublished
              ? await new Promise<LessonChange | null>((resolve) => setAnswer(() => resolve))
              : undefined;
          setAnswer(null);
          if (change === null) return;
          const saved =
            lessonId === null
              ? await call(createLessonCall, { params: { id: courseId }, input: input as NewLesson })
              : await call(updateLessonCall, {
                  params: { id: lessonId },
                  input: { ...(input as ChangedLesson), change },
                });
          forget();
          const own = `/admin/courses/${courseId}/content/${saved.id}`;
          // Ids of questions that this save makes or removes are right only on a fresh page.
          const { questions = [] } = input;
          const isNew =
            lessonId === null ||
            questions.length < lesson.questions.length ||
            questions.some(({ id }) => typeof id !== 'number');
          const isHere = stays && !isNew;
          (isHere ? toast : toastOnNextPage)({
            title: lessonId === null ? 'Lesson created' : 'Lesson saved',
            description: isPublished
              ? `“${saved.title}” is lesson ${saved.order}. Learners have it once you publish the changes.`
              : `“${saved.title}” is lesson ${saved.order}.`,
          });
          if (isHere) {
            version.current = saved.version;
            setNewer(null);
            history.replaceState(null, '', own);
            return;
          }
          if (stays) location.replace(own);
          else location.assign(`/admin/courses/${courseId}/content`);
          // The form stays busy until the page is left.
          await new Promise(() => {});
        }}
        onFailure={fail}
        pointsOf={(typed) => typedNumber(typed) ?? POINTS_DEFAULT}
        place={{ lessonCount, sections, others }}
        html={begun ? null : html}
        newer={newer}
        onDiscard={forget}
        onOverwrite={() => {
          version.current = newer!.version;
          setNewer(null);
        }}
        saveLabel={lessonId === null ? 'Add Content' : 'Save lesson'}
        cancel={
          <Button variant="secondary" href={`/admin/courses/${courseId}/content`}>
            Cancel
          </Button>
        }
      />
      <ChangeQuestion
        completions={completions}
        open={answer !== null}
        onAnswer={(change) => answer?.(change)}
      />
    </LibraryCourse>
  );
}

/** Asks what a change is for those who completed the lesson; null goes back to the form. */
function ChangeQuestion({
  completions,
  open,
  onAnswer,
}: {
  completions: number;
  open: boolean;
  onAnswer: (change: LessonChange | null) => void;
}) {
  return (
    <Dialog
      size="md"
      title="What is this change?"
      description={`${counted(completions, 'learner')} ${completions === 1 ? 'has' : 'have'} completed this lesson.`}
      open={open}
      onOpenChange={(next) => !next && onAnswer(null)}
      footer={
        <>
          <Button variant="secondary" onClick={() => onAnswer(null)}>
            Back
          </Button>
          <Button variant="secondary" onClick={() => onAnswer('new_version')}>
            Save as new version
          </Button>
          <Button onClick={() => onAnswer('correction')}>Save as correction</Button>
        </>
      }
    >
      <dl className="grid gap-4">
        <div>
          <dt className="font-semibold">A correction</dt>
          <dd className="text-ink-soft">
            Such as a mended slip. They are not told, and nothing changes for them.
          </dd>
        </div>
        <div>
          <dt className="font-semibold">A new version</dt>
          <dd className="text-ink-soft">
            Worth another look. They see “Changed since you passed it” until they open the lesson. It stays
            completed, with points and certificates.
          </dd>
        </div>
      </dl>
    </Dialog>
  );
}
