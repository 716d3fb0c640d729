import { CircleCheck, Circle } from 'lucide-react';
import { stepsPath } from '#src/features/catalogue/catalogue.ts';
import type { SteppedCourse } from './steps.ts';

interface Props {
  course: SteppedCourse;
  at: number | null;
  done: ReadonlySet<number>;
}

export function StepList({ course, at, done }: Props) {
  const { id: courseId, steps } = course;
  return (
    <details className="rounded-md border border-line bg-surface">
      <summary className="min-h-11 px-4 py-2.5 font-semibold -outline-offset-2">All steps</summary>
      <ol className="border-t border-line px-2 py-2">
        {steps.map(({ id, title, section }, index) => (
          <li key={id}>
            {section !== '' && section !== steps[index - 1]?.section && (
              <p className="px-2 pt-3 pb-1 text-sm text-ink-soft">{section}</p>
            )}
            <a
              href={stepsPath(courseId, index + 1)}
              aria-current={index === at ? 'step' : undefined}
              className={`flex min-h-11 items-center gap-3 rounded-md px-2 -outline-offset-2 hover:bg-sunken ${index === at ? 'bg-sunken font-semibold' : ''}`}
            >
              {done.has(id) ? (
                <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />
              ) : (
                <Circle aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
              )}
              <span className="min-w-0 break-words">
                {index + 1}. {title}
                {done.has(id) && <span className="sr-only"> (done)</span>}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </details>
  );
}
