import { useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { FieldProblem } from '#src/components/FieldProblem.tsx';
import { stepItem } from '#src/components/row-tools.ts';
import { toast } from '#src/components/toast.store.ts';
import { LessonEditor, type LessonValues } from '#src/features/authoring/lesson-editor/LessonEditor.tsx';
import { LessonRow, moveButtonId } from '#src/features/authoring/lesson-editor/list/LessonRow.tsx';
import { builtPoints, emptyLesson } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { moveItem } from '#src/features/authoring/lesson-editor/lessons.ts';
import { LessonTypeIcon } from '#src/features/lessons/LessonTypeIcon.tsx';
import { lessonType } from '#src/features/lessons/registry.ts';
import { counted } from '#src/shared/counted.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { BUILT_TYPES, type DraftLesson, lessonForCall } from './builder.ts';
import { BUILT_LESSONS_MAX, builtLessonInput, lessonProblems } from './schema.ts';

export function BuiltLessons({
  lessons,
  onChange,
  onOpen,
}: {
  lessons: DraftLesson[];
  /** `focus`: id to focus afterwards; `moved`: the lesson in another place. */
  onChange: (lessons: DraftLesson[], focus: string | null, moved?: DraftLesson) => void;
  onOpen: (lesson: DraftLesson) => void;
}) {
  return (
    <section aria-labelledby="lessons-heading">
      <h2 id="lessons-heading" className="text-heading">
        Lessons
      </h2>
      <p className="mt-1 text-ink-soft">Learners see them in this order.</p>
      {lessons.length > 0 && (
        <ol className="mt-4 divide-y divide-line card">
          {lessons.map((lesson, index) => (
            <LessonRow
              key={lesson.key}
              id={lesson.key}
              lesson={lesson}
              points={counted(lesson.points, 'point')}
              number={index + 1}
              count={lessons.length}
              className="first:rounded-t-lg"
              onMove={(direction) => {
                const moved = stepItem(lessons, index, direction === 'down' ? 1 : -1);
                onChange(moved, moveButtonId(lesson.key, direction), lesson);
              }}
              onDrop={(key, targetKey, side) => {
                const lessonOf = (wanted: string) => lessons.find((one) => one.key === wanted);
                onChange(moveItem(lessons, lessonOf(key), lessonOf(targetKey), side), null, lessonOf(key));
              }}
              onEdit={() => onOpen(lesson)}
              deletionNotice={`“${lesson.title}” will be removed from this draft for good.`}
              onDelete={() => onChange(lessons.toSpliced(index, 1), `add-${BUILT_TYPES[0]}`)}
            >
              {lessonProblems(lesson).map((problem) => (
                <FieldProblem key={problem}>{problem}</FieldProblem>
              ))}
            </LessonRow>
          ))}
        </ol>
      )}
      {lessons.length < BUILT_LESSONS_MAX && (
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
                  onClick={() => onOpen({ ...emptyLesson(type), type, key: Date.now().toString(36) })}
                >
                  <LessonTypeIcon type={type} />
                  {lessonType(type).builderLabel}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

/** Replaces the course's form, as a lesson elsewhere has a page of its own. */
export function OpenLesson({
  lesson,
  isNew,
  isChanged,
  isUnsaved,
  onType,
  onSave,
  onClose,
}: {
  lesson: DraftLesson;
  isNew: boolean;
  isChanged: () => boolean;
  isUnsaved: boolean;
  onType: (lesson: LessonValues) => void;
  onSave: () => void;
  onClose: () => void;
}) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <section id="lesson-editor" aria-labelledby="editor-heading">
      <h2 id="editor-heading" className="mb-5 flex items-center gap-2.5 text-subheading">
        <LessonTypeIcon type={lesson.type} className="size-5 shrink-0 text-accent" />
        {isNew ? 'New' : 'Change'} {lessonType(lesson.type).builderLabel?.toLowerCase()}
      </h2>
      <LessonEditor
        lesson={lesson}
        input={builtLessonInput}
        toInput={(values) => lessonForCall(values, 1)}
        onSubmit={(values) => {
          onType(values);
          const { title, instructions } = lessonForCall(values, 1);
          if (!isBlank(title) && !isBlank(instructions)) return;
          toast({
            title: 'Missing Information',
            description: 'Give the lesson a title and instructions.',
            variant: 'destructive',
          });
        }}
        onSave={async () => onSave()}
        onFailure={() => {}}
        onDraft={onType}
        isUnsaved={isUnsaved}
        pointsOf={(typed) => builtPoints(typed) as number}
        place={null}
        html={null}
        saveLabel={isNew ? 'Add lesson' : 'Save lesson'}
        cancel={
          <Button variant="secondary" onClick={() => (isChanged() ? setIsAsking(true) : onClose())}>
            Cancel
          </Button>
        }
      />
      <AlertDialog
        title="Leave this lesson?"
        description="What you changed in it is lost."
        confirmLabel="Discard changes"
        cancelLabel="Keep editing"
        destructive
        movesFocus
        open={isAsking}
        onOpenChange={setIsAsking}
        onConfirm={onClose}
      />
    </section>
  );
}
