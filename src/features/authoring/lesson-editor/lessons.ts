import type { LessonType } from '#src/features/lessons/registry.ts';
import { quotedTitles } from '#src/shared/counted.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import type { CHOSEN_FIELDS, KeptValues, LessonFields } from './lesson-fields.ts';

export interface ListedLesson {
  id: number;
  title: string;
  section: string;
  type: LessonType;
  duration: string;
  points: number;
  isPreview: boolean;
  requiredToComplete: boolean;
  completions: number;
  neededBy: string[];
}

export type TickName = Exclude<(typeof CHOSEN_FIELDS)[number], 'difficulty'>;

/** For the part of a form that only one type has. */
export interface EditorPartProps {
  lesson: LessonFields;
  values: KeptValues;
  errors: FieldErrors;
  onChange: (update?: (before: KeptValues) => Partial<KeptValues>) => void;
  tick: (name: TickName) => {
    defaultChecked: boolean;
    onCheckedChange: (checked: boolean | 'indeterminate') => void;
  };
}

/**
 * What deleting a lesson takes with it.
 * @param isPublished whether the deletion waits for publishing
 */
export function lessonDeletionNotice(
  { title, completions, neededBy = [] }: Pick<ListedLesson, 'title' | 'completions'> & Partial<ListedLesson>,
  isPublished = false,
): string {
  const name = `“${title}”`;
  const waiting =
    neededBy.length > 0
      ? ` ${quotedTitles(neededBy, NAMED)} then ${neededBy.length === 1 ? 'waits' : 'wait'} for it no more.`
      : '';
  if (isPublished) {
    const who = completions === 0 ? '' : ` ${learnersLose(completions)} then.`;
    return `Learners keep ${name} until you publish the changes of this course.${who}${waiting}`;
  }
  if (completions === 0) return `${name} will be removed for good. No learner has completed it.${waiting}`;
  return `${name} will be removed for good. ${learnersLose(completions)} with it.${waiting}`;
}

const NAMED = 3;

const learnersLose = (completions: number) =>
  completions === 1
    ? '1 learner has completed it; their result and points for it go'
    : `${completions.toLocaleString('en-US')} learners have completed it; their results and points for it go`;

/** The same for several lessons. */
export function severalDeletionNotice(
  lessons: readonly Pick<ListedLesson, 'title' | 'completions'>[],
  isPublished: boolean,
): string {
  if (lessons.length === 1) return lessonDeletionNotice(lessons[0]!, isPublished);
  const completed = lessons.filter(({ completions }) => completions > 0);
  const who =
    completed.length === 0
      ? 'No learner has completed any of them.'
      : `Learners have completed ${completed.length === 1 ? `“${completed[0]!.title}”` : `${completed.length} of them`}; their results and points for it go${isPublished ? ' then' : ' with it'}.`;
  return isPublished
    ? `Learners keep them until you publish the changes of this course. ${who}`
    : `They will be removed for good. ${who}`;
}

export interface Place {
  id: number;
  section: string;
}

/** The list after an item is put beside another; unchanged where one is missing. */
export function moveItem<T>(
  items: readonly T[],
  moved: T | undefined,
  target: T | undefined,
  edge: 'before' | 'after',
): T[] {
  if (moved === undefined || target === undefined || moved === target) return [...items];
  const others = items.filter((item) => item !== moved);
  return others.toSpliced(others.indexOf(target) + (edge === 'after' ? 1 : 0), 0, moved);
}

/** The index of a lesson without a chosen position: after the last of its section, or at the end. */
export function placeInSection(others: readonly Place[], section: string): number {
  const last = others.findLastIndex((lesson) => lesson.section === section);
  return last === -1 ? others.length : last + 1;
}
