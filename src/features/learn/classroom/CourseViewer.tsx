import { RulingNotice } from '#src/features/learn/progress/RulingNotice.tsx';
import { ArrowRight, Award, Check, CheckCircle2, ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import {
  type ComponentType,
  type ReactNode,
  useCallback,
  useEffect,
  useReducer,
  useRef,
  useState,
} from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { ProgressBar } from '#src/components/ProgressBar.tsx';
import { dismissToast } from '#src/components/toast.store.ts';
import { lessonType, lessonTypeLabel } from '#src/features/lessons/registry.ts';
import { CourseContent } from './CourseContent.tsx';
import { CourseFinished } from '#src/features/learn/progress/CourseFinished.tsx';
import { readCourseProgress } from '#src/features/learn/progress/CourseStanding.tsx';
import { WATCHED_PERCENT } from '#src/features/lessons/types/video/watching.ts';
import type { PlayerPartProps } from '#src/features/lessons/player-part.ts';
import type { LessonParts } from './lesson-parts.ts';
import { PLAYER_PARTS } from './player-parts.tsx';
import { finishes, newViewer, type ViewerLesson, viewerReducer } from './viewer-state.ts';
import { BesideLesson } from './BesideLesson.tsx';
import type { LessonCompletion } from '#src/features/learn/schema.ts';
import { useActivity } from '#src/features/learn/progress/use-activity.ts';
import { newAnswer, sayNotSent, sayWaits, sendOrKeep } from '#src/features/learn/offline/waiting.ts';
import { counted } from '#src/shared/counted.ts';
import { lessonAfter, lessonHref } from '#src/features/learn/progress/lesson-place.ts';
import { LESSON_KEYS, useLessonKeys } from '#src/features/learn/progress/use-lesson-keys.ts';

interface Props {
  userId: number;
  course: { id: number; title: string };
  /** Percent. */
  progress: number;
  totalPoints: number;
  /** Seconds. */
  totalTimeSpent: number;
  certificateNumber: string | null;
  newsCount: number;
  lessons: ViewerLesson[];
  lessonId: number;
  parts: LessonParts;
  /** The lesson of the address is gone. */
  isInstead: boolean;
  /** Seconds, from the address. */
  startAt: number | null;
  /** Rendered by the server. */
  children?: ReactNode;
}

/** The frame around a lesson (spec 2). */
export function CourseViewer({
  userId,
  course,
  newsCount,
  lessons: given,
  lessonId,
  parts,
  isInstead,
  startAt,
  children,
  ...known
}: Props) {
  const [state, dispatch] = useReducer(viewerReducer, { ...known, lessons: given, parts }, newViewer);
  const { done, progress, points, gained, time, watched, certificateNumber, celebrates } = state;
  const [saving, setSaving] = useState(false);
  const player = useRef<HTMLVideoElement>(null);
  const completed = useRef<HTMLParagraphElement>(null);
  const justMarked = useRef(false);
  const lessons = given.map((one) =>
    one.needs?.length && one.needs.every((id) => done.has(id)) ? { ...one, opens: undefined } : one,
  );
  const at = lessons.findIndex(({ id }) => id === lessonId);
  const lesson = lessons[at]!;
  const previous = lessons[at - 1];
  const next = lessonAfter(
    lessons,
    lesson.id,
    ({ id, opens, excused }) => !done.has(id) && !excused && !opens,
  );
  const goesBack = next !== undefined && next !== null && lessons.indexOf(next) < at;
  const following = lessons[at + 1];
  useLessonKeys();
  const isDone = done.has(lesson.id);
  const isFinished = progress >= 100;

  const report = useActivity(lesson.id, player, (heard) => dispatch({ do: 'count', counted: heard }));

  // The focused button is gone: the next one is a Tab away.
  useEffect(() => {
    if (isDone && justMarked.current) completed.current?.focus();
  }, [isDone]);

  // The browser's page cache may restore an old state; typed text stays.
  useEffect(() => {
    const restored = async (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      if (parts.exercise) return location.reload();
      const now = await readCourseProgress(course.id).catch(() => null);
      if (now) dispatch({ do: 'restore', now });
    };
    addEventListener('pageshow', restored);
    return () => removeEventListener('pageshow', restored);
  }, [parts.exercise, course.id]);

  const taken = useCallback(
    (answer: LessonCompletion) => {
      dispatch({ do: 'complete', answer });
      if (!finishes(progress, answer)) dismissToast();
    },
    [progress],
  );

  async function markComplete() {
    setSaving(true);
    dismissToast();
    try {
      // What was watched up to now counts.
      if (parts.watching) await report();
      const completion = {
        kind: 'complete',
        courseId: course.id,
        lessonId: lesson.id,
        title: lesson.title,
      } as const;
      const answer = await sendOrKeep<LessonCompletion>(userId, newAnswer(completion, userId), (error) => {
        setSaving(false);
        sayWaits(error);
      });
      justMarked.current = true;
      taken(answer);
    } catch (error) {
      sayNotSent('Not saved', error, 'The lesson could not be marked complete. Please try again.');
    } finally {
      setSaving(false);
    }
  }

  const mustWatch = parts.watching?.isRequired === true && watched !== null && watched < WATCHED_PERCENT;
  const part = PLAYER_PARTS[lesson.type];
  // Each part takes the props that its type's server part gives.
  const Part = part?.Part as ComponentType<PlayerPartProps<object>> | undefined;
  const own = Part && parts.own && (
    <Part
      own={parts.own}
      title={lesson.title}
      next={following ? { href: lessonHref(course.id, following), title: following.title } : null}
      onPassed={taken}
      {...{ userId, startAt, player }}
    />
  );
  const facts = [
    `Lesson ${at + 1} of ${lessons.length}`,
    lessonTypeLabel(lesson.type),
    lesson.duration,
    lesson.optional && 'Optional',
    lesson.points && counted(lesson.points, 'point'),
  ];

  return (
    <div className="flex-1 lg:grid lg:grid-cols-[21rem_minmax(0,1fr)] xl:grid-cols-[23rem_minmax(0,1fr)]">
      <Contents
        course={course}
        newsCount={newsCount}
        lessons={lessons}
        lessonId={lesson.id}
        done={done}
        progress={progress}
        totalPoints={points}
        certificateNumber={isFinished ? certificateNumber : null}
      />

      <article className="flex min-w-0 flex-col px-gutter lg:px-10 xl:px-16">
        <div className="mx-auto w-full max-w-[52rem] flex-1 py-8 lg:py-12">
          <p className="text-sm text-ink-soft">{facts.filter(Boolean).join('\u00a0· ')}</p>
          <h1 className="mt-2 text-[clamp(1.75rem,1.4rem+1.4vw,2.5rem)] leading-tight font-semibold tracking-tight">
            {lesson.title}
          </h1>
          {isInstead && (
            <Alert title="That lesson is not in this course any more" className="mt-6">
              Its authors may have taken it out. What you earned with it is kept, and you go on here.
            </Alert>
          )}
          {lesson.changed && (
            <Alert title="Changed since you passed it" className="mt-6">
              This is a new version of the lesson. It stays completed, and you keep what you earned.
            </Alert>
          )}
          {parts.ruling && <RulingNotice ruling={parts.ruling} className="mt-6" />}
          <div id="text-of-lesson" className="mt-7 text-[1.0625rem]">
            {part?.isAboveText && own}
            {children}
            {parts.exercise && <Exercise type={lesson.type} href={parts.exercise.href} isDone={isDone} />}
            {!part?.isAboveText && own}
          </div>
          <BesideLesson
            lessonId={lesson.id}
            courseId={course.id}
            userId={userId}
            notes={parts.notes}
            within="text-of-lesson"
            video={parts.watching ? player : null}
          />
          {isFinished && !celebrates && (
            <Alert tone="success" title="You have completed this course" className="mt-10">
              Everything stays here whenever you want to look something up.
              {certificateNumber && (
                <>
                  {' '}
                  <a href={`/certificates/${certificateNumber}`} className="text-link">
                    See your certificate
                  </a>
                  , or{' '}
                  <a href={`/learn/${course.id}/finished`} className="text-link">
                    show it to others
                  </a>
                  .
                </>
              )}
            </Alert>
          )}
        </div>

        <nav
          aria-label="Lessons"
          className="sticky bottom-0 -mx-gutter border-t border-line bg-canvas px-gutter py-3 lg:-mx-10 lg:px-10 xl:-mx-16 xl:px-16"
        >
          <div className="mx-auto flex w-full max-w-[52rem] items-center gap-3">
            <Step lesson={previous} courseId={course.id} direction="previous" />
            <div className="min-w-0 flex-1 text-center">
              {isDone ? (
                <p
                  ref={completed}
                  tabIndex={-1}
                  className="inline-flex min-h-11 animate-rise-in flex-wrap items-center justify-center gap-x-2 font-semibold text-success"
                  role="status"
                >
                  <CheckCircle2 aria-hidden="true" className="size-5" />
                  <span>Completed</span>
                  {gained > 0 && <span className="text-sm font-normal">+{counted(gained, 'point')}</span>}
                </p>
              ) : parts.completedBy ? (
                <p className="flex min-h-11 items-center justify-center text-sm leading-snug text-ink-soft">
                  {parts.completedBy}
                </p>
              ) : mustWatch ? (
                <p className="flex min-h-11 items-center justify-center text-sm leading-snug text-ink-soft tabular-nums">
                  {watched}% watched, {WATCHED_PERCENT}% needed
                </p>
              ) : (
                <Button loading={saving} onClick={markComplete} className="whitespace-nowrap max-sm:px-3">
                  {/* No room on a phone. */}
                  <Check aria-hidden="true" className="max-sm:hidden" />
                  Mark Complete
                </Button>
              )}
            </div>
            <Step lesson={next} courseId={course.id} direction="next" isBefore={goesBack} strong={isDone} />
          </div>
        </nav>
      </article>

      <CourseFinished
        open={celebrates}
        onOpenChange={(open) => dispatch({ do: 'celebrate', open })}
        course={course}
        lessonCount={lessons.length}
        points={points}
        timeSpent={time}
        certificateNumber={certificateNumber}
      />
    </div>
  );
}

function Contents({
  course,
  newsCount,
  lessons,
  lessonId,
  done,
  progress,
  totalPoints,
  certificateNumber,
}: Pick<
  Props,
  'course' | 'newsCount' | 'lessons' | 'lessonId' | 'progress' | 'totalPoints' | 'certificateNumber'
> & {
  done: ReadonlySet<number>;
}) {
  const [listOpen, setListOpen] = useState(false);
  const folded = listOpen ? '' : 'max-lg:hidden max-lg:noscript:block';
  return (
    <aside
      aria-label="Course content"
      className="border-line bg-surface max-lg:border-b lg:sticky lg:top-header lg:h-[calc(100dvh-var(--spacing-header))] lg:overflow-y-auto lg:border-r"
    >
      <div className="flex items-center lg:hidden">
        <a
          href="/my-courses"
          aria-label="My courses"
          className="grid size-12 shrink-0 place-items-center text-ink-soft -outline-offset-2"
        >
          <ChevronLeft aria-hidden="true" className="size-5" />
        </a>
        <button
          type="button"
          aria-expanded={listOpen}
          aria-controls="course-content"
          onClick={() => setListOpen(!listOpen)}
          className="flex min-h-12 min-w-0 flex-1 items-center gap-3 pr-4 font-semibold -outline-offset-2 noscript:hidden"
        >
          <span className="min-w-0 flex-1 truncate text-left">{course.title}</span>
          <span className="shrink-0 text-sm font-normal text-ink-soft tabular-nums">
            <span className="sr-only">Course content, lessons done: </span>
            {done.size} of {lessons.length}
          </span>
          <ChevronDown
            aria-hidden="true"
            className={classNames('size-5 text-ink-soft transition-transform', listOpen && 'rotate-180')}
          />
        </button>
      </div>
      <div
        role="progressbar"
        aria-label="Course progress"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={progress}
        className="h-1 bg-line lg:hidden"
      >
        <span className="block h-full bg-accent" style={{ width: `${progress}%` }} />
      </div>
      <div id="course-content" className={folded}>
        <div className="px-gutter pt-5 pb-4 lg:px-6 lg:pt-7">
          <a
            href="/my-courses"
            className="quiet-link inline-flex min-h-6 items-center gap-1 text-sm text-ink-soft hover:text-ink max-lg:hidden"
          >
            <ChevronLeft aria-hidden="true" className="size-4" />
            My courses
          </a>
          <p className="mt-2 text-subheading">
            <a href={`/courses/${course.id}`} className="quiet-link">
              {course.title}
            </a>
          </p>
          <ProgressBar value={progress} label="Course progress" className="mt-4 max-lg:hidden" />
          <p className="mt-2 text-sm text-ink-soft tabular-nums">
            {done.size} of {counted(lessons.length, 'lesson')} done
            {totalPoints > 0 && `\u00a0· ${counted(totalPoints, 'point')}`}
            {newsCount > 0 && (
              <>
                {' · '}
                <a href={`/learn/${course.id}/news`} className="text-link">
                  News ({newsCount})
                </a>
              </>
            )}
          </p>
          {certificateNumber && (
            <Button
              href={`/certificates/${certificateNumber}`}
              variant="secondary"
              size="sm"
              block
              className="mt-4"
            >
              <Award aria-hidden="true" />
              Your certificate
            </Button>
          )}
        </div>
        <div className="pb-4 lg:border-t lg:border-line lg:pb-8">
          <CourseContent courseId={course.id} lessons={lessons} lessonId={lessonId} done={done} />
        </div>
      </div>
    </aside>
  );
}

function Exercise({ type, href, isDone }: { type: ViewerLesson['type']; href: string; isDone: boolean }) {
  const { invitation, explanation, openLabel } = lessonType(type).ownScreen!;
  return (
    <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-4 card p-5 sm:p-6">
      <p className="min-w-56 flex-1">
        <span className="block font-semibold">{isDone ? 'You have passed it' : invitation}</span>
        <span className="block text-[0.9375rem] text-ink-soft">
          {explanation} {isDone ? 'You can do it again.' : 'Passing it completes this lesson.'}
        </span>
      </p>
      <Button href={href} variant={isDone ? 'secondary' : 'primary'} className="max-sm:w-full">
        {openLabel}
        <ArrowRight aria-hidden="true" />
      </Button>
    </div>
  );
}

function Step({
  lesson,
  courseId,
  direction,
  isBefore = false,
  strong = false,
}: {
  lesson: ViewerLesson | null | undefined;
  courseId: number;
  direction: 'previous' | 'next';
  isBefore?: boolean;
  strong?: boolean;
}) {
  // Keeps the middle centered.
  if (!lesson) return <span className="min-w-11 max-sm:hidden sm:min-w-32" />;
  const label = direction === 'previous' ? 'Previous' : isBefore ? 'Next to do' : 'Next';
  return (
    <Button
      href={lessonHref(courseId, lesson)}
      rel={direction === 'previous' ? 'prev' : 'next'}
      variant={strong ? 'primary' : 'secondary'}
      aria-label={`${label}: ${lesson.title}`}
      aria-keyshortcuts={LESSON_KEYS[direction].aria}
      title={LESSON_KEYS[direction].shown}
      className={direction === 'previous' ? 'max-sm:w-11 max-sm:px-0 sm:min-w-32' : 'max-sm:px-3 sm:min-w-32'}
    >
      {direction === 'previous' && <ChevronLeft aria-hidden="true" />}
      <span className={direction === 'previous' ? 'max-sm:sr-only' : 'whitespace-nowrap'}>{label}</span>
      {direction === 'next' && <ChevronRight aria-hidden="true" />}
    </Button>
  );
}
