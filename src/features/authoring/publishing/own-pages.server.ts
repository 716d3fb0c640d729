import { and, eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { isLesson, isOwnCourse, learnedId } from '#src/features/lessons/working-copy.server.ts';
import { type LessonType, lessonType } from '#src/features/lessons/registry.ts';
import { parseCount } from '#src/shared/list-query.ts';
import type { LinkAnswer } from './check-links.server.ts';

// Pages whose answer depends on the visitor: the check decides by what is stored.

const FINE: LinkAnswer = { kind: 'fine' };
const broken = (why: string): LinkAnswer => ({ kind: 'broken', why });
const unsure = (why: string): LinkAnswer => ({ kind: 'unsure', why });
const ELSEWHERE =
  'leads into another course, which learners of this one need not have: say so beside the link, or bring it here';

export const isAdminPage = (path: string) => /^\/admin(\/|$)/.test(path);

interface Own {
  id: number;
  workedOn: number;
}

/** What learners of a course find at a page of this site; null where all visitors see the same. */
export async function proveOwnPage(url: URL, workedOn: number): Promise<LinkAnswer | null> {
  const [known] = await db()
    .select({ id: learnedId(workedOn) })
    .from(courses)
    .where(eq(courses.id, workedOn));
  const own: Own = { id: known?.id ?? workedOn, workedOn };
  const [, kind, number, rest = ''] = /^\/([a-z]+)\/([^/]+)((?:\/[^/]+)*)\/?$/.exec(url.pathname) ?? [];
  const id = parseCount(number);
  if (/^lessons?$/.test(kind ?? '') && !rest) return lessonPage(id, own);
  if (/^scenarios?$/.test(kind ?? '') && !rest) return scenarioPage(id, own);
  if (kind === 'learn' && ['', '/news', '/finished'].includes(rest)) {
    const wanted = rest ? null : url.searchParams.get('lesson');
    return classroom(id, wanted, own);
  }
  const isCourse = (/^courses?$/.test(kind ?? '') && ['', '/checkout'].includes(rest)) || kind === 'buy';
  return isCourse ? coursePage(id, own) : null;
}

async function findCourse(id: number | null) {
  if (id === null) return undefined;
  const [course] = await db()
    .select({ isActive: courses.isActive })
    .from(courses)
    .where(and(eq(courses.id, id), isOwnCourse));
  return course;
}

async function coursePage(id: number | null, own: Own): Promise<LinkAnswer> {
  if (id === own.id) return FINE;
  const course = await findCourse(id);
  if (!course) return broken('leads to a course that does not exist');
  return course.isActive
    ? FINE
    : unsure('leads to a course that is not in the store: only those who have it find it');
}

async function classroom(id: number | null, wanted: string | null, own: Own): Promise<LinkAnswer> {
  if (!(await findCourse(id))) return broken('leads to a course that does not exist');
  if (wanted !== null) {
    const lessonId = parseCount(wanted);
    const there = id === own.id ? own.workedOn : id!;
    if (lessonId === null || !(await isIn(lessonId, there)))
      return broken('leads to a lesson that this course does not have');
  }
  return id === own.id ? FINE : unsure(ELSEWHERE);
}

const isIn = async (lessonId: number, workedOn: number) =>
  (await db().$count(lessons, and(isLesson(lessonId), eq(lessons.courseId, workedOn)))) > 0;

const PLACE = {
  id: lessons.id,
  courseId: lessons.courseId,
  type: lessons.type,
  isPreview: lessons.isPreview,
  isActive: courses.isActive,
};

async function lessonPage(id: number | null, own: Own): Promise<LinkAnswer> {
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

async function scenarioPage(id: number | null, own: Own): Promise<LinkAnswer> {
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
  id: number;
  courseId: number;
  type: LessonType;
  isPreview: boolean;
  isActive: boolean;
}

async function placeAnswer(
  { id, courseId, type, isPreview, isActive }: Place,
  own: Own,
): Promise<LinkAnswer> {
  // Previews of other types are on the course's page.
  const isOpen = isPreview && isActive && lessonType(type).ownScreen !== null;
  if (courseId === own.id || courseId === own.workedOn) {
    return (await isIn(id, own.workedOn)) ? FINE : broken('leads to a lesson that is being removed');
  }
  return isOpen ? FINE : unsure(ELSEWHERE);
}
