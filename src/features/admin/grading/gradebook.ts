import { LESSON_TYPE_DEFINITIONS, type LessonType } from '#src/features/lessons/registry.ts';

export const GRADEBOOK_PAGE_SIZE = 50;

/** Types with results. */
export const GRADED_TYPES: LessonType[] = LESSON_TYPE_DEFINITIONS.flatMap(({ name, isPassed }) =>
  isPassed ? [name] : [],
);

export const CELL_STATES = {
  not_begun: { label: 'Not begun', tone: 'neutral' },
  begun: { label: 'Begun', tone: 'info' },
  waits: { label: 'Waits for a grade', tone: 'warning' },
  passed: { label: 'Passed', tone: 'success' },
  not_passed: { label: 'Not passed', tone: 'danger' },
  excused: { label: 'Excused', tone: 'accent' },
} as const;
export type CellState = keyof typeof CELL_STATES;

export interface Cell {
  state: CellState;
  attempts: number;
  /** The best; null for none. */
  best: number | null;
  late: boolean;
}

export interface CellFacts {
  /** Opened. */
  begun: boolean;
  completed: boolean;
  excused: boolean;
  /** Ungraded work. */
  waits: boolean;
  late: boolean;
  attempts: number;
  score: number | null;
}

/** Decision 129: an excuse first, then ungraded work, then results. */
export function cellState({ begun, completed, excused, waits, attempts, score }: CellFacts): CellState {
  if (excused) return 'excused';
  if (waits) return 'waits';
  if (completed) return 'passed';
  if (attempts > 0 || score !== null) return 'not_passed';
  return begun ? 'begun' : 'not_begun';
}

export const GRADEBOOK_FILTERS = {
  '': 'All learners',
  waits: 'Waits for a grade',
  not_passed: 'Not passed',
} as const;
export type GradebookFilter = keyof typeof GRADEBOOK_FILTERS;
export const GRADEBOOK_SORTS = { name: 'Name', progress: 'Progress' } as const;
export type GradebookSort = keyof typeof GRADEBOOK_SORTS;

/** Unknown values count as none. */
export function parseGradebook(params: URLSearchParams): { filter: GradebookFilter; sort: GradebookSort } {
  const filter = params.get('state');
  return {
    filter: filter === 'waits' || filter === 'not_passed' ? filter : '',
    sort: params.get('sort') === 'progress' ? 'progress' : 'name',
  };
}
