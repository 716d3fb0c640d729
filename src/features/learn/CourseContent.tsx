import { useEffect, useRef } from 'react';
import { groupBySection, type LessonType, lessonTypeLabel } from '#src/features/catalogue/catalogue.ts';
import { doneSign, lessonSigns, openSign, typeSigns } from './lesson-signs.tsx';

export interface ViewerLesson {
  id: number;
  title: string;
  section: string;
  type: LessonType;
  duration: string;
  required: boolean;
  completed: boolean;
}

interface Props {
  courseId: number;
  lessons: ViewerLesson[];
  /** The lesson that is open. */
  lessonId: number;
  done: ReadonlySet<number>;
}

/** The lessons of a course in their order and sections, each with its type, duration and state (spec 2). */
export function CourseContent({ courseId, lessons, lessonId, done }: Props) {
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Long courses: the open lesson is in view without moving the page.
    const list = current.current?.closest('aside');
    const place = current.current?.offsetTop ?? 0;
    if (list && place > list.clientHeight - 120) list.scrollTop = place - list.clientHeight / 2;
  }, []);

  return (
    <>
      {lessonSigns}
      <ol>
        {groupBySection(lessons).map(({ section, lessons: inSection }) => (
          <li key={inSection[0]!.id}>
            {section && (
              <p className="flex justify-between gap-4 px-gutter pt-5 pb-2 text-sm font-semibold text-ink-soft lg:px-6">
                <span>{section}</span>
                <span className="font-normal tabular-nums">
                  {inSection.filter(({ id }) => done.has(id)).length}/{inSection.length}
                  <span className="sr-only"> lessons done</span>
                </span>
              </p>
            )}
            <ol>
              {inSection.map((lesson) => {
                const isCurrent = lesson.id === lessonId;
                const isDone = done.has(lesson.id);
                const facts = [
                  lessonTypeLabel(lesson.type),
                  lesson.duration,
                  lesson.required ? '' : 'optional',
                ];
                return (
                  <li key={lesson.id}>
                    <a
                      ref={isCurrent ? current : undefined}
                      href={`/learn/${courseId}?lesson=${lesson.id}`}
                      aria-current={isCurrent ? 'page' : undefined}
                      className="flex min-h-12 items-start gap-3 px-gutter py-2.5 -outline-offset-2 transition-colors hover:bg-sunken aria-[current=page]:bg-accent-soft lg:px-6"
                    >
                      {isDone ? doneSign : openSign}
                      <span className="min-w-0">
                        <span
                          className={isCurrent ? 'block leading-snug font-semibold' : 'block leading-snug'}
                        >
                          {lesson.title}
                        </span>
                        <span className="mt-0.5 flex items-center gap-1.5 text-sm text-ink-soft">
                          {typeSigns[lesson.type]}
                          <span>
                            {facts.filter(Boolean).join(' · ')}
                            <span className="sr-only">{isDone ? ', completed' : ', not completed'}</span>
                          </span>
                        </span>
                      </span>
                    </a>
                  </li>
                );
              })}
            </ol>
          </li>
        ))}
      </ol>
    </>
  );
}
