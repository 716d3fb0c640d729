import { courseTitles } from '#src/features/authoring/courses/courses.server.ts';
import { parseCount } from '#src/shared/list-query.ts';
import { salesOverTime } from './analytics.server.ts';
import { stepsBetween } from './charts.ts';
import { parseDayRange } from './course-analytics.ts';
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
 * What the page of the analytics shows.
 *
 * @param params of its address: the days, and the course that is looked at
 * @returns `course`: null where there is no such course
 */
export async function readAnalytics(params: URLSearchParams) {
  const range = parseDayRange(params);
  const courseId = parseCount(params.get('course')) ?? (await firstCourse());
  const steps = stepsBetween(range);
  const [figures, sales, titles, title] = await Promise.all([
    courseFigures(range),
    salesOverTime(steps),
    courseTitles(),
    courseId === null ? null : courseTitle(courseId),
  ]);
  const found = { range, courseId, figures, sales, unit: steps.unit, titles };
  if (courseId === null || title === null) return { ...found, course: null };
  const [enrolled, lessons, tests, questions] = await Promise.all([
    enrolledIn(courseId, range),
    lessonFigures(courseId, range),
    testFigures(courseId, range),
    questionFigures(courseId, range),
  ]);
  return { ...found, course: { title, enrolled, lessons, tests, questions } };
}
