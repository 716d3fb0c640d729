import { CheckCircle2, Circle } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LessonType } from '#src/features/catalogue/catalogue.ts';
import { LESSON_TYPE_ICONS } from './LessonTypeIcon.tsx';

const symbols = Object.entries({ ...LESSON_TYPE_ICONS, done: CheckCircle2, open: Circle }).map(
  ([name, Icon]) => (
    <symbol key={name} id={`lesson-${name}`} viewBox="0 0 24 24">
      <Icon />
    </symbol>
  ),
);

/** The signs of a list of lessons, once: the rows of a long list refer to them. */
export const lessonSigns: ReactNode = (
  <svg aria-hidden="true" className="absolute size-0">
    {symbols}
  </svg>
);

function sign(name: string, className: string): ReactNode {
  return (
    <svg aria-hidden="true" className={className}>
      <use href={`#lesson-${name}`} />
    </svg>
  );
}

/** The sign of a lesson's type; refers to `lessonSigns`. */
export const typeSigns = Object.fromEntries(
  Object.keys(LESSON_TYPE_ICONS).map((type) => [type, sign(type, 'size-3.5 shrink-0')]),
) as Record<LessonType, ReactNode>;

/** The signs of a lesson that is done and of one that is not; refer to `lessonSigns`. */
export const doneSign = sign('done', 'mt-0.5 size-5 shrink-0 text-success');
export const openSign = sign('open', 'mt-0.5 size-5 shrink-0 text-line-strong');
