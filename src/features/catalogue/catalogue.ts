import { cleanSearch, parseCount } from '#src/shared/list-query.ts';
import { counted } from '#src/shared/counted.ts';
import { isSafeAddress } from '#src/features/lessons/addresses.ts';
import { has, type LessonType } from '#src/features/lessons/registry.ts';

/** Taken in any case, shown capitalised (decision 28). */
export const LEVELS = ['beginner', 'intermediate', 'advanced'] as const;
export type Level = (typeof LEVELS)[number];

/** Spec 2. */
const SORT_LABELS = {
  popular: 'Popular',
  rating: 'Rating',
  newest: 'Newest',
  'price-low': 'Price: Low to High',
  'price-high': 'Price: High to Low',
} as const;
export type Sort = keyof typeof SORT_LABELS;
export const SORTS = Object.keys(SORT_LABELS) as Sort[];
const DEFAULT_SORT: Sort = 'popular';

/** A search is ordered by relevance by default. */
export function sortLabel(sort: Sort, search: string): string {
  return search !== '' && sort === DEFAULT_SORT ? 'Most relevant' : SORT_LABELS[sort];
}

export const CATALOGUE_PAGE_SIZE = 24;
/** Of a page without size, and at most; a list without either is whole (decision 43). */
export const API_PAGE_SIZE = 100;
export const API_PAGE_SIZE_MAX = 200;

export interface CatalogueQuery {
  search: string;
  category: number | null;
  level: Level | null;
  sort: Sort;
  page: number;
}

/** Null for "all" and unknown texts. */
export function parseLevel(value: string | null | undefined): Level | null {
  const name = value?.trim().toLowerCase();
  return LEVELS.find((level) => level === name) ?? null;
}

/** The default for unknown texts (fault N1). */
export function parseSort(value: string | null | undefined): Sort {
  const name = value?.trim().toLowerCase();
  return SORTS.find((sort) => sort === name) ?? DEFAULT_SORT;
}

/** Unknown values count as absent. @param categories ids that exist; null where unknown yet */
export function parseCatalogueQuery(
  params: URLSearchParams,
  categories: readonly { id: number }[] | null,
): CatalogueQuery {
  const category = parseCount(params.get('category'));
  return {
    search: cleanSearch(params.get('search') ?? ''),
    category: !categories || categories.some(({ id }) => id === category) ? category : null,
    level: parseLevel(params.get('level')),
    sort: parseSort(params.get('sort')),
    page: parseCount(params.get('page')) ?? 1,
  };
}

/** Omits defaults: one address per state. */
export function catalogueHref(query: Partial<CatalogueQuery>, path = '/courses'): string {
  const params = new URLSearchParams();
  if (query.search) params.set('search', query.search);
  if (query.category) params.set('category', String(query.category));
  if (query.level) params.set('level', query.level);
  if (query.sort && query.sort !== DEFAULT_SORT) params.set('sort', query.sort);
  if (query.page && query.page > 1) params.set('page', String(query.page));
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

interface Chip {
  /** `unknown` names nothing: its filter is at the default. */
  kind: 'search' | 'category' | 'level' | 'sort' | 'unknown';
  label: string;
  removeHref: string;
}

/** Removal leads to the first page. */
export function chipsOf(query: CatalogueQuery, categories: readonly { id: number; name: string }[]): Chip[] {
  const without = (change: Partial<CatalogueQuery>) => catalogueHref({ ...query, page: 1, ...change });
  const chips: Chip[] = [];
  if (query.search) {
    chips.push({ kind: 'search', label: `“${query.search}”`, removeHref: without({ search: '' }) });
  }
  const category = categories.find(({ id }) => id === query.category);
  if (category) {
    chips.push({ kind: 'category', label: category.name, removeHref: without({ category: null }) });
  }
  if (query.level) {
    chips.push({ kind: 'level', label: levelLabel(query.level), removeHref: without({ level: null }) });
  }
  if (query.sort !== DEFAULT_SORT) {
    chips.push({
      kind: 'sort',
      label: `Sorted by ${SORT_LABELS[query.sort].toLowerCase()}`,
      removeHref: without({ sort: DEFAULT_SORT }),
    });
  }
  return chips;
}

const DEFAULT_WORDS = {
  category: ['', 'all', '0'],
  level: ['', 'all'],
  sort: ['', DEFAULT_SORT],
  page: ['', '1'],
};
const SHOWN_VALUE_MAX = 24;

/** Chips for unknown values, such as a deleted category. @param query what is shown instead */
export function unknownChips(params: URLSearchParams, query: CatalogueQuery): Chip[] {
  const understood = {
    category: query.category !== null,
    level: query.level !== null,
    sort: parseSort(params.get('sort')) === params.get('sort')?.trim().toLowerCase(),
    page: query.page > 1,
  };
  return (['category', 'level', 'sort', 'page'] as const).flatMap((name) => {
    const value = cleanSearch(params.get(name) ?? '');
    if (understood[name] || DEFAULT_WORDS[name].includes(value.toLowerCase())) return [];
    const shown = value.length > SHOWN_VALUE_MAX ? `${value.slice(0, SHOWN_VALUE_MAX).trimEnd()}…` : value;
    return [{ kind: 'unknown', label: `No ${name} “${shown}”`, removeHref: catalogueHref(query) }];
  });
}

/** "Design (1,204)". */
export function labelWithCount(label: string, count: number): string {
  return `${label} (${count.toLocaleString('en-US')})`;
}

/** Categories under this level, and levels in this category. */
export function facetsOf(
  counts: readonly CourseCount[],
  { category, level }: Pick<CatalogueQuery, 'category' | 'level'>,
): { category: (id: number) => number; level: (level: Level) => number } {
  const sum = (fits: (one: CourseCount) => boolean) =>
    counts.filter(fits).reduce((total, one) => total + one.courses, 0);
  return {
    category: (id) => sum((one) => one.categoryId === id && (level === null || one.level === level)),
    level: (name) => sum((one) => one.level === name && (category === null || one.categoryId === category)),
  };
}

export function levelLabel(level: Level): string {
  return level.charAt(0).toUpperCase() + level.slice(1);
}

export interface Reading {
  /** Null where every word is known. */
  corrected: string | null;
  /** Null where the list holds nothing else. */
  withAll: number | null;
  marks: string[];
}

/** Null where the list answers every word. */
export function readingText(search: string, { corrected, withAll }: Reading, found: number): string | null {
  if (found === 0 || (corrected === null && withAll === null)) return null;
  const said = corrected === null ? '' : `Nothing matches “${search}” as it is written. `;
  const meant = corrected ?? search;
  if (withAll === null) return `${said}These courses match “${meant}”.`;
  if (withAll === 0) return `${said}No course teaches exactly that. Closest to “${meant}”:`;
  return `${said}${withAll === 1 ? 'One course has' : `${withAll} courses have`} all of it. After that, closest to “${meant}”:`;
}

export function courseWishHref(search: string): string {
  return `/contact/course?${new URLSearchParams({ about: search })}`;
}

/** Spec 2. */
export function foundText(total: number): string {
  return `${total} course(s) found`;
}

/** Adjacent lessons with the same section name. */
export function groupBySection<T extends { section?: string }>(
  lessons: readonly T[],
): { section: string; lessons: T[] }[] {
  const groups: { section: string; lessons: T[] }[] = [];
  for (const lesson of lessons) {
    const last = groups.at(-1);
    const { section = '' } = lesson;
    if (last?.section === section) last.lessons.push(lesson);
    else groups.push({ section, lessons: [lesson] });
  }
  return groups;
}

export const OPENS_LATER = 'This course opens later: it has no lessons yet.';

export function isOpenedLater(priceCents: number, lessons: readonly unknown[]): boolean {
  return priceCents > 0 && lessons.length === 0;
}

export function lessonCountText(count: number): string {
  return counted(count, 'lesson');
}

/** Without a missing rating or student count. */
export function courseFacts(
  course: Pick<CourseCard, 'duration' | 'rating' | 'reviewCount' | 'studentsCount'> &
    Partial<Pick<CourseCard, 'lessonCount' | 'exerciseCount'>>,
): string[] {
  const { duration, lessonCount = 0, exerciseCount = 0, rating, reviewCount, studentsCount } = course;
  return [
    duration,
    lessonCount > 0 ? lessonCountText(lessonCount) : '',
    exerciseCount > 0 ? counted(exerciseCount, 'exercise') : '',
    reviewCount > 0 ? `${rating.toFixed(1)} ★ (${reviewCount.toLocaleString('en-US')})` : '',
    studentsCount > 0 ? counted(studentsCount, 'student') : '',
  ].filter(Boolean);
}

export function shownThumbnail(thumbnail: string): string | null {
  return thumbnail && isSafeAddress(thumbnail) ? thumbnail : null;
}

export interface Category {
  id: number;
  name: string;
  description: string;
  icon: string;
}

export interface CourseCard {
  id: number;
  title: string;
  thumbnail: string;
  priceCents: number;
  originalPriceCents: number | null;
  duration: string;
  level: Level;
  /** 0 to 5; 0 without ratings. */
  rating: number;
  reviewCount: number;
  studentsCount: number;
  categoryId: number;
  categoryName: string;
  isActive: boolean;
  /** The first learning outcome; may be empty. */
  outcome: string;
  lessonCount: number;
  exerciseCount: number;
  /** Where the words are not in the title: the lesson or sentence that has them. */
  foundIn?: string | null;
}

export interface CourseCount {
  categoryId: number;
  level: Level;
  courses: number;
}

export interface Suggestions {
  courses: { id: number; title: string }[];
  categories: { id: number; name: string; courses: number }[];
}

export interface Course extends Omit<CourseCard, 'outcome' | 'lessonCount' | 'exerciseCount'> {
  description: string;
  createdBy: number | null;
  createdByName: string | null;
  createdAt: Date;
}

/** Decision 32. */
export interface LessonOutline {
  id: number;
  courseId: number;
  title: string;
  section: string;
  type: LessonType;
  duration: string;
  order: number;
  difficulty: Level;
  isPreview: boolean;
  requiredToComplete: boolean;
  points: number;
}

/** Decision 122: in the store, free, and only open coding lessons. */
export function isPlayedInSteps(
  { isActive, priceCents }: Pick<Course, 'isActive' | 'priceCents'>,
  lessons: readonly Pick<LessonOutline, 'type' | 'isPreview'>[],
): boolean {
  const isStep = ({ type, isPreview }: (typeof lessons)[number]) => isPreview && has(type, 'codingLanguage');
  return isActive && priceCents === 0 && lessons.length > 0 && lessons.every(isStep);
}

/** Decision 122. */
export const FIRST_STEPS_PATH = '/steps';

/** The first undone step, a given one, or the end. */
export function stepsPath(courseId: number, step?: number | 'end'): string {
  return `/course/${courseId}/steps${step === undefined ? '' : `?step=${step}`}`;
}

/** With the course's number in titles that others of the list have too. */
export function toldApart<Course extends { id: number; title: string }>(
  courses: readonly Course[],
): Course[] {
  const named = Map.groupBy(courses, ({ title }) => title);
  return courses.map((course) =>
    named.get(course.title)!.length > 1 ? { ...course, title: `${course.title} (#${course.id})` } : course,
  );
}

/** Spec 8; for other people's courses too (decision 32). */
export const LESSON_NOT_FOUND = "Lesson not found or you don't have access to it.";

/** Whole words on one line, at most 160 characters. */
export function searchSummary(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 157).replace(/\s+\S*$/, '')}…` : line;
}
