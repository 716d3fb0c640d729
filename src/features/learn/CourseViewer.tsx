import { Check, CheckCircle2, ChevronDown, ChevronLeft, ChevronRight, Circle } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { ProgressBar } from '#src/components/ProgressBar.tsx';
import { toast } from '#src/components/toast.store.ts';
import { groupBySection, type LessonType, lessonTypeLabel } from '#src/features/catalogue/catalogue.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { isPassedNotMarked } from './learn.ts';
import { completeLessonCall } from './schema.ts';

export interface ViewerLesson {
  id: number;
  title: string;
  section: string;
  type: LessonType;
  duration: string;
  completed: boolean;
}

interface Props {
  course: { id: number; title: string };
  /** Percent. */
  progress: number;
  lessons: ViewerLesson[];
  /** The lesson that is open. */
  lessonId: number;
  /** The lesson's body, rendered by the server. */
  children?: ReactNode;
}

/** The frame around a lesson: what the course holds, how far one is, Mark Complete, next and previous (spec 2). */
export function CourseViewer({ course, progress: initialProgress, lessons, lessonId, children }: Props) {
  const [done, setDone] = useState(
    () => new Set(lessons.flatMap(({ id, completed }) => (completed ? [id] : []))),
  );
  const [progress, setProgress] = useState(initialProgress);
  const [saving, setSaving] = useState(false);
  const completed = useRef<HTMLParagraphElement>(null);
  const justCompleted = useRef(false);
  const at = lessons.findIndex(({ id }) => id === lessonId);
  const lesson = lessons[at]!;
  const previous = lessons[at - 1];
  const next = lessons[at + 1];
  const isDone = done.has(lesson.id);
  const isFinished = progress >= 100;

  // The button that had the focus is gone; the next one is a Tab away from here.
  useEffect(() => {
    if (isDone && justCompleted.current) completed.current?.focus();
  }, [isDone]);

  async function markComplete() {
    setSaving(true);
    try {
      const answer = await call(completeLessonCall, { params: { id: course.id, lessonId: lesson.id } });
      justCompleted.current = true;
      setDone((before) => new Set(before).add(lesson.id));
      setProgress(answer.progress);
      const points = answer.pointsAwarded > 0 ? `+${answer.pointsAwarded} points. ` : '';
      const finished = answer.progress >= 100 && progress < 100;
      toast({
        title: finished ? 'Course complete' : 'Lesson complete',
        description: `${points}${finished ? `You finished ${course.title}.` : `${answer.progress}% of the course done.`}`,
      });
    } catch (error) {
      const signedOut = error instanceof ApiError && error.status === 401;
      toast({
        title: 'Not saved',
        description: messageOf(error, 'The lesson could not be marked complete. Please try again.'),
        variant: 'destructive',
        ...(signedOut && {
          action: {
            label: 'Sign in',
            href: `/login?next=${encodeURIComponent(location.pathname + location.search)}`,
          },
        }),
      });
    } finally {
      setSaving(false);
    }
  }

  const outline = <Outline course={course} lessons={lessons} lessonId={lesson.id} done={done} />;
  const count = `${done.size} of ${lessons.length} lessons done`;

  return (
    <div className="flex-1 lg:grid lg:grid-cols-[21rem_minmax(0,1fr)] xl:grid-cols-[23rem_minmax(0,1fr)]">
      <aside
        aria-label="Course content"
        className="border-line bg-surface max-lg:border-b lg:sticky lg:top-header lg:h-[calc(100dvh-var(--spacing-header))] lg:overflow-y-auto lg:border-r"
      >
        <div className="px-gutter pt-5 pb-4 lg:px-6 lg:pt-7">
          <a
            href="/my-courses"
            className="quiet-link inline-flex min-h-6 items-center gap-1 text-sm text-ink-soft hover:text-ink"
          >
            <ChevronLeft aria-hidden="true" className="size-4" />
            My courses
          </a>
          <p className="mt-2 text-subheading">
            <a href={`/courses/${course.id}`} className="quiet-link">
              {course.title}
            </a>
          </p>
          <ProgressBar value={progress} label="Course progress" className="mt-4" />
          <p className="mt-2 text-sm text-ink-soft tabular-nums">{count}</p>
        </div>
        <details className="group border-t border-line lg:hidden">
          <summary className="flex min-h-12 list-none items-center justify-between gap-3 px-gutter font-semibold -outline-offset-2 [&::-webkit-details-marker]:hidden">
            Course content
            <ChevronDown
              aria-hidden="true"
              className="size-5 text-ink-soft transition-transform group-open:rotate-180"
            />
          </summary>
          <div className="pb-4">{outline}</div>
        </details>
        <div className="border-t border-line pb-8 max-lg:hidden">{outline}</div>
      </aside>

      <article className="flex min-w-0 flex-col px-gutter lg:px-10 xl:px-16">
        <div className="mx-auto w-full max-w-[52rem] flex-1 py-8 lg:py-12">
          <p className="text-sm text-ink-soft">
            Lesson {at + 1} of {lessons.length}
            {' · '}
            {[lessonTypeLabel(lesson.type), lesson.duration].filter(Boolean).join(' · ')}
          </p>
          <h1 className="mt-2 text-[clamp(1.75rem,1.4rem+1.4vw,2.5rem)] leading-[1.12] font-semibold tracking-[-0.025em]">
            {lesson.title}
          </h1>
          <div className="mt-7 text-[1.0625rem]">{children}</div>
          {isFinished && (
            <Alert tone="success" title="You have completed this course" className="mt-10" live>
              Everything stays here whenever you want to look something up.
            </Alert>
          )}
        </div>

        <nav
          aria-label="Lessons"
          className="sticky bottom-0 -mx-gutter border-t border-line bg-canvas px-gutter py-3 lg:-mx-10 lg:px-10 xl:-mx-16 xl:px-16"
        >
          <div className="mx-auto flex w-full max-w-[52rem] items-center gap-3">
            <Step lesson={previous} courseId={course.id} direction="previous" />
            <div className="flex-1 text-center">
              {isDone ? (
                <p
                  ref={completed}
                  tabIndex={-1}
                  className="inline-flex min-h-11 items-center gap-2 font-semibold text-success"
                  role="status"
                >
                  <CheckCircle2 aria-hidden="true" className="size-5" />
                  Completed
                </p>
              ) : isPassedNotMarked(lesson.type) ? (
                <p className="text-sm text-ink-soft">Completed by passing it</p>
              ) : (
                <Button loading={saving} onClick={markComplete}>
                  <Check aria-hidden="true" />
                  Mark Complete
                </Button>
              )}
            </div>
            <Step lesson={next} courseId={course.id} direction="next" strong={isDone} />
          </div>
        </nav>
      </article>
    </div>
  );
}

function Outline({
  course,
  lessons,
  lessonId,
  done,
}: {
  course: { id: number };
  lessons: ViewerLesson[];
  lessonId: number;
  done: ReadonlySet<number>;
}) {
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Long courses: the open lesson is in view without moving the page.
    const list = current.current?.closest('aside');
    const place = current.current?.offsetTop ?? 0;
    if (list && place > list.clientHeight - 120) list.scrollTop = place - list.clientHeight / 2;
  }, []);

  return (
    <ol>
      {groupBySection(lessons).map(({ section, lessons: inSection }) => (
        <li key={inSection[0]!.id}>
          {section && (
            <p className="px-gutter pt-5 pb-2 text-sm font-semibold text-ink-soft lg:px-6">{section}</p>
          )}
          <ol>
            {inSection.map((lesson) => {
              const isCurrent = lesson.id === lessonId;
              const isDone = done.has(lesson.id);
              return (
                <li key={lesson.id}>
                  <a
                    ref={isCurrent ? current : undefined}
                    href={`/learn/${course.id}?lesson=${lesson.id}`}
                    aria-current={isCurrent ? 'page' : undefined}
                    className="flex min-h-12 items-start gap-3 px-gutter py-2.5 -outline-offset-2 transition-colors hover:bg-sunken aria-[current=page]:bg-accent-soft lg:px-6"
                  >
                    {isDone ? (
                      <CheckCircle2 aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
                    ) : (
                      <Circle aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-line-strong" />
                    )}
                    <span className="min-w-0">
                      <span className={isCurrent ? 'block leading-snug font-semibold' : 'block leading-snug'}>
                        {lesson.title}
                      </span>
                      <span className="mt-0.5 block text-sm text-ink-soft">
                        {[lessonTypeLabel(lesson.type), lesson.duration].filter(Boolean).join(' · ')}
                        <span className="sr-only">{isDone ? ', completed' : ', not completed'}</span>
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
  );
}

function Step({
  lesson,
  courseId,
  direction,
  strong = false,
}: {
  lesson: ViewerLesson | undefined;
  courseId: number;
  direction: 'previous' | 'next';
  strong?: boolean;
}) {
  // An empty place keeps the middle in the middle.
  if (!lesson) return <span className="min-w-11 sm:min-w-32" />;
  const label = direction === 'previous' ? 'Previous' : 'Next';
  return (
    <Button
      href={`/learn/${courseId}?lesson=${lesson.id}`}
      rel={direction === 'previous' ? 'prev' : 'next'}
      variant={strong ? 'primary' : 'secondary'}
      aria-label={`${label}: ${lesson.title}`}
      className="max-sm:w-11 max-sm:px-0 sm:min-w-32"
    >
      {direction === 'previous' && <ChevronLeft aria-hidden="true" />}
      <span className="max-sm:sr-only">{label}</span>
      {direction === 'next' && <ChevronRight aria-hidden="true" />}
    </Button>
  );
}
