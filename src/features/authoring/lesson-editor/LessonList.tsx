import { TextCursorInput } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import type { PendingChange } from '#src/features/authoring/changes/changes.ts';
import { groupBySection } from '#src/features/catalogue/catalogue.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import type { Side } from './lesson-drag.ts';
import { type ListedLesson, lessonDeletionNotice, moveLesson, stepLesson } from './lessons.ts';
import { deleteLessonCall, orderLessonsCall } from './schema.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { LessonMenu } from './LessonMenu.tsx';
import { type Direction, LessonRow, moveButtonId } from './LessonRow.tsx';
import { counted } from '#src/shared/counted.ts';

/** The lessons of a course in their sections: put into order by dragging or step by step, edited and deleted. */
export function LessonList({
  courseId,
  initialLessons,
  kinds,
  isPublished,
  courses,
}: {
  courseId: number;
  initialLessons: ListedLesson[];
  /** What waits of each lesson that is to be another one. */
  kinds: readonly (readonly [number, PendingChange['kind']])[];
  /** Changes wait until they are published. */
  isPublished: boolean;
  /** The other courses, by title. */
  courses: readonly { id: number; title: string }[];
}) {
  const [lessons, setLessons] = useState(initialLessons);
  // What the server has: a failed save goes back to it.
  const saved = useRef(initialLessons);
  const [announcement, setAnnouncement] = useState('');
  const queue = useRef<Promise<void>>(Promise.resolve());
  /** Counts the saves that failed. */
  const round = useRef(0);
  const focusNext = useRef<string | null>(null);

  // A lesson that changes its section is drawn anew, and whoever moves it by keyboard must not lose the button.
  useEffect(() => {
    if (lessons.length > 0 && focusNext.current) document.getElementById(focusNext.current)?.focus();
    focusNext.current = null;
  }, [lessons]);

  const save = (next: ListedLesson[], what: string) => {
    setLessons(next);
    const begunIn = round.current;
    queue.current = queue.current.then(async () => {
      // Made on top of one that was refused: the screen shows neither any more.
      if (begunIn !== round.current) return;
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
        round.current += 1;
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
  const step = (id: number, direction: Direction) => {
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

  const kindOf = new Map(kinds);
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
                      id={lesson.id}
                      lesson={lesson}
                      points={lesson.points > 0 ? counted(lesson.points, 'point') : ''}
                      number={index + 1}
                      count={lessons.length}
                      href={`/admin/courses/${courseId}/content/${lesson.id}`}
                      onMove={(direction) => step(lesson.id, direction)}
                      onDrop={drop}
                      badge={<ChangeBadge kind={kindOf.get(lesson.id)} />}
                      deletesLater={isPublished}
                      deletionNotice={lessonDeletionNotice(lesson, isPublished)}
                      onDelete={() => remove(lesson, isPublished)}
                      more={<LessonMenu lesson={lesson} courses={courses} />}
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

function ChangeBadge({ kind }: { kind: PendingChange['kind'] | undefined }) {
  if (!kind) return null;
  return (
    <Badge tone={kind === 'new' ? 'success' : 'info'}>
      {kind === 'new' ? 'New, not published' : 'Changed, not published'}
    </Badge>
  );
}

async function remove(lesson: ListedLesson, isPublished: boolean): Promise<void> {
  try {
    await call(deleteLessonCall, { params: { id: lesson.id } });
    toastOnNextPage({
      title: 'Lesson deleted',
      description: isPublished
        ? `“${lesson.title}” goes for learners once the changes are published.`
        : `“${lesson.title}” is gone.`,
    });
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
