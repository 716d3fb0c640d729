import { Alert } from '#src/components/Alert.tsx';
import { stepsPath } from '#src/features/catalogue/catalogue.ts';
import { loginPath, withNext } from '#src/shared/paths.ts';
import { type TakenAlong, takenText } from './take-along.ts';

interface Props {
  courseId: number;
  userId: number | null;
  taken: TakenAlong | null;
}

/** Where the steps are kept: for visitors in this browser, with the way to an account; else what was taken along. */
export function KeepSteps({ courseId, userId, taken }: Props) {
  if (userId !== null) {
    return taken ? (
      <Alert live tone={taken.left > 0 || taken.failed > 0 ? 'warning' : 'success'} className="mt-5">
        {takenText(taken)}
      </Alert>
    ) : null;
  }
  const back = stepsPath(courseId);
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
