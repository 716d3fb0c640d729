import { Button } from '#src/components/Button.tsx';
import { stepsPath } from '#src/features/catalogue/catalogue.ts';
import { counted } from '#src/shared/counted.ts';
import { withNext } from '#src/shared/paths.ts';
import { KeepSteps, TakenNotice } from './KeepSteps.tsx';
import { StepList } from './StepList.tsx';
import type { SteppedCourse } from './steps.ts';
import { firstOpen, useSteps } from './use-steps.ts';

interface Props {
  course: SteppedCourse;
  userId: number | null;
  next: { id: number; title: string } | null;
}

export function StepsEnd({ course, userId, next }: Props) {
  const { done, isRead, taken } = useSteps(course, userId);
  const { id, title, steps } = course;
  const open = firstOpen(course, done);
  const heading =
    open === null
      ? `You have done all ${counted(steps.length, 'step')}`
      : isRead
        ? `${done.size} of ${counted(steps.length, 'step')} done`
        : 'That was the last step';
  return (
    <div className="mx-auto max-w-prose">
      {userId !== null && <TakenNotice course={course} at={null} done={done} taken={taken} />}
      <p className="text-sm text-ink-soft">{title}</p>
      <h1 id="step" className="mt-2 scroll-mt-24 text-title">
        {heading}
      </h1>
      {open === null && (
        <p className="mt-4 text-lead text-ink-soft">
          You write small programs by yourself now.
          {userId === null && ' With an account, your certificate waits for you.'}
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {isRead && open !== null && <Button href={stepsPath(id, open)}>Go on with step {open}</Button>}
        {open === null && (
          <Button
            href={userId === null ? withNext('/register', stepsPath(id, 'end')) : `/learn/${id}/finished`}
          >
            {userId === null ? 'Create an account' : 'Your certificate'}
          </Button>
        )}
        {next && (
          <Button href={`/courses/${next.id}`} variant="secondary">
            See {next.title}
          </Button>
        )}
        {userId !== null && open !== null && (
          <Button href={`/learn/${id}?view=course`} variant="secondary">
            Your course
          </Button>
        )}
      </div>
      {userId === null && (
        <div className="mt-6">
          <KeepSteps courseId={id} step="end" />
        </div>
      )}
      <div className="mt-8">
        <StepList course={course} at={null} done={done} />
      </div>
    </div>
  );
}
