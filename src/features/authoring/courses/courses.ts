import { type Level, parseLevel } from '#src/features/catalogue/catalogue.ts';
import type { Unproven } from '#src/features/catalogue/schema.ts';
import { counted } from '#src/shared/counted.ts';
import type { CourseForm } from './course-fields.ts';
import { type ListQuery, listHref, parseCount, parseListQuery } from '#src/shared/list-query.ts';

export const COURSE_SORTS = {
  newest: 'Newest',
  title: 'Title',
  students: 'Most students',
  rating: 'Best rated',
  'price-high': 'Price: High to Low',
  'price-low': 'Price: Low to High',
} as const;
export type CourseSort = keyof typeof COURSE_SORTS;

export const COURSE_STATES = {
  active: 'Active',
  unproven: 'Active, not proven',
  inactive: 'Inactive',
  archived: 'Archived',
} as const;
export type CourseState = keyof typeof COURSE_STATES;

/** From the page's address; null does not narrow. */
export interface CourseListQuery extends ListQuery {
  category: number | null;
  level: Level | null;
  state: CourseState | null;
  sort: CourseSort;
}

/** Unknown values count as not given. */
export function parseCourseListQuery(params: URLSearchParams): CourseListQuery {
  const state = params.get('state') ?? '';
  const sort = params.get('sort') ?? '';
  return {
    ...parseListQuery(params),
    category: parseCount(params.get('category')),
    level: parseLevel(params.get('level')),
    state: Object.hasOwn(COURSE_STATES, state) ? (state as CourseState) : null,
    sort: Object.hasOwn(COURSE_SORTS, sort) ? (sort as CourseSort) : 'newest',
  };
}

/** @param path of the page, with a fragment where the list is a part of it */
export function courseListHref(path: string, { sort, ...query }: Partial<CourseListQuery>): string {
  const [page, fragment] = path.split('#') as [string, string?];
  const href = listHref(page, { ...query, sort: sort === 'newest' ? null : sort });
  return fragment ? `${href}#${fragment}` : href;
}

export interface AdminCourse {
  id: number;
  title: string;
  thumbnail: string;
  categoryName: string;
  level: string;
  priceCents: number;
  studentsCount: number;
  lessonCount: number;
  waitingCount: number;
  isActive: boolean;
  isArchived: boolean;
  activateWhenProven: boolean;
  hasChanges: boolean;
  unproven: Unproven[];
  fields: CourseForm;
  version: number;
  owners: number;
  /** Has owners, past owners or orders, so that deleting only hides it (decision 30). */
  isKept: boolean;
}

export const LEFT_OUT =
  'Left out: changes that are not published, learners and their work, orders, ratings, questions, news, staff and the instructor.';

export const lessonsText = ({
  lessonCount,
  waitingCount,
}: Pick<AdminCourse, 'lessonCount' | 'waitingCount'>) =>
  counted(lessonCount, 'lesson') +
  (waitingCount > 0 ? `\u00a0· ${counted(waitingCount, 'waits', 'wait')}` : '');

/** What deleting this course does (decision 30). */
export function deletionNotice(
  course: Pick<AdminCourse, 'title' | 'isActive' | 'owners' | 'isKept'>,
): string {
  const name = `“${course.title}”`;
  if (!course.isKept) {
    return `${name} and all of its lessons will be removed for good. Nobody has bought it.`;
  }
  const what = course.isActive ? 'will be hidden from the store' : 'stays hidden from the store';
  if (course.owners === 0) return `${name} is part of an order, so it ${what} and is kept.`;
  const who = counted(course.owners, 'person owns', 'people own');
  return `${who} ${name}. It ${what}, and they keep their access.`;
}
