import type { Opening } from '#src/features/lessons/opening.ts';
import type { Level } from '#src/features/catalogue/catalogue.ts';
import type { LessonType } from '#src/features/lessons/registry.ts';
import type { AssignmentSettings } from '#src/features/lessons/types/assignment/settings.ts';
import type { Question } from '#src/features/lessons/types/quiz/question.ts';
import type { QuizSettings } from '#src/features/lessons/types/quiz/settings.ts';
import type { ScenarioInput } from '#src/features/scenario/scenario.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { type Exercise, emptyExercise } from './exercise.ts';

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
}

/** A quiz question as its author sees it; its id is null until it is saved. */
export type QuestionFields = Question & { id: number | null };

/** Everything of a lesson that its form shows. */
export interface LessonFields {
  title: string;
  section: string;
  type: LessonType;
  /** Position in the course, from 1. */
  order: number;
  content: string;
  fileUrl: string;
  captionsUrl: string;
  /** Lines such as `0:00 Title`. */
  chapters: string;
  duration: string;
  durationSeconds: number | null;
  difficulty: Level;
  isPreview: boolean;
  requiredToComplete: boolean;
  watchRequired: boolean;
  /** When it opens for those who are enrolled. */
  opening: Opening;
  points: number;
  questions: QuestionFields[];
  quizSettings: QuizSettings;
  assignmentSettings: AssignmentSettings;
  /** As it was read; see `updateLessonCall`. */
  version: number;
  /** Of a coding lesson; empty for every other. */
  exercise: Exercise;
  /** Null for lessons of other types, and for a scenario that nobody has written yet. */
  scenario: ScenarioInput | null;
}

/** What of a lesson is not read from the fields of its form, but kept by the part that shows it. */
export type KeptValues = Pick<
  LessonFields,
  'content' | 'questions' | 'quizSettings' | 'assignmentSettings' | 'exercise' | 'scenario'
>;

export type TickName = 'isPreview' | 'requiredToComplete' | 'watchRequired';

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

/** Points of a lesson whose author was not asked for them, or left them empty (spec 5). */
export const POINTS_DEFAULT = 10;

/** A lesson that nobody has written anything into. */
export function emptyLesson(type: LessonType): LessonFields {
  return {
    title: '',
    section: '',
    type,
    order: 1,
    content: '',
    fileUrl: '',
    captionsUrl: '',
    chapters: '',
    duration: '',
    durationSeconds: null,
    difficulty: 'beginner',
    isPreview: false,
    requiredToComplete: true,
    watchRequired: false,
    opening: {},
    points: POINTS_DEFAULT,
    questions: [],
    quizSettings: {},
    assignmentSettings: {},
    version: 1,
    exercise: emptyExercise(),
    scenario: null,
  };
}

/** What deleting a lesson takes with it, for the question before it. */
export function lessonDeletionNotice({
  title,
  completions,
}: Pick<ListedLesson, 'title' | 'completions'>): string {
  const name = `“${title}”`;
  if (completions === 0) return `${name} will be removed for good. No learner has completed it.`;
  const who =
    completions === 1
      ? '1 learner has completed it; their result and points for it go'
      : `${completions.toLocaleString('en-US')} learners have completed it; their results and points for it go`;
  return `${name} will be removed for good. ${who} with it.`;
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
 * The lessons after one was moved to where another stands: it joins that one's section, so that sections stay in one
 * piece.
 *
 * @param edge on which side of the other it is put
 */
export function moveLesson<T extends Place>(
  lessons: readonly T[],
  id: number,
  targetId: number,
  edge: 'before' | 'after',
): T[] {
  const moved = lessons.find((lesson) => lesson.id === id);
  const target = lessons.find((lesson) => lesson.id === targetId);
  return moveItem(lessons, moved, target, edge).map((lesson) =>
    lesson === moved && target ? { ...moved, section: target.section } : lesson,
  );
}

/**
 * The lessons after one was moved a step up or down. At the edge of its section it first goes into the neighboring
 * section, at the same place in the course.
 */
export function stepLesson<T extends Place>(lessons: readonly T[], id: number, step: 'up' | 'down'): T[] {
  const index = lessons.findIndex((lesson) => lesson.id === id);
  const lesson = lessons[index];
  const neighbor = lessons[step === 'up' ? index - 1 : index + 1];
  if (!lesson || !neighbor) return [...lessons];
  if (neighbor.section !== lesson.section) {
    return lessons.with(index, { ...lesson, section: neighbor.section });
  }
  return moveLesson(lessons, id, neighbor.id, step === 'up' ? 'before' : 'after');
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
