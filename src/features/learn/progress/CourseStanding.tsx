import { useEffect, useState } from 'react';
import { laterPart } from '#src/components/later-part.tsx';
import { call } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { type CourseProgress, getProgressCall } from '#src/features/learn/schema.ts';

// Most passes finish no course.
const CourseFinished = laterPart(async () => (await import('./CourseFinished.tsx')).CourseFinished);

/** The learner's progress in a course as the server has it now; null without the course. */
export async function readCourseProgress(courseId: number): Promise<CourseProgress | null> {
  return (await call(getProgressCall, {})).find((course) => course.courseId === courseId) ?? null;
}

/**
 * Points and progress of a course, read anew whenever something was done for them. Where that finished the course, it is
 * said as it is in the course itself.
 *
 * @param before percent of the course when the page was opened
 * @param after what was done: another one reads again
 */
export function CourseStanding({
  course,
  lessonCount,
  before,
  after,
  className,
}: {
  course: { id: number; title: string };
  lessonCount: number;
  before: number;
  after: unknown;
  className?: string;
}) {
  const [standing, setStanding] = useState<CourseProgress | null>(null);
  const [isClosed, setIsClosed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was done is what makes the old figures old
  useEffect(() => {
    let isOld = false;
    // Without an answer nothing is said: what was done is told already, and no figure is better than an old one.
    readCourseProgress(course.id)
      .catch(() => null)
      .then((now) => !isOld && setStanding(now));
    return () => {
      isOld = true;
    };
  }, [course.id, after]);
  const isFinished = standing !== null && standing.progress >= 100;
  return (
    <div className={className}>
      <p role="status">
        {standing &&
          `${standing.progress}% of the course is done. You have ${counted(standing.totalPoints, 'point')} in it.`}
        {isFinished && (
          <>
            {' '}
            <a href={`/learn/${course.id}/finished`} className="font-semibold underline underline-offset-2">
              You finished the course: see what you earned
            </a>
          </>
        )}
      </p>
      {isFinished && before < 100 && (
        <CourseFinished
          open={!isClosed}
          onOpenChange={(open) => setIsClosed(!open)}
          course={course}
          lessonCount={lessonCount}
          points={standing.totalPoints}
          timeSpent={standing.lessons.reduce((sum, { timeSpent }) => sum + timeSpent, 0)}
          certificateNumber={standing.certificateNumber}
        />
      )}
    </div>
  );
}
