import { moveItem, type Place } from '../lessons.ts';

/** A section that has no lesson yet, and the lesson before which it stands; null for the end of the course. */
export interface EmptySection {
  title: string;
  before: number | null;
}

/** A section of a course with its lessons; '' is the name of those that belong to none. */
export interface Section<L extends Place = Place> {
  /** The same as long as the section is, however it moves. */
  key: string;
  title: string;
  lessons: L[];
}

/** The sections of a course in their order: runs of lessons under one name, and those without lessons. */
export function sectionsOf<L extends Place>(
  lessons: readonly L[],
  empty: readonly EmptySection[],
): Section<L>[] {
  const sections: Section<L>[] = [];
  const add = (title: string, own: L[]) => {
    const same = sections.filter((one) => one.title === title).length;
    // No name has a line break.
    sections.push({ key: same === 0 ? title : `${title}\n${same + 1}`, title, lessons: own });
  };
  // One that has got its first lesson stands where that is.
  const taken = new Set(lessons.map(({ section }) => section));
  const left = new Set(empty.filter(({ title }) => !taken.has(title)));
  for (const lesson of lessons) {
    const last = sections.at(-1);
    const isNew = !last || last.title !== lesson.section || last.lessons.length === 0;
    if (isNew) {
      for (const one of left) if (one.before === lesson.id && left.delete(one)) add(one.title, []);
    }
    if (isNew) add(lesson.section, [lesson]);
    else last.lessons.push(lesson);
  }
  for (const { title } of left) add(title, []);
  return sections;
}

/** The same as it is kept: lessons in their order, each with its section, and the sections without lessons. */
export function flattened<L extends Place>(
  sections: readonly Section<L>[],
): { lessons: L[]; empty: EmptySection[] } {
  return {
    lessons: sections.flatMap(({ title, lessons }) =>
      lessons.map((lesson) => (lesson.section === title ? lesson : { ...lesson, section: title })),
    ),
    empty: sections.flatMap(({ title, lessons }, index) =>
      lessons.length > 0 || title === ''
        ? []
        : [{ title, before: sections.slice(index + 1).flatMap((next) => next.lessons)[0]?.id ?? null }],
    ),
  };
}

/** Sections without lessons as they stand among these lessons: none that has one by now, and none before a lesson that is gone. */
export const emptyAmong = (lessons: readonly Place[], empty: readonly EmptySection[]): EmptySection[] =>
  flattened(sectionsOf(lessons, empty)).empty;

const indexWith = (sections: readonly Section[], id: number) =>
  sections.findIndex(({ lessons }) => lessons.some((lesson) => lesson.id === id));

/** The sections after one was put before or after another, with its lessons. */
export function moveSection<L extends Place>(
  sections: readonly Section<L>[],
  key: string,
  targetKey: string,
  edge: 'before' | 'after',
): Section<L>[] {
  const of = (wanted: string) => sections.find((section) => section.key === wanted);
  return moveItem(sections, of(key), of(targetKey), edge);
}

/** The sections after lessons were put into one of them, in their order: at its end, or before or after one of its lessons. */
export function putLessons<L extends Place>(
  sections: readonly Section<L>[],
  ids: ReadonlySet<number>,
  key: string,
  at?: { id: number; edge: 'before' | 'after' },
): Section<L>[] {
  if (at && ids.has(at.id)) return [...sections];
  const moved = sections.flatMap(({ lessons }) => lessons.filter(({ id }) => ids.has(id)));
  return sections.map((section) => {
    const rest = section.lessons.filter(({ id }) => !ids.has(id));
    if (section.key !== key) return { ...section, lessons: rest };
    const index = at ? rest.findIndex(({ id }) => id === at.id) + (at.edge === 'after' ? 1 : 0) : rest.length;
    return { ...section, lessons: rest.toSpliced(index, 0, ...moved) };
  });
}

/** The sections after a lesson was put beside another one. */
export function putBeside<L extends Place>(
  sections: readonly Section<L>[],
  id: number,
  targetId: number,
  edge: 'before' | 'after',
): Section<L>[] {
  const target = sections[indexWith(sections, targetId)];
  return target ? putLessons(sections, new Set([id]), target.key, { id: targetId, edge }) : [...sections];
}

/**
 * The sections after a lesson went a step up or down. At the edge of its section it goes into the neighboring one, at the same
 * place in the course.
 */
export function stepLesson<L extends Place>(
  sections: readonly Section<L>[],
  id: number,
  step: 'up' | 'down',
): Section<L>[] {
  const at = indexWith(sections, id);
  const own = sections[at];
  if (!own) return [...sections];
  const index = own.lessons.findIndex((lesson) => lesson.id === id);
  const beside = own.lessons[step === 'up' ? index - 1 : index + 1];
  if (beside) return putBeside(sections, id, beside.id, step === 'up' ? 'before' : 'after');
  const neighbor = sections[step === 'up' ? at - 1 : at + 1];
  if (!neighbor) return [...sections];
  const first = neighbor.lessons[0];
  return putLessons(
    sections,
    new Set([id]),
    neighbor.key,
    step === 'down' && first ? { id: first.id, edge: 'before' } : undefined,
  );
}
