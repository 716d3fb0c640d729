import { LESSON_TYPE_DEFINITIONS, type LessonType } from '#src/features/lessons/registry.ts';

/** Learners on one page of the gradebook. */
export const GRADEBOOK_PAGE_SIZE = 50;

/** The types of lessons whose results stand in it. */
export const GRADED_TYPES: LessonType[] = LESSON_TYPE_DEFINITIONS.flatMap(({ name, isPassed }) =>
  isPassed ? [name] : [],
);

/** What a learner has come to in a graded lesson, with how it is shown. */
export const CELL_STATES = {
  not_begun: { label: 'Not begun', tone: 'neutral' },
  begun: { label: 'Begun', tone: 'info' },
  waits: { label: 'Waits for a grade', tone: 'warning' },
  passed: { label: 'Passed', tone: 'success' },
  not_passed: { label: 'Not passed', tone: 'danger' },
  excused: { label: 'Excused', tone: 'accent' },
} as const;
export type CellState = keyof typeof CELL_STATES;

/** What a learner has reached in a lesson. */
export interface Cell {
  state: CellState;
  attempts: number;
  /** The best grade; null where there is none. */
  best: number | null;
}

/** What is known of a learner in a lesson, as the state is made of it. */
export interface CellFacts {
  /** The lesson was opened. */
  begun: boolean;
  completed: boolean;
  excused: boolean;
  /** Something was handed in that nobody has graded. */
  waits: boolean;
  attempts: number;
  score: number | null;
}

/** The state of a cell (decision 129): an excuse goes before all else, and what waits before what was reached. */
export function cellState({ begun, completed, excused, waits, attempts, score }: CellFacts): CellState {
  if (excused) return 'excused';
  if (waits) return 'waits';
  if (completed) return 'passed';
  if (attempts > 0 || score !== null) return 'not_passed';
  return begun ? 'begun' : 'not_begun';
}

/** Which learners are listed, and in which order. */
export const GRADEBOOK_FILTERS = {
  '': 'All learners',
  waits: 'Waits for a grade',
  not_passed: 'Not passed',
} as const;
export type GradebookFilter = keyof typeof GRADEBOOK_FILTERS;
export const GRADEBOOK_SORTS = { name: 'Name', progress: 'Progress' } as const;
export type GradebookSort = keyof typeof GRADEBOOK_SORTS;

/** Filter and order of an address; unknown values count as not given. */
export function parseGradebook(params: URLSearchParams): { filter: GradebookFilter; sort: GradebookSort } {
  const filter = params.get('state');
  return {
    filter: filter === 'waits' || filter === 'not_passed' ? filter : '',
    sort: params.get('sort') === 'progress' ? 'progress' : 'name',
  };
}
