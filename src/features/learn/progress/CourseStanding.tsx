import { useEffect, useState } from 'react';
import { call } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { type CourseProgress, getProgressCall } from '#src/features/learn/schema.ts';

/** The learner's progress in a course as the server has it now; null without the course. */
export async function readCourseProgress(courseId: number): Promise<CourseProgress | null> {
  return (await call(getProgressCall, {})).find((course) => course.courseId === courseId) ?? null;
}

/**
 * Points and progress of a course, read anew whenever something was done for them.
 *
 * @param after what was done: another one reads again
 */
export function CourseStanding({
  courseId,
  after,
  className,
}: {
  courseId: number;
  after: unknown;
  className?: string;
}) {
  const [standing, setStanding] = useState<CourseProgress | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was done is what makes the old figures old
  useEffect(() => {
    let isOld = false;
    // Without an answer nothing is said: what was done is told already, and no figure is better than an old one.
    readCourseProgress(courseId)
      .catch(() => null)
      .then((now) => !isOld && setStanding(now));
    return () => {
      isOld = true;
    };
  }, [courseId, after]);
  return (
    <p role="status" className={className}>
      {standing &&
        `${standing.progress}% of the course is done. You have ${counted(standing.totalPoints, 'point')} in it.`}
      {standing && standing.progress >= 100 && (
        <>
          {' '}
          <a href={`/learn/${courseId}/finished`} className="font-semibold underline underline-offset-2">
            You finished the course: see what you earned
          </a>
        </>
      )}
    </p>
  );
}
