import { Alert } from '#src/components/Alert.tsx';
import { stepsPath } from '#src/features/catalogue/catalogue.ts';
import { loginPath, withNext } from '#src/shared/paths.ts';
import type { SteppedCourse } from './steps.ts';
import { type TakenAlong, takenText } from './take-along.ts';
import { firstOpen } from './use-steps.ts';

export function KeepSteps({ courseId, step }: { courseId: number; step: number | 'end' }) {
  const back = stepsPath(courseId, step);
  return (
    <p className="text-sm text-ink-soft">
      What you do is kept in this browser alone.{' '}
      <a href={withNext('/register', back)} className="text-link">
        Create an account and keep it
      </a>{' '}
      or{' '}
      <a href={loginPath(back)} className="text-link">
        sign in
      </a>
      : your steps come along.
    </p>
  );
}

interface Props {
  course: SteppedCourse;
  at: number | null;
  done: ReadonlySet<number>;
  taken: TakenAlong | null;
}

export function TakenNotice({ course, at, done, taken }: Props) {
  const open = firstOpen(course, done);
  const isElsewhere = at !== null && done.has(course.steps[at]!.id) && open !== at + 1;
  return (
    // There before it has anything to say.
    <div role="status" className="empty:hidden">
      {taken && (
        <Alert tone={taken.left > 0 || taken.failed > 0 ? 'warning' : 'success'} className="mb-6">
          {takenText(taken)}{' '}
          {isElsewhere && (
            <a href={stepsPath(course.id, open ?? 'end')} className="text-link">
              {open === null ? 'All steps are done' : `Go on with step ${open}`}
            </a>
          )}
        </Alert>
      )}
    </div>
  );
}
