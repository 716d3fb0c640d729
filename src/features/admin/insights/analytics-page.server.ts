import { courseTitles } from '#src/features/authoring/courses/courses.server.ts';
import { parseCount } from '#src/shared/list-query.ts';
import { salesOverTime } from './analytics.server.ts';
import { stepsBetween } from './charts.ts';
import { type DayRange, parseDayRange } from './course-analytics.ts';
import {
  courseFigures,
  courseTitle,
  enrolledIn,
  firstCourse,
  lessonFigures,
  questionFigures,
  testFigures,
} from './course-analytics.server.ts';

/**
 * @param params days and course
 * @returns `course`: null for an unknown one
 */
export async function readAnalytics(params: URLSearchParams) {
  const range = parseDayRange(params);
  const courseId = parseCount(params.get('course')) ?? (await firstCourse());
  const steps = stepsBetween(range);
  const [figures, sales, titles, course] = await Promise.all([
    courseFigures(range),
    salesOverTime(steps),
    courseTitles(),
    lessonsOfCourse(courseId, range),
  ]);
  return { range, courseId, figures, sales, unit: steps.unit, titles, course };
}

/** `course`: null for an unknown one. */
export async function readCourseAnalytics(courseId: number | null, params: URLSearchParams) {
  const range = parseDayRange(params);
  return { range, course: await lessonsOfCourse(courseId, range) };
}

async function lessonsOfCourse(courseId: number | null, range: DayRange) {
  const title = courseId === null ? null : await courseTitle(courseId);
  if (courseId === null || title === null) return null;
  const [enrolled, lessons, tests, questions] = await Promise.all([
    enrolledIn(courseId, range),
    lessonFigures(courseId, range),
    testFigures(courseId, range),
    questionFigures(courseId, range),
  ]);
  return { title, enrolled, lessons, tests, questions };
}
