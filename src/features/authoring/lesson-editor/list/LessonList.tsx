import { toastFailure } from '#src/features/authoring/toast-failure.ts';
import { FolderPlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import type { PendingChange } from '#src/features/authoring/changes/changes.ts';
import { publishHref } from '#src/features/authoring/publishing/publish-check.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { LessonMenu } from './LessonMenu.tsx';
import { type Direction, LessonRow, moveButtonId } from './LessonRow.tsx';
import { type ListedLesson, lessonDeletionNotice } from '../lessons.ts';
import { deleteLessonCall, orderLessonsCall } from '../schema.ts';
import { NameSection, SectionHead, sectionDragId } from './SectionHead.tsx';
import {
  type EmptySection,
  flattened,
  moveSection,
  putBeside,
  putLessons,
  type Section,
  sectionsOf,
  stepLesson,
} from './sections.ts';
import { SeveralLessons } from './SeveralLessons.tsx';
import { useFolded } from './use-folded.ts';

type Sections = Section<ListedLesson>[];
/** Findings of the last check. */
export type Found = readonly [id: number, errors: number, hints: number];

/** The lessons of a course in their sections: ordered by dragging or step by step, edited and deleted. */
export function LessonList({
  courseId,
  initialLessons,
  initialEmpty,
  kinds,
  found,
  isPublished,
  courses,
}: {
  courseId: number;
  initialLessons: ListedLesson[];
  initialEmpty: EmptySection[];
  kinds: readonly (readonly [number, PendingChange['kind']])[];
  found: readonly Found[];
  isPublished: boolean;
  courses: readonly { id: number; title: string }[];
}) {
  const [sections, setSections] = useState<Sections>(() => sectionsOf(initialLessons, initialEmpty));
  const saved = useRef(sections);
  const [announcement, setAnnouncement] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [folded, fold] = useFolded(courseId);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const round = useRef(0);
  const focusNext = useRef<string | null>(null);

  // A lesson in another section is drawn again; the keyboard must not lose its button.
  useEffect(() => {
    if (sections.length > 0 && focusNext.current) document.getElementById(focusNext.current)?.focus();
    focusNext.current = null;
  }, [sections]);

  const save = (wanted: Sections, what: string) => {
    const { lessons, empty } = flattened(wanted);
    const next = sectionsOf(lessons, empty);
    setSections(next);
    const begunIn = round.current;
    queue.current = queue.current.then(async () => {
      // Built on a refused order, which the screen no longer shows.
      if (begunIn !== round.current) return;
      const seen = flattened(saved.current);
      try {
        await call(orderLessonsCall, {
          params: { id: courseId },
          input: {
            before: seen.lessons.map(({ id }) => id),
            lessons: lessons.map(({ id, section }) => ({ id, section })),
            empty,
            emptyBefore: seen.empty,
          },
        });
        saved.current = next;
        setAnnouncement(what);
      } catch (error) {
        round.current += 1;
        setSections(saved.current);
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
  const saveMuch = (next: Sections, what: string) => {
    const before = sections;
    save(next, what);
    toast({ title: what, action: { label: 'Undo', onClick: () => save(before, 'Put back.') } });
  };

  const all = flattened(sections).lessons;
  const step = (id: number, direction: Direction) => {
    const next = stepLesson(sections, id, direction);
    focusNext.current = moveButtonId(id, direction);
    // A folded section has no button to focus.
    const { section } = flattened(next).lessons.find((lesson) => lesson.id === id)!;
    if (folded.has(section)) fold(section);
    save(next, placeText(next, id));
  };
  const drop = (
    landed: number | string,
    section: Section,
    target: number | null,
    side: 'before' | 'after',
  ) => {
    const own = sections.find(({ key }) => sectionDragId(key) === landed);
    if (own) {
      const next = moveSection(sections, own.key, section.key, side);
      return saveMuch(next, `Section ${own.title || 'without a name'} moved`);
    }
    const id = Number(landed);
    const first = folded.has(section.title) ? undefined : section.lessons[0]?.id;
    const next =
      target !== null
        ? putBeside(sections, id, target, side)
        : putLessons(
            sections,
            new Set([id]),
            section.key,
            first === undefined ? undefined : { id: first, edge: 'before' },
          );
    const isSame = JSON.stringify(flattened(next)) === JSON.stringify(flattened(sections));
    if (!isSame) save(next, placeText(next, id));
  };
  const titles = sections.map(({ title }) => title);
  const choose = (ids: readonly number[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) isChosen ? next.add(id) : next.delete(id);
    setChosen(next);
  };
  const kindOf = new Map(kinds);
  const foundIn = new Map(found.map(([id, errors, hints]) => [id, { errors, hints }]));
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      <div className="space-y-6">
        {sections.map((section, index) => {
          const { key, title, lessons } = section;
          const isFolded = folded.has(title);
          const ids = lessons.map(({ id }) => id);
          const picked = ids.filter((id) => chosen.has(id)).length;
          return (
            <section key={key} aria-label={title || 'Lessons without a section'} className="card">
              <SectionHead
                {...{ section, courseId, index, isFolded }}
                count={sections.length}
                taken={titles}
                onFold={() => fold(title)}
                onMove={(direction) => {
                  const beside = sections[direction === 'up' ? index - 1 : index + 1]!;
                  focusNext.current = moveButtonId(sectionDragId(key), direction);
                  const next = moveSection(
                    sections,
                    key,
                    beside.key,
                    direction === 'up' ? 'before' : 'after',
                  );
                  const at = next.findIndex((one) => one.key === key) + 1;
                  save(next, `Section ${title || 'without a name'} is now ${at} of ${next.length}.`);
                }}
                onDrop={(landed, side) => drop(landed, section, null, side)}
                onRename={(to) =>
                  save(
                    sections.map((one) => (one === section ? { ...one, title: to } : one)),
                    `The section is called ${to} now.`,
                  )
                }
                onRemove={() =>
                  saveMuch(
                    sections.filter((one) => one !== section),
                    `Section ${title} removed`,
                  )
                }
              />
              {!isFolded && lessons.length > 0 && (
                <>
                  {ids.length > 1 && (
                    <Checkbox
                      label={<span className="flex min-h-11 items-center">Choose all of them</span>}
                      className="items-center border-t border-line px-5"
                      checked={picked === 0 ? false : picked === ids.length ? true : 'indeterminate'}
                      onCheckedChange={(isChosen) => choose(ids, isChosen === true)}
                    />
                  )}
                  <ol className="divide-y divide-line border-t border-line">
                    {lessons.map((lesson) => (
                      <LessonRow<number | string>
                        key={lesson.id}
                        id={lesson.id}
                        lesson={lesson}
                        points={lesson.points > 0 ? counted(lesson.points, 'point') : ''}
                        number={all.indexOf(lesson) + 1}
                        count={all.length}
                        href={`/admin/courses/${courseId}/content/${lesson.id}`}
                        onMove={(direction) => step(lesson.id, direction)}
                        onDrop={(landed, _, side) => drop(landed, section, lesson.id, side)}
                        mark={
                          <ChooseRow
                            title={lesson.title}
                            isChosen={chosen.has(lesson.id)}
                            onChoose={(is) => choose([lesson.id], is)}
                          />
                        }
                        badge={
                          <RowBadges
                            href={publishHref(courseId)}
                            kind={kindOf.get(lesson.id)}
                            found={foundIn.get(lesson.id)}
                          />
                        }
                        deletesLater={isPublished}
                        deletionNotice={lessonDeletionNotice(lesson, isPublished)}
                        onDelete={() => remove(lesson, isPublished)}
                        more={<LessonMenu lesson={lesson} courses={courses} />}
                      />
                    ))}
                  </ol>
                </>
              )}
            </section>
          );
        })}
        <NameSection
          title="Add a section"
          present=""
          taken={titles}
          onName={(title) =>
            save([...sections, { key: title, title, lessons: [] }], `Section ${title} added at the end.`)
          }
          trigger={
            <Button variant="secondary">
              <FolderPlus aria-hidden="true" /> Add a section
            </Button>
          }
        />
        {chosen.size > 0 && (
          <SeveralLessons
            {...{ courseId, sections, courses, isPublished }}
            chosen={all.filter(({ id }) => chosen.has(id))}
            onPut={(value) => {
              const to = sections.find(({ key }) => sectionDragId(key) === value)!;
              const what = `${counted(chosen.size, 'lesson')} moved to ${to.title || 'no section'}`;
              saveMuch(putLessons(sections, chosen, to.key), what);
              setChosen(new Set());
            }}
            onNone={() => setChosen(new Set())}
          />
        )}
      </div>
    </>
  );
}

function placeText(next: Sections, id: number): string {
  const { lessons } = flattened(next);
  const index = lessons.findIndex((lesson) => lesson.id === id);
  const { title, section } = lessons[index]!;
  return `${title} is now lesson ${index + 1} of ${lessons.length}${section ? ` in ${section}` : ''}.`;
}

function ChooseRow({
  title,
  isChosen,
  onChoose,
}: {
  title: string;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}) {
  return (
    <Checkbox
      // On a phone the label surrounds the box, for a finger.
      label={
        <span className="absolute inset-0 -z-10">
          <span className="sr-only">Choose {title}</span>
        </span>
      }
      className="relative isolate shrink-0 items-center justify-center gap-0! max-sm:size-11"
      checked={isChosen}
      onCheckedChange={(next) => onChoose(next === true)}
    />
  );
}

function RowBadges({
  href,
  kind,
  found,
}: {
  href: string;
  kind: PendingChange['kind'] | undefined;
  found: { errors: number; hints: number } | undefined;
}) {
  return (
    <>
      {kind && (
        <Badge tone={kind === 'new' ? 'success' : 'info'}>
          {kind === 'new' ? 'New, not published' : 'Changed, not published'}
        </Badge>
      )}
      {found && (
        <a href={href} className="inline-flex items-center max-sm:min-h-11">
          <Badge tone={found.errors > 0 ? 'danger' : 'warning'}>
            {found.errors > 0 ? `${found.errors} to mend` : counted(found.hints, 'hint')}
          </Badge>
        </a>
      )}
    </>
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
    // The dialog stays busy until the page is left.
    await new Promise(() => {});
  } catch (error) {
    toastFailure(error, 'Failed to delete lesson');
  }
}
