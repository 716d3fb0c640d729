import { useEffect, useState } from 'react';
import { laterPart } from '#src/components/later-part.tsx';
import { call } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { type CourseProgress, getProgressCall } from '#src/features/learn/schema.ts';

// Most completions finish no course.
const CourseFinished = laterPart(async () => (await import('./CourseFinished.tsx')).CourseFinished);

/** Null without the course. */
export async function readCourseProgress(courseId: number): Promise<CourseProgress | null> {
  return (await call(getProgressCall, {})).find((course) => course.courseId === courseId) ?? null;
}

/**
 * Points and progress, read again after each change of `after`; announces a finished course.
 * @param before percent when the page was opened
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
    // On failure no figure is better than an old one.
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
