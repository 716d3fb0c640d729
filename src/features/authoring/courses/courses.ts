import { type Level, parseLevel } from '#src/features/catalogue/catalogue.ts';
import type { Unproven } from '#src/features/catalogue/schema.ts';
import { counted } from '#src/shared/counted.ts';
import type { CourseForm } from './course-fields.ts';
import { type ListQuery, listHref, parseCount, parseListQuery } from '#src/shared/list-query.ts';

/** The orders of the administrators' list of courses. */
export const COURSE_SORTS = {
  newest: 'Newest',
  title: 'Title',
  students: 'Most students',
  rating: 'Best rated',
  'price-high': 'Price: High to Low',
  'price-low': 'Price: Low to High',
} as const;
export type CourseSort = keyof typeof COURSE_SORTS;

/** How a course stands in the store. */
export const COURSE_STATES = {
  active: 'Active',
  unproven: 'Active, not proven',
  inactive: 'Inactive',
  archived: 'Archived',
} as const;
export type CourseState = keyof typeof COURSE_STATES;

/** What the administrators' list of courses shows, as its address says it; null does not narrow. */
export interface CourseListQuery extends ListQuery {
  category: number | null;
  level: Level | null;
  state: CourseState | null;
  sort: CourseSort;
}

/** Reads the list's state from an address; unknown values count as not given. */
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

/**
 * The address of a state of the list of courses.
 *
 * @param path of the page that shows it, with its fragment where the list is a part of the page
 */
export function courseListHref(path: string, { sort, ...query }: Partial<CourseListQuery>): string {
  const [page, fragment] = path.split('#') as [string, string?];
  const href = listHref(page, { ...query, sort: sort === 'newest' ? null : sort });
  return fragment ? `${href}#${fragment}` : href;
}

/** A course in the administrators' list. */
export interface AdminCourse {
  id: number;
  title: string;
  thumbnail: string;
  categoryName: string;
  level: string;
  priceCents: number;
  studentsCount: number;
  lessonCount: number;
  isActive: boolean;
  isArchived: boolean;
  /** It comes into the store by itself once each of its lessons is proven. */
  activateWhenProven: boolean;
  /** Something in it waits to be published. */
  hasChanges: boolean;
  /** What is not proven of it. */
  unproven: Unproven[];
  /** For its form. */
  fields: CourseForm;
  /** As it was read; see `updateCourseCall`. */
  version: number;
  /** People who have access to it now. */
  owners: number;
  /** Someone owns, owned or ordered it, so that deleting hides it and keeps it (decision 30). */
  isKept: boolean;
}

/** Which of the two things will happen when this course is deleted (decision 30). */
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
