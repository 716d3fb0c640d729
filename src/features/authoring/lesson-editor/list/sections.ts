import { moveItem, type Place } from '../lessons.ts';

/** `before` is the lesson that follows; null at the end of the course. */
export interface EmptySection {
  title: string;
  before: number | null;
}

/** The title '' is for lessons without a section. */
export interface Section<L extends Place = Place> {
  /** Stable while the section moves. */
  key: string;
  title: string;
  lessons: L[];
}

/** Runs of lessons under one name, and sections without lessons, in order. */
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

/** Lessons in order, each with its section, and the sections without lessons. */
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

/** The sections that are still empty and whose following lesson still exists. */
export const emptyAmong = (lessons: readonly Place[], empty: readonly EmptySection[]): EmptySection[] =>
  flattened(sectionsOf(lessons, empty)).empty;

const indexWith = (sections: readonly Section[], id: number) =>
  sections.findIndex(({ lessons }) => lessons.some((lesson) => lesson.id === id));

/** Sections without lessons, where the lessons that follow have other names. */
export const placedBefore = <From, To>(
  empty: readonly { title: string; before: From | null }[],
  nameOf: (before: From) => To,
): { title: string; before: To | null }[] =>
  empty.map(({ title, before }) => ({ title, before: before === null ? null : nameOf(before) }));

/** The sections after one is put beside another. */
export function moveSection<L extends Place>(
  sections: readonly Section<L>[],
  key: string,
  targetKey: string,
  edge: 'before' | 'after',
): Section<L>[] {
  const of = (wanted: string) => sections.find((section) => section.key === wanted);
  return moveItem(sections, of(key), of(targetKey), edge);
}

/** The sections after lessons are put into one: at its end, or beside one of its lessons. */
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

export function putBeside<L extends Place>(
  sections: readonly Section<L>[],
  id: number,
  targetId: number,
  edge: 'before' | 'after',
): Section<L>[] {
  const target = sections[indexWith(sections, targetId)];
  return target ? putLessons(sections, new Set([id]), target.key, { id: targetId, edge }) : [...sections];
}

/** A lesson one step up or down; at its section's edge it enters the neighboring one. */
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
