import type { LessonType } from '#src/features/lessons/registry.ts';
import { counted } from '#src/shared/counted.ts';

export interface FieldDifference {
  label: string;
  /** With context lines; null where too much differs. */
  hunks: { lines: string[] }[] | null;
  after: string;
}

export const CHANGE_KINDS = ['new', 'changed', 'removed'] as const;

export interface PendingChange {
  lessonId: number;
  title: string;
  type: LessonType;
  kind: (typeof CHANGE_KINDS)[number];
  differences: FieldDifference[];
  completions: number;
}

/** Places among the common lessons, from 1; the section where it changes. */
export interface MovedLesson {
  lessonId: number;
  title: string;
  from: number;
  to: number;
  section: { from: string; to: string } | null;
}

export interface PendingChanges {
  courseId: number;
  title: string;
  /** Before its first publication nothing waits. */
  isPublished: boolean;
  seen: string;
  lessons: PendingChange[];
  moved: MovedLesson[];
  /** Attempts at quizzes whose result the corrected questions would make better or worse. */
  marks: { better: number; worse: number };
}

/** Moved lessons count as one. */
export const changeCount = ({ lessons, moved }: Pick<PendingChanges, 'lessons' | 'moved'>): number =>
  lessons.length + (moved.length > 0 ? 1 : 0);

/** Such as `2 lessons changed, 1 new lesson, order or sections`; '' for none. */
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
