import type { LessonType } from '#src/features/lessons/registry.ts';
import { quotedTitles } from '#src/shared/counted.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import type { CHOSEN_FIELDS, KeptValues, LessonFields } from './lesson-fields.ts';

/** A lesson in the list of a course's content. */
export interface ListedLesson {
  id: number;
  title: string;
  section: string;
  type: LessonType;
  duration: string;
  points: number;
  isPreview: boolean;
  requiredToComplete: boolean;
  /** Learners who have completed it. */
  completions: number;
  /** Titles of the lessons that wait for it by name. */
  neededBy: string[];
}

/** A field that is ticked. */
export type TickName = Exclude<(typeof CHOSEN_FIELDS)[number], 'difficulty'>;

/** What the part of a form gets that only lessons of one type have. */
export interface EditorPartProps {
  /** As the form was opened. */
  lesson: LessonFields;
  values: KeptValues;
  /** By path, such as `testCases.0.input`. */
  errors: FieldErrors;
  /** Tells of every change; without an update, of one in a field of the form. */
  onChange: (update?: (before: KeptValues) => Partial<KeptValues>) => void;
  /** The state of a box to be ticked. */
  tick: (name: TickName) => {
    defaultChecked: boolean;
    onCheckedChange: (checked: boolean | 'indeterminate') => void;
  };
}

/**
 * What deleting a lesson takes with it, for the question before it.
 *
 * @param isPublished whether the deletion waits until the changes of the course are published
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

/** Titles that a notice names. */
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

/** The place of a lesson in a course. */
export interface Place {
  id: number;
  section: string;
}

/** A list after one of its items was put before or after another; the same list where one of them is not there. */
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

/**
 * Where a lesson goes whose section was chosen and whose position was not: after the last of that section, or to the
 * end.
 *
 * @param others the other lessons of the course in their order
 * @returns the index among the others
 */
export function placeInSection(others: readonly Place[], section: string): number {
  const last = others.findLastIndex((lesson) => lesson.section === section);
  return last === -1 ? others.length : last + 1;
}
