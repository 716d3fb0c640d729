import type { APIContext } from 'astro';
import { eq, type SQL } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { lessons, pictures, videos } from '#db/schema/catalogue.ts';
import { assignments, courseNews } from '#db/schema/learn.ts';
import { mistakeGroups } from '#db/schema/practice.ts';
import { lessonQuestions } from '#db/schema/questions.ts';
import type { CurrentUser } from '#src/features/account/session.server.ts';
import { coursesOfStaff, isStaffOf, type StaffRole } from '#src/features/account/staff.ts';
import type { StaffAccess } from '#src/server/endpoint.ts';
import { AppError } from '#src/shared/errors.ts';
import { parseCount } from '#src/shared/list-query.ts';

interface Found {
  courseId: number;
}

const inLesson = (
  table: typeof lessonQuestions | typeof assignments | typeof mistakeGroups,
  id: number,
): Promise<Found[]> =>
  db()
    .select({ courseId: lessons.courseId })
    .from(table)
    .innerJoin(lessons, eq(lessons.id, table.lessonId))
    .where(eq(table.id, id));

const inCourse = (
  table: typeof lessons | typeof pictures | typeof courseNews,
  condition: SQL,
): Promise<Found[]> => db().select({ courseId: table.courseId }).from(table).where(condition);

const COURSE_OF = {
  course: async (id: number): Promise<Found[]> => [{ courseId: id }],
  lesson: (id: number) => inCourse(lessons, eq(lessons.id, id)),
  picture: (id: number) => inCourse(pictures, eq(pictures.id, id)),
  news: (id: number) => inCourse(courseNews, eq(courseNews.id, id)),
  question: (id: number) => inLesson(lessonQuestions, id),
  submission: (id: number) => inLesson(assignments, id),
  mistakes: (id: number) => inLesson(mistakeGroups, id),
};

/**
 * Lets in the staff of the course behind an address's `id`.
 * @param as the least role; an author is a grader too
 */
export function staffOf(what: keyof typeof COURSE_OF, as: StaffRole): StaffAccess {
  return {
    admits: async (user, params) => {
      const id = parseCount(params.id);
      if (id === null) return false;
      const [found] = await COURSE_OF[what](id);
      return found !== undefined && isStaffOf(user, found.courseId, as);
    },
  };
}

/** Authors of any course, where a call has no course yet. */
export const someAuthor: StaffAccess = {
  admits: (user) => coursesOfStaff(user, 'author')?.length !== 0,
};

export const authorOfVideo: StaffAccess = {
  admits: async (user, { id = '' }) => {
    const [video] = await db().select({ courseId: videos.courseId }).from(videos).where(eq(videos.id, id));
    return video !== undefined && isStaffOf(user, video.courseId, 'author');
  },
};

/**
 * For a course in the body of a call.
 * @throws {AppError} not_found, as for a missing course
 */
export function requireAuthor(user: CurrentUser, courseId: number): void {
  if (!isStaffOf(user, courseId, 'author')) throw new AppError('not_found', 'Course not found');
}

/** Admin pages for a course's staff, by pattern, with the least role. */
const COURSE_PAGES: Readonly<Record<string, StaffRole>> = {
  '/admin/courses/[id]/analytics': 'author',
  '/admin/courses/[id]/content': 'author',
  '/admin/courses/[id]/content/[lesson]': 'author',
  '/admin/courses/[id]/content/[lesson]/stuck': 'author',
  '/admin/courses/[id]/content/[lesson]/versions': 'author',
  '/admin/courses/[id]/export.zip': 'author',
  '/admin/courses/[id]/gradebook': 'grader',
  '/admin/courses/[id]/gradebook.csv': 'grader',
  '/admin/courses/[id]/gradebook/[user]/[lesson]': 'grader',
  '/admin/courses/[id]/news': 'author',
  '/admin/courses/[id]/news/[news].html': 'author',
  '/admin/courses/[id]/publish': 'author',
  '/admin/courses/[id]/questions': 'author',
  '/admin/courses/[id]/stuck': 'author',
};
const STAFF_LISTS: ReadonlySet<string> = new Set(['/admin/grading', '/admin/questions']);
const COURSE_REPORTS: ReadonlySet<string> = new Set(['lessons', 'questions', 'tests']);

/** @returns `hidden` where only other courses' pages of this kind are open */
export function mayOpenAdminPage(
  user: CurrentUser | null,
  { routePattern, params, url }: Pick<APIContext, 'routePattern' | 'params' | 'url'>,
): 'yes' | 'no' | 'hidden' {
  if (user?.role === 'admin') return 'yes';
  if (!user || coursesOfStaff(user)?.length === 0) return 'no';
  if (STAFF_LISTS.has(routePattern)) return 'yes';
  const isReport =
    routePattern === '/admin/analytics/[report].csv' && COURSE_REPORTS.has(params.report ?? '');
  const as = isReport ? 'author' : COURSE_PAGES[routePattern];
  if (!as) return 'no';
  const courseId = parseCount(isReport ? url.searchParams.get('course') : params.id);
  return courseId !== null && isStaffOf(user, courseId, as) ? 'yes' : 'hidden';
}
