import { useEffect, useRef, useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { toast } from '#src/components/toast.store.ts';
import { FieldProblem } from '#src/components/FieldProblem.tsx';
import { LessonEditor, type LessonValues } from '#src/features/authoring/lesson-editor/LessonEditor.tsx';
import { LessonRow, moveButtonId } from '#src/features/authoring/lesson-editor/list/LessonRow.tsx';
import { builtPoints } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { moveItem } from '#src/features/authoring/lesson-editor/lessons.ts';
import { LessonTypeIcon } from '#src/features/lessons/LessonTypeIcon.tsx';
import { lessonType } from '#src/features/lessons/registry.ts';
import { counted } from '#src/shared/counted.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { stepItem } from '#src/components/row-tools.ts';
import {
  BUILT_TYPES,
  type DraftLesson,
  isLessonComplete,
  lessonForCall,
  lessonGaps,
  newLesson,
} from './builder.ts';
import { type BuilderState, isOpenChanged } from './builder-state.ts';
import { randomId } from './draft-storage.ts';
import { BUILT_LESSONS_MAX, draftLessonInput } from './schema.ts';
import type { Dispatch } from './use-builder.ts';

const MISSING_LESSON = {
  title: 'Missing Information',
  description: 'Give the lesson a title and instructions.',
  variant: 'destructive',
} as const;

/** The lessons of the course that is built: in their order, and the form of the one that is open. */
export function BuiltLessons({ state, dispatch }: { state: BuilderState; dispatch: Dispatch }) {
  const { draft, errors, opened, focus } = state;
  const { lessons, open } = draft;
  const [leavingTo, setLeavingTo] = useState<(() => void) | null>(null);
  const focused = useRef(focus);

  useEffect(() => {
    // A dialog that is still open would take the focus back.
    if (focus === null || focus === focused.current || leavingTo !== null) return;
    focused.current = focus;
    const place = document.getElementById(focus.id);
    const target = place?.matches('button')
      ? place
      : place?.querySelector<HTMLElement>('input[name="title"]');
    target?.focus();
    place?.scrollIntoView({ block: 'nearest' });
  }, [focus, leavingTo]);

  /** Does something that takes the open lesson away, after asking where that would lose something. */
  const leaveOpen = (go: () => void) => {
    if (isOpenChanged(state)) setLeavingTo(() => go);
    else go();
  };
  const row = (lesson: DraftLesson, index: number) => (
    <LessonRow
      key={lesson.key}
      id={lesson.key}
      lesson={lesson}
      points={counted(lesson.points, 'point')}
      number={index + 1}
      count={lessons.length}
      className={classNames('first:rounded-t-lg', open?.key === lesson.key && 'bg-accent-soft!')}
      badge={open?.key === lesson.key && <Badge tone="accent">Open below</Badge>}
      onMove={(direction) =>
        dispatch({
          do: 'move',
          lessons: stepItem(lessons, index, direction === 'down' ? 1 : -1),
          key: lesson.key,
          focus: moveButtonId(lesson.key, direction),
        })
      }
      onDrop={(key, targetKey, side) => {
        const lessonOf = (wanted: string) => lessons.find((one) => one.key === wanted);
        const moved = moveItem(lessons, lessonOf(key), lessonOf(targetKey), side);
        dispatch({ do: 'move', lessons: moved, key, focus: null });
      }}
      onEdit={() => {
        if (open?.key === lesson.key) {
          document.querySelector<HTMLElement>('#lesson-editor input[name="title"]')?.focus();
        } else leaveOpen(() => dispatch({ do: 'open', lesson }));
      }}
      deletionNotice={`“${lesson.title}” will be removed from this draft for good.`}
      onDelete={() => dispatch({ do: 'delete', key: lesson.key, focus: `add-${BUILT_TYPES[0]}` })}
    >
      <LessonProblems gaps={lessonGaps(lesson)} problems={problemsOf(errors, index)} />
    </LessonRow>
  );

  return (
    <section aria-labelledby="lessons-heading">
      <h2 id="lessons-heading" className="text-heading">
        Lessons
      </h2>
      <p className="mt-1 text-ink-soft">Learners see them in this order.</p>
      {errors.lessons && <FieldProblem>{errors.lessons}</FieldProblem>}
      {lessons.length > 0 && (
        <ol className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface">
          {lessons.map(row)}
        </ol>
      )}
      {open ? (
        <OpenLesson
          key={opened}
          lesson={open}
          isNew={!lessons.some(({ key }) => key === open.key)}
          dispatch={dispatch}
          onCancel={() => leaveOpen(() => dispatch({ do: 'cancel' }))}
        />
      ) : (
        lessons.length < BUILT_LESSONS_MAX && <AddLesson isFirst={lessons.length === 0} dispatch={dispatch} />
      )}
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
    </section>
  );
}

function OpenLesson({
  lesson,
  isNew,
  dispatch,
  onCancel,
}: {
  lesson: DraftLesson;
  isNew: boolean;
  dispatch: Dispatch;
  onCancel: () => void;
}) {
  const values = useRef<LessonValues | null>(null);
  return (
    <section
      id="lesson-editor"
      aria-labelledby="editor-heading"
      className="mt-5 scroll-mt-24 rounded-lg border border-accent-line bg-canvas px-4 py-6 sm:px-6"
    >
      <h2 id="editor-heading" className="mb-5 flex items-center gap-2.5 text-subheading">
        <LessonTypeIcon type={lesson.type} className="size-5 shrink-0 text-accent" />
        {isNew ? 'New' : 'Change'} {lessonType(lesson.type).builderLabel?.toLowerCase()}
      </h2>
      <LessonEditor
        lesson={lesson}
        input={draftLessonInput}
        toInput={(given) => {
          values.current = given;
          return lessonForCall({ ...given, order: 1 }, 1);
        }}
        onSubmit={(given) => {
          if (!isLessonComplete({ ...given, order: 1 })) toast(MISSING_LESSON);
        }}
        onSave={async () => dispatch({ do: 'save', lesson: values.current! })}
        onFailure={() => {}}
        onDraft={(given) => dispatch({ do: 'type', lesson: given })}
        pointsOf={(typed) => builtPoints(typed) as number}
        place={null}
        html={null}
        saveLabel={isNew ? 'Add lesson' : 'Save lesson'}
        cancel={
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
        }
      />
    </section>
  );
}

function AddLesson({ isFirst, dispatch }: { isFirst: boolean; dispatch: Dispatch }) {
  return (
    <div className="mt-5 rounded-lg border border-dashed border-line-strong px-4 py-5 sm:px-6">
      <p className="font-semibold" id="add-lesson">
        {isFirst ? 'Add the first lesson' : 'Add a lesson'}
      </p>
      <ul aria-labelledby="add-lesson" className="mt-3 flex flex-wrap gap-2.5">
        {BUILT_TYPES.map((type) => (
          <li key={type}>
            <Button
              id={`add-${type}`}
              variant="secondary"
              onClick={() => dispatch({ do: 'open', lesson: newLesson(type, randomId()) })}
            >
              <LessonTypeIcon type={type} />
              {lessonType(type).builderLabel}
            </Button>
          </li>
        ))}
      </ul>
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
