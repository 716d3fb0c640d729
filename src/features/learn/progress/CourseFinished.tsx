import { Award } from 'lucide-react';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { durationText, longDay } from '#src/shared/dates.ts';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  course: { id: number; title: string };
  lessonCount: number;
  points: number;
  /** Seconds. */
  timeSpent: number;
  certificateNumber: string | null;
}

export function CourseFinished({
  open,
  onOpenChange,
  course,
  lessonCount,
  points,
  timeSpent,
  certificateNumber,
}: Props) {
  const finished = `/learn/${course.id}/finished`;
  const facts = [
    [lessonCount === 1 ? 'lesson' : 'lessons', String(lessonCount)],
    ['points', points.toLocaleString('en-US')],
    ...(timeSpent >= 60 ? [['of study', durationText(timeSpent)]] : []),
  ];
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="You finished the course"
      description={course.title}
      footer={
        <>
          <Button variant="ghost" href="/my-courses">
            My courses
          </Button>
          <Button variant="secondary" href={`${finished}#next-heading`}>
            What to learn next
          </Button>
          <Button href={finished}>Show it to others</Button>
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-lg border border-success-line bg-success-soft p-5">
        <span className="grid size-14 shrink-0 place-items-center rounded-full bg-success text-on-accent">
          <Award aria-hidden="true" className="size-7" />
        </span>
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          {facts.map(([label, value]) => (
            <div key={label} className="flex flex-col-reverse">
              <dt className="text-sm text-ink-soft">{label}</dt>
              <dd className="text-[1.75rem] leading-tight font-semibold tracking-tight tabular-nums">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {certificateNumber && (
        <a
          href={`/certificates/${certificateNumber}`}
          className="mt-4 block rounded-lg border border-ink bg-surface p-5 shadow-md transition-shadow hover:shadow-lg"
        >
          <span className="block text-sm text-ink-soft">Certificate of completion</span>
          <span className="mt-2 block text-subheading [overflow-wrap:anywhere]">{course.title}</span>
          <span className="mt-3 block text-sm text-ink-soft tabular-nums">
            {longDay(new Date())} · <span className="whitespace-nowrap">{certificateNumber}</span>
          </span>
          <span className="mt-3 block font-semibold text-accent">See your certificate</span>
        </a>
      )}
      <p className="mt-5 text-ink-soft">
        Everything stays here whenever you want to look something up.{' '}
        <a href={`/courses/${course.id}`} className="text-link">
          Tell others what you think of it
        </a>
        .
      </p>
    </Dialog>
  );
}
