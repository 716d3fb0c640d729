import { ArrowDown, ArrowUp, GripVertical, Pencil, TextCursorInput, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { groupBySection } from '#src/features/catalogue/catalogue.ts';
import { LessonTypeIcon } from '#src/features/lessons/LessonTypeIcon.tsx';
import { lessonTypeLabel } from '#src/features/lessons/registry.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import type { Side } from './lesson-drag.ts';
import { type ListedLesson, lessonDeletionNotice, moveLesson, stepLesson } from './lessons.ts';
import { deleteLessonCall, LESSON_MAX, orderLessonsCall } from './schema.ts';
import { useDragRow } from './use-drag-row.ts';
import { counted } from '#src/shared/counted.ts';

const moveButtonId = (id: number, direction: 'up' | 'down') => `move-${id}-${direction}`;

/** The lessons of a course in their sections: put into order by dragging or step by step, edited and deleted. */
export function LessonList({
  courseId,
  initialLessons,
}: {
  courseId: number;
  initialLessons: ListedLesson[];
}) {
  const [lessons, setLessons] = useState(initialLessons);
  // What the server has: a failed save goes back to it.
  const saved = useRef(initialLessons);
  const [announcement, setAnnouncement] = useState('');
  const queue = useRef<Promise<void>>(Promise.resolve());
  const focusNext = useRef<string | null>(null);

  // A lesson that changes its section is drawn anew, and whoever moves it by keyboard must not lose the button.
  useEffect(() => {
    if (lessons.length > 0 && focusNext.current) document.getElementById(focusNext.current)?.focus();
    focusNext.current = null;
  }, [lessons]);

  const save = (next: ListedLesson[], what: string) => {
    setLessons(next);
    queue.current = queue.current.then(async () => {
      try {
        await call(orderLessonsCall, {
          params: { id: courseId },
          input: {
            before: saved.current.map(({ id }) => id),
            lessons: next.map(({ id, section }) => ({ id, section })),
          },
        });
        saved.current = next;
        setAnnouncement(what);
      } catch (error) {
        setLessons(saved.current);
        const isNewer = error instanceof ApiError && error.status === 409;
        toast({
          title: 'Error',
          description: messageOf(error, 'Failed to save the order'),
          variant: 'destructive',
          ...(isNewer ? { action: { label: 'Show theirs', onClick: () => location.reload() } } : {}),
        });
      }
    });
  };

  const placeText = (next: ListedLesson[], id: number) => {
    const index = next.findIndex((lesson) => lesson.id === id);
    const { title, section } = next[index]!;
    return `${title} is now lesson ${index + 1} of ${next.length}${section ? ` in ${section}` : ''}.`;
  };
  const step = (id: number, direction: 'up' | 'down') => {
    const next = stepLesson(lessons, id, direction);
    focusNext.current = moveButtonId(id, direction);
    save(next, placeText(next, id));
  };
  const drop = (id: number, targetId: number, side: Side) => {
    const next = moveLesson(lessons, id, targetId, side);
    if (
      next.every(
        (lesson, index) => lesson.id === lessons[index]!.id && lesson.section === lessons[index]!.section,
      )
    ) {
      return;
    }
    save(next, placeText(next, id));
  };
  const rename = (from: string, to: string, first: number) => {
    // One run of lessons under this name: another one of the same name elsewhere stays.
    const start = lessons.findIndex(({ id }) => id === first);
    const next = [...lessons];
    for (let index = start; next[index]?.section === from; index += 1) {
      next[index] = { ...next[index]!, section: to };
    }
    save(next, `The section is called ${to || 'nothing'} now.`);
  };

  const groups = groupBySection(lessons);
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      <div className="space-y-6">
        {groups.map((group) => {
          const first = group.lessons[0]!.id;
          return (
            <section
              key={`${group.section}-${first}`}
              aria-label={group.section || 'Lessons without a section'}
              className="rounded-lg border border-line bg-surface"
            >
              <div className="flex items-center justify-between gap-4 px-4 py-3 sm:px-5">
                <h2 className={classNames('text-subheading break-words', !group.section && 'text-ink-soft')}>
                  {group.section || 'No section'}
                </h2>
                <RenameSection section={group.section} onRename={(to) => rename(group.section, to, first)} />
              </div>
              <ol className="divide-y divide-line border-t border-line">
                {group.lessons.map((lesson) => {
                  const index = lessons.indexOf(lesson);
                  return (
                    <LessonRow
                      key={lesson.id}
                      courseId={courseId}
                      lesson={lesson}
                      number={index + 1}
                      canMoveUp={index > 0}
                      canMoveDown={index < lessons.length - 1}
                      onStep={(direction) => step(lesson.id, direction)}
                      onDrop={drop}
                    />
                  );
                })}
              </ol>
            </section>
          );
        })}
      </div>
    </>
  );
}

function RenameSection({ section, onRename }: { section: string; onRename: (to: string) => void }) {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState(section);
  return (
    <Dialog
      size="sm"
      title={section ? 'Rename section' : 'Name this section'}
      open={open}
      onOpenChange={(next) => {
        setName(section);
        setOpen(next);
      }}
      trigger={
        <Button
          variant="ghost"
          size="sm"
          className="min-h-11 sm:min-h-9"
          aria-label={section ? `Rename section ${section}` : 'Name the section of these lessons'}
        >
          <TextCursorInput aria-hidden="true" /> {section ? 'Rename' : 'Name'}
        </Button>
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button type="submit" form="rename-section">
            Save name
          </Button>
        </>
      }
    >
      <form
        id="rename-section"
        onSubmit={(event) => {
          event.preventDefault();
          setOpen(false);
          if (name.trim() !== section) onRename(name.trim());
        }}
      >
        <Field label="Section" optional hint="Empty for lessons without a section.">
          <Input
            value={name}
            maxLength={LESSON_MAX.section}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}

function LessonRow({
  courseId,
  lesson,
  number,
  canMoveUp,
  canMoveDown,
  onStep,
  onDrop,
}: {
  courseId: number;
  lesson: ListedLesson;
  number: number;
  canMoveUp: boolean;
  canMoveDown: boolean;
  onStep: (direction: 'up' | 'down') => void;
  onDrop: (id: number, targetId: number, side: Side) => void;
}) {
  const { row, handle, className } = useDragRow(lesson.id, onDrop);
  const facts = [
    lessonTypeLabel(lesson.type),
    lesson.duration,
    lesson.points > 0 ? counted(lesson.points, 'point') : '',
  ].filter(Boolean);
  const small = 'max-sm:size-11';
  return (
    <li
      ref={row}
      className={classNames(
        'relative flex flex-wrap items-center gap-x-3 gap-y-1 bg-surface py-2.5 pr-3 pl-2 last:rounded-b-lg sm:flex-nowrap sm:pr-4',
        className,
      )}
    >
      <span
        ref={handle}
        aria-hidden="true"
        title="Drag to another place"
        className="grid size-9 shrink-0 cursor-grab place-items-center rounded-sm text-ink-faint hover:text-ink active:cursor-grabbing"
      >
        <GripVertical className="size-5" />
      </span>
      <LessonTypeIcon
        type={lesson.type}
        inContentList
        className="size-5 shrink-0 text-ink-soft max-sm:hidden"
      />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <a
            href={`/admin/courses/${courseId}/content/${lesson.id}`}
            className="quiet-link font-semibold break-words"
          >
            <span className="text-ink-soft tabular-nums">{number}.</span> {lesson.title}
          </a>
          {lesson.isPreview && <Badge tone="info">Free preview</Badge>}
          {!lesson.requiredToComplete && <Badge tone="neutral">Optional</Badge>}
        </p>
        <p className="text-sm text-ink-soft tabular-nums">{facts.join(' · ')}</p>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields */}
      <div role="group" aria-label={`Actions for ${lesson.title}`} className="flex items-center max-sm:ml-9">
        <Button
          variant="ghost"
          size="icon-sm"
          className={small}
          id={moveButtonId(lesson.id, 'up')}
          aria-label={`Move ${lesson.title} up`}
          aria-disabled={!canMoveUp || undefined}
          onClick={() => canMoveUp && onStep('up')}
        >
          <ArrowUp aria-hidden="true" className={canMoveUp ? '' : 'opacity-35'} />
        </Button>
        <Button
          variant="ghost"
          size="icon-sm"
          className={small}
          id={moveButtonId(lesson.id, 'down')}
          aria-label={`Move ${lesson.title} down`}
          aria-disabled={!canMoveDown || undefined}
          onClick={() => canMoveDown && onStep('down')}
        >
          <ArrowDown aria-hidden="true" className={canMoveDown ? '' : 'opacity-35'} />
        </Button>
        <Button
          variant="ghost"
          size="icon-sm"
          className={small}
          href={`/admin/courses/${courseId}/content/${lesson.id}`}
          aria-label={`Edit ${lesson.title}`}
        >
          <Pencil aria-hidden="true" />
        </Button>
        <AlertDialog
          title="Are you sure you want to delete this lesson?"
          description={lessonDeletionNotice(lesson)}
          confirmLabel="Delete for good"
          destructive
          onConfirm={() => remove(lesson)}
          trigger={
            <Button
              variant="ghost"
              size="icon-sm"
              className={classNames(small, 'text-danger!')}
              aria-label={`Delete ${lesson.title}`}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          }
        />
      </div>
    </li>
  );
}

async function remove(lesson: ListedLesson): Promise<void> {
  try {
    await call(deleteLessonCall, { params: { id: lesson.id } });
    toastOnNextPage({ title: 'Lesson deleted', description: `“${lesson.title}” is gone.` });
    location.reload();
    // The page is being left; the dialog stays busy until it is.
    await new Promise(() => {});
  } catch (error) {
    toast({
      title: 'Error',
      description: messageOf(error, 'Failed to delete lesson'),
      variant: 'destructive',
    });
  }
}
