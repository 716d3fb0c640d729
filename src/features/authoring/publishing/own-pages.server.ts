import { and, eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { type LessonType, lessonType } from '#src/features/lessons/registry.ts';
import { parseCount } from '#src/shared/list-query.ts';
import type { LinkAnswer } from './check-links.server.ts';

// Pages of this site whose answer depends on who asks: the check knows who will, and decides by what is stored.

const FINE: LinkAnswer = { kind: 'fine' };
const broken = (why: string): LinkAnswer => ({ kind: 'broken', why });
const unsure = (why: string): LinkAnswer => ({ kind: 'unsure', why });
const ELSEWHERE =
  'leads into another course, which learners of this one need not have: say so beside the link, or bring it here';

/** Whether a page is for those who run the site alone. */
export const isAdminPage = (path: string) => /^\/admin(\/|$)/.test(path);

/** What learners of a course find at a page of this site; null for a page that shows everybody the same. */
export async function proveOwnPage(url: URL, courseId: number): Promise<LinkAnswer | null> {
  const [, kind, number, rest = ''] = /^\/([a-z]+)\/([^/]+)((?:\/[^/]+)*)\/?$/.exec(url.pathname) ?? [];
  const id = parseCount(number);
  if (/^lessons?$/.test(kind ?? '') && !rest) return lessonPage(id, courseId);
  if (/^scenarios?$/.test(kind ?? '') && !rest) return scenarioPage(id, courseId);
  if (kind === 'learn' && ['', '/news', '/finished'].includes(rest)) {
    const wanted = rest ? null : url.searchParams.get('lesson');
    return classroom(id, wanted, courseId);
  }
  const isCourse = (/^courses?$/.test(kind ?? '') && ['', '/checkout'].includes(rest)) || kind === 'buy';
  return isCourse ? coursePage(id, courseId) : null;
}

async function findCourse(id: number | null) {
  const columns = { isActive: courses.isActive };
  return id === null ? undefined : (await db().select(columns).from(courses).where(eq(courses.id, id)))[0];
}

async function coursePage(id: number | null, own: number): Promise<LinkAnswer> {
  if (id === own) return FINE;
  const course = await findCourse(id);
  if (!course) return broken('leads to a course that does not exist');
  return course.isActive
    ? FINE
    : unsure('leads to a course that is not in the store: only those who have it find it');
}

async function classroom(id: number | null, wanted: string | null, own: number): Promise<LinkAnswer> {
  if (!(await findCourse(id))) return broken('leads to a course that does not exist');
  if (wanted !== null) {
    const lessonId = parseCount(wanted);
    const isOfCourse =
      lessonId !== null &&
      (await db().$count(lessons, and(eq(lessons.id, lessonId), eq(lessons.courseId, id!)))) > 0;
    if (!isOfCourse) return broken('leads to a lesson that this course does not have');
  }
  return id === own ? FINE : unsure(ELSEWHERE);
}

const PLACE = {
  courseId: lessons.courseId,
  type: lessons.type,
  isPreview: lessons.isPreview,
  isActive: courses.isActive,
};

async function lessonPage(id: number | null, own: number): Promise<LinkAnswer> {
  const [found] =
    id === null
      ? []
      : await db()
          .select(PLACE)
          .from(lessons)
          .innerJoin(courses, eq(courses.id, lessons.courseId))
          .where(eq(lessons.id, id));
  return found ? placeAnswer(found, own) : broken('leads to a lesson that does not exist');
}

async function scenarioPage(id: number | null, own: number): Promise<LinkAnswer> {
  const [found] =
    id === null
      ? []
      : await db()
          .select(PLACE)
          .from(scenarios)
          .innerJoin(lessons, eq(lessons.id, scenarios.lessonId))
          .innerJoin(courses, eq(courses.id, lessons.courseId))
          .where(eq(scenarios.id, id));
  return found ? placeAnswer(found, own) : broken('leads to a scenario that does not exist');
}

interface Place {
  courseId: number;
  type: LessonType;
  isPreview: boolean;
  isActive: boolean;
}

function placeAnswer({ courseId, type, isPreview, isActive }: Place, own: number): LinkAnswer {
  // Previews of other types are read on the page of their course.
  const isOpen = isPreview && isActive && lessonType(type).ownScreen !== null;
  return courseId === own || isOpen ? FINE : unsure(ELSEWHERE);
}
