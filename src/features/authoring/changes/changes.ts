import type { LessonType } from '#src/features/lessons/registry.ts';
import { counted } from '#src/shared/counted.ts';

/** A field in which two states of a lesson differ. */
export interface FieldDifference {
  label: string;
  /** Lines with what stands around them; null where too much is different for that. */
  hunks: { lines: string[] }[] | null;
  /** What the field says afterwards. */
  after: string;
}

export const CHANGE_KINDS = ['new', 'changed', 'removed'] as const;

/** A lesson that is to be another one than learners have. */
export interface PendingChange {
  lessonId: number;
  title: string;
  type: LessonType;
  kind: (typeof CHANGE_KINDS)[number];
  differences: FieldDifference[];
  /** Learners who have completed it as it is. */
  completions: number;
}

/** A lesson that is to stand elsewhere: places among the lessons that stay, from 1, and its section where that changes. */
export interface MovedLesson {
  lessonId: number;
  title: string;
  from: number;
  to: number;
  section: { from: string; to: string } | null;
}

/** All that learners of a course do not have yet. */
export interface PendingChanges {
  courseId: number;
  title: string;
  /** Whether the store has had it: without that nothing waits. */
  isPublished: boolean;
  /** Says which changes these are, for whoever publishes what was seen. */
  seen: string;
  lessons: PendingChange[];
  moved: MovedLesson[];
}

/** How many changes these are; moved lessons are one. */
export const changeCount = ({ lessons, moved }: Pick<PendingChanges, 'lessons' | 'moved'>): number =>
  lessons.length + (moved.length > 0 ? 1 : 0);

/** The changes in words: `2 lessons changed, 1 new lesson, order or sections`; '' for none. */
export function changesText({ lessons, moved }: Pick<PendingChanges, 'lessons' | 'moved'>): string {
  const number = (wanted: PendingChange['kind']) => lessons.filter(({ kind }) => kind === wanted).length;
  const [added, changed, removed] = [number('new'), number('changed'), number('removed')];
  return [
    changed > 0 ? `${counted(changed, 'lesson')} changed` : '',
    added > 0 ? `${counted(added, 'new lesson')}` : '',
    removed > 0 ? `${counted(removed, 'lesson')} removed` : '',
    moved.length > 0 ? 'order or sections' : '',
  ]
    .filter(Boolean)
    .join(', ');
}
