import { cleanSearch, parseCount } from '#src/shared/list-query.ts';
import { counted } from '#src/shared/counted.ts';
import { isSafeAddress } from '#src/features/lessons/addresses.ts';
import { has, type LessonType } from '#src/features/lessons/registry.ts';

/** Levels as stored; taken in any case, shown capitalised (decision 28). */
export const LEVELS = ['beginner', 'intermediate', 'advanced'] as const;
export type Level = (typeof LEVELS)[number];

/** The five orders of spec 2, by the name they have in addresses. */
export const SORT_LABELS = {
  popular: 'Popular',
  rating: 'Rating',
  newest: 'Newest',
  'price-low': 'Price: Low to High',
  'price-high': 'Price: High to Low',
} as const;
export type Sort = keyof typeof SORT_LABELS;
export const SORTS = Object.keys(SORT_LABELS) as Sort[];
export const DEFAULT_SORT: Sort = 'popular';

/** What an order is called: a search puts first what answers it best, where no other order is asked for. */
export function sortLabel(sort: Sort, search: string): string {
  return search !== '' && sort === DEFAULT_SORT ? 'Most relevant' : SORT_LABELS[sort];
}

/** Cards on one page of /courses. */
export const CATALOGUE_PAGE_SIZE = 24;
/** Courses of `GET /api/courses`: by default and at most (decision 43). */
export const API_PAGE_SIZE = 100;
export const API_PAGE_SIZE_MAX = 200;

/** What the catalogue shows, as its address says it. */
export interface CatalogueQuery {
  search: string;
  /** Null for all. */
  category: number | null;
  /** Null for all. */
  level: Level | null;
  sort: Sort;
  /** From 1. */
  page: number;
}

/** The level that a text names, in any case; null for "all" and for anything unknown. */
export function parseLevel(value: string | null | undefined): Level | null {
  const name = value?.trim().toLowerCase();
  return LEVELS.find((level) => level === name) ?? null;
}

/** The order that a text names; the default for anything unknown (fault N1). */
export function parseSort(value: string | null | undefined): Sort {
  const name = value?.trim().toLowerCase();
  return SORTS.find((sort) => sort === name) ?? DEFAULT_SORT;
}

/**
 * Reads the catalogue's state from its address. Whatever is unknown counts as not said, never as an error.
 *
 * @param categories ids that exist; a category outside them is unknown. Null where that is not known yet
 */
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

/** The address of a state; what is at its default is left out, so that one state has one address. */
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

/** An active filter and the address without it. */
export interface Chip {
  /** `unknown` is a value of the address that names nothing: its filter stands at the default. */
  kind: 'search' | 'category' | 'level' | 'sort' | 'unknown';
  label: string;
  removeHref: string;
}

/** The removable chips of a state; removing one leads back to the first page. */
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
/** Characters of an unknown value that its chip shows. */
const SHOWN_VALUE_MAX = 24;

/**
 * Chips for what an address asks for in vain, such as a category that is gone or a page past the end: the list stands
 * at the default, says so, and removing the chip leads to the address of what is shown.
 *
 * @param query what is shown instead
 */
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

/** A label with how many courses are behind it: "Design (1,204)". */
export function labelWithCount(label: string, count: number): string {
  return `${label} (${count.toLocaleString('en-US')})`;
}

/** How many courses there would be for each category under this level, and for each level in this category. */
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

/** "beginner" → "Beginner". */
export function levelLabel(level: Level): string {
  return level.charAt(0).toUpperCase() + level.slice(1);
}

/** How a search was read, and how well it was answered. */
export interface Reading {
  /** What was searched for instead, where no course has a word as it was typed; else null. */
  corrected: string | null;
  /** Courses that answer all that was asked for; null where the list holds nothing else. */
  withAll: number | null;
  marks: string[];
}

/** What is to be said of a list that does not answer a search word by word; null where it does. */
export function readingText(search: string, { corrected, withAll }: Reading, found: number): string | null {
  if (found === 0 || (corrected === null && withAll === null)) return null;
  const said = corrected === null ? '' : `Nothing matches “${search}” as it is written. `;
  const meant = corrected ?? search;
  if (withAll === null) return `${said}These courses match “${meant}”.`;
  if (withAll === 0) return `${said}No course teaches exactly that. Closest to “${meant}”:`;
  return `${said}${withAll === 1 ? 'One course has' : `${withAll} courses have`} all of it. After that, closest to “${meant}”:`;
}

/** Where a visitor can ask for a course that does not exist. */
export function courseWishHref(search: string): string {
  return `/contact/course?${new URLSearchParams({ about: search })}`;
}

/** The line above the cards (spec 2). */
export function foundText(total: number): string {
  return `${total} course(s) found`;
}

/** Lessons in their sections, in order; lessons next to each other with the same section name belong together. */
export function groupBySection<T extends { section: string }>(
  lessons: readonly T[],
): { section: string; lessons: T[] }[] {
  const groups: { section: string; lessons: T[] }[] = [];
  for (const lesson of lessons) {
    const last = groups.at(-1);
    if (last && last.section === lesson.section) last.lessons.push(lesson);
    else groups.push({ section: lesson.section, lessons: [lesson] });
  }
  return groups;
}

/** "1 lesson", "12 lessons". */
export function lessonCountText(count: number): string {
  return counted(count, 'lesson');
}

/** The short facts under a course's title; what is not known yet (no rating, no students) is left out. */
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

/** The thumbnail's address where it may be shown, else null and the card shows its placeholder. */
export function shownThumbnail(thumbnail: string): string | null {
  return thumbnail && isSafeAddress(thumbnail) ? thumbnail : null;
}

export interface Category {
  id: number;
  name: string;
  description: string;
  /** A CSS class (spec 3). */
  icon: string;
}

/** What a card shows of a course. */
export interface CourseCard {
  id: number;
  title: string;
  thumbnail: string;
  priceCents: number;
  originalPriceCents: number | null;
  duration: string;
  level: Level;
  /** 0 to 5; 0 where nobody has rated yet. */
  rating: number;
  reviewCount: number;
  studentsCount: number;
  categoryId: number;
  categoryName: string;
  /** Whether the store has it; nothing else decides that. */
  isActive: boolean;
  /** The first of what one can do afterwards; may be empty. */
  outcome: string;
  lessonCount: number;
  exerciseCount: number;
  /** Of a search whose words are not in the title: the lesson, or the sentence, that has them. */
  foundIn?: string | null;
}

/** How many visible courses of a category and level a search matches. */
export interface CourseCount {
  categoryId: number;
  level: Level;
  courses: number;
}

/** What the search box offers while one types. */
export interface Suggestions {
  courses: { id: number; title: string }[];
  categories: { id: number; name: string; courses: number }[];
}

/** A course's own facts. */
export interface Course extends Omit<CourseCard, 'outcome' | 'lessonCount' | 'exerciseCount'> {
  description: string;
  createdBy: number | null;
  createdByName: string | null;
  createdAt: Date;
}

/** What everybody may know of a lesson (decision 32). */
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

/**
 * Whether a course can be played in small steps, by anybody: it is in the store, free, and each of its lessons is a coding
 * lesson that anyone may try (decision 122).
 */
export function isPlayedInSteps(
  { isActive, priceCents }: Pick<Course, 'isActive' | 'priceCents'>,
  lessons: readonly Pick<LessonOutline, 'type' | 'isPreview'>[],
): boolean {
  const isStep = ({ type, isPreview }: (typeof lessons)[number]) => isPreview && has(type, 'codingLanguage');
  return isActive && priceCents === 0 && lessons.length > 0 && lessons.every(isStep);
}

/** Leads to the first course that is played in small steps (decision 122). */
export const FIRST_STEPS_PATH = '/steps';

/** Where a course is played in small steps: at the first that is not done, at one of them, or behind the last one. */
export function stepsPath(courseId: number, step?: number | 'end'): string {
  return `/course/${courseId}/steps${step === undefined ? '' : `?step=${step}`}`;
}

/** Spec 8; said for lessons of other people's courses too (decision 32). */
export const LESSON_NOT_FOUND = "Lesson not found or you don't have access to it.";

/** The beginning of a description as search engines show it: whole words on one line, at most 160 characters. */
export function searchSummary(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 157).replace(/\s+\S*$/, '')}…` : line;
}
