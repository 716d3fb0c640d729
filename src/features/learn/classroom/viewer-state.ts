import type { Counted } from '#src/features/learn/progress/use-activity.ts';
import type { CourseProgress, LessonCompletion } from '#src/features/learn/schema.ts';
import type { LessonParts } from './lesson-parts.ts';
import type { LessonType } from '#src/features/lessons/registry.ts';

export interface ViewerLesson {
  id: number;
  title: string;
  section: string;
  type: LessonType;
  duration: string;
  required: boolean;
  points: number;
  completed: boolean;
  /** The learner need not do it (decision 129). */
  excused: boolean;
  /** When it opens, of a lesson that is closed; '' for all others. */
  opens: string;
  /** The lessons that it waits for by name, where it waits for nothing else: once they are done it is open. */
  needs?: readonly number[];
  /** It is a new version of what its learner completed, and they have not seen it yet. */
  changed: boolean;
}

/** How far the learner is in the course and in the open lesson, by what the server said last. */
export interface ViewerState {
  done: ReadonlySet<number>;
  /** Percent. */
  progress: number;
  points: number;
  gained: number;
  certificateNumber: string | null;
  celebrates: boolean;
  /** Seconds. */
  time: number;
  /** Percent of the open lesson's video; null where it has none. */
  watched: number | null;
}

export type ViewerAction =
  | { do: 'complete'; answer: LessonCompletion }
  | { do: 'restore'; now: Pick<CourseProgress, 'lessons' | 'totalPoints' | 'progress'> }
  | { do: 'count'; counted: Counted }
  | { do: 'celebrate'; open: boolean };

/** The state of a page as the server made it. */
export function newViewer(page: {
  lessons: readonly Pick<ViewerLesson, 'id' | 'completed'>[];
  progress: number;
  totalPoints: number;
  totalTimeSpent: number;
  certificateNumber: string | null;
  parts: Pick<LessonParts, 'watching'>;
}): ViewerState {
  return {
    done: new Set(page.lessons.flatMap(({ id, completed }) => (completed ? [id] : []))),
    progress: page.progress,
    points: page.totalPoints,
    gained: 0,
    certificateNumber: page.certificateNumber,
    celebrates: false,
    time: page.totalTimeSpent,
    watched: page.parts.watching?.percent ?? null,
  };
}

/** Whether it is this completion that finishes the course. */
export const finishes = (progress: number, answer: Pick<LessonCompletion, 'progress'>): boolean =>
  answer.progress >= 100 && progress < 100;

/** The state after what the server said, or the learner closed. */
export function viewerReducer(state: ViewerState, action: ViewerAction): ViewerState {
  switch (action.do) {
    case 'complete': {
      const { answer } = action;
      return {
        ...state,
        done: new Set(state.done).add(answer.lessonId),
        progress: answer.progress,
        points: answer.totalPoints,
        gained: answer.pointsAwarded,
        certificateNumber: answer.certificateNumber ?? state.certificateNumber,
        celebrates: state.celebrates || finishes(state.progress, answer),
      };
    }
    case 'restore': {
      const { lessons, totalPoints, progress } = action.now;
      const done = new Set(lessons.flatMap(({ lessonId, completed }) => (completed ? [lessonId] : [])));
      return { ...state, done, points: totalPoints, progress };
    }
    case 'count': {
      const { totalTimeSpent, watchedPercent } = action.counted;
      return { ...state, time: totalTimeSpent, watched: watchedPercent ?? state.watched };
    }
    case 'celebrate':
      return { ...state, celebrates: action.open };
  }
}
