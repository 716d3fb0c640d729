import { useEffect, useRef } from 'react';
import { type IconName, icon } from '#src/components/Icon.tsx';
import { groupBySection } from '#src/features/catalogue/catalogue.ts';
import { lessonHref } from '#src/features/learn/progress/lesson-place.ts';
import { LESSON_ICONS } from '#src/features/lessons/lesson-icons.ts';
import { lessonTypeLabel } from '#src/features/lessons/registry.ts';
import { shownDate } from '#src/shared/dates.ts';
import type { ViewerLesson } from './viewer-state.ts';

interface Props {
  courseId: number;
  lessons: readonly ViewerLesson[];
  lessonId: number;
  done: ReadonlySet<number>;
}

export function CourseContent({ courseId, lessons, lessonId, done }: Props) {
  const rows = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // Shows the open lesson without moving the page.
    const current = rows.current?.querySelector<HTMLElement>('[aria-current]');
    const frame = current?.closest('aside');
    const place = current?.offsetTop ?? 0;
    if (frame && place > frame.clientHeight - 120) frame.scrollTop = place - frame.clientHeight / 2;
  }, []);

  return (
    <ol ref={rows}>
      {groupBySection(lessons).map(({ section, lessons: inSection }) => (
        <li key={inSection[0]?.id}>
          {section && (
            <p className="flex justify-between gap-4 px-gutter pt-5 pb-2 text-sm font-semibold text-ink-soft lg:px-6">
              <span>{section}</span>
              <span className="font-normal tabular-nums">
                {`${inSection.filter(({ id }) => done.has(id)).length}/${inSection.length}`}
                <span className="sr-only"> lessons done</span>
              </span>
            </p>
          )}
          <ol>
            {inSection.map((lesson) => (
              <Row
                key={lesson.id}
                courseId={courseId}
                lesson={lesson}
                isCurrent={lesson.id === lessonId}
                isDone={done.has(lesson.id)}
              />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

interface RowProps {
  courseId: number;
  lesson: ViewerLesson;
  isCurrent: boolean;
  isDone: boolean;
}

/** Type, duration and state (spec 2). */
function Row({ courseId, lesson, isCurrent, isDone }: RowProps) {
  const { id, title, type, duration, optional, excused, opens, dueAt, changed } = lesson;
  // The viewer shows the notice of the change first.
  const href = changed ? `/learn/${courseId}?lesson=${id}` : lessonHref(courseId, lesson);
  const facts = [
    lessonTypeLabel(type),
    duration,
    optional && 'optional',
    excused && !isDone && 'excused',
    opens,
    dueAt && !isDone && `due ${shownDate(dueAt)}`,
    changed && 'Changed since you passed it',
  ];
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'page' : undefined} className="lesson-row">
        <Sign
          name={isDone ? 'circle-check' : 'circle'}
          className={isDone ? 'text-success' : 'text-line-strong'}
        />
        <span className="min-w-0">
          <b>{title}</b>
          <span>
            <Sign name={LESSON_ICONS[type]} />
            <span>
              {facts.filter(Boolean).join('\u00a0· ')}
              <span className="sr-only">{isDone ? ', completed' : ', not completed'}</span>
            </span>
          </span>
        </span>
      </a>
    </li>
  );
}

function Sign({ name, className = '' }: { name: IconName; className?: string }) {
  return (
    <svg aria-hidden="true" className={`icon ${className}`}>
      <use href={icon(name)} />
    </svg>
  );
}
