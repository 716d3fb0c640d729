import type { Counted } from '#src/features/learn/progress/use-activity.ts';
import type { CourseProgress, LessonCompletion } from '#src/features/learn/schema.ts';
import type { LessonParts } from './lesson-parts.ts';
import type { LessonType } from '#src/features/lessons/registry.ts';

/** Without what is empty, zero or false: the page says it twice. */
export interface ViewerLesson {
  id: number;
  title: string;
  section?: string;
  type: LessonType;
  duration?: string;
  optional?: boolean;
  points?: number;
  completed?: boolean;
  /** Excused (decision 129). */
  excused?: boolean;
  /** Of a closed lesson. */
  opens?: string | undefined;
  /** Ids of the lessons whose completion opens it, where nothing else closes it. */
  needs?: readonly number[];
  dueAt?: string;
  /** A new version that the learner has not seen. */
  changed?: boolean;
}

/** By the server's last answer. */
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
  /** Percent; null without a video. */
  watched: number | null;
}

export type ViewerAction =
  | { do: 'complete'; answer: LessonCompletion }
  | { do: 'restore'; now: Pick<CourseProgress, 'lessons' | 'totalPoints' | 'progress'> }
  | { do: 'count'; counted: Counted }
  | { do: 'celebrate'; open: boolean };

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

/** Whether this completion finishes the course. */
export const finishes = (progress: number, answer: Pick<LessonCompletion, 'progress'>): boolean =>
  answer.progress >= 100 && progress < 100;

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
