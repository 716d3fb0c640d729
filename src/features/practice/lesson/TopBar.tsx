import { ChevronLeft, CircleCheck, Timer } from 'lucide-react';
import { Badge } from '#src/components/Badge.tsx';
import { levelLabel } from '#src/features/catalogue/catalogue.ts';
import { NeighborLinks } from '#src/features/learn/progress/NeighborLinks.tsx';
import { courseViewHref } from '#src/features/learn/progress/lesson-place.ts';
import { counted } from '#src/shared/counted.ts';
import { loginPath } from '#src/shared/paths.ts';
import { languageLabel } from '#src/features/lessons/types/coding/languages.ts';
import { ATTEMPTS_SHOWN, timerText } from '../practice.ts';
import type { Panel } from './coding-lesson.ts';
import type { OpenedLesson } from './opened-lesson.ts';

export function TopBar({
  lesson,
  course,
  position,
  lessonCount,
  previous,
  next,
  enrolled,
  userId,
  attempts,
  completed,
  seconds,
  panel,
}: OpenedLesson & { attempts: number; completed: boolean; seconds: number; panel: Panel }) {
  const isTask = panel === 'task';
  // The other parts of a small screen have one line of it.
  const besides = isTask ? '' : 'max-lg:sr-only';
  return (
    <div
      className={`border-b border-line bg-surface px-gutter lg:px-8 lg:py-3 ${isTask || userId === null ? 'py-3' : ''}`}
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className={`min-w-0 flex-1 basis-72 ${besides}`}>
          <a
            href={enrolled ? courseViewHref(course.id, lesson.id) : `/courses/${course.id}`}
            className="quiet-link inline-flex min-h-6 max-w-full items-center gap-1 text-sm text-ink-soft hover:text-ink"
          >
            <ChevronLeft aria-hidden="true" className="size-4 shrink-0" />
            <span className="truncate">{course.title}</span>
          </a>
          <h1 className="text-subheading font-semibold">{lesson.title}</h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-soft">
            <span>
              Lesson {position} of {lessonCount}
            </span>
            <Badge>{languageLabel(lesson.codingLanguage)}</Badge>
            <Badge>{levelLabel(lesson.difficulty)}</Badge>
            <span>{counted(lesson.points, 'point')}</span>
            {completed && (
              <span className="inline-flex items-center gap-1 font-semibold text-success">
                <CircleCheck aria-hidden="true" className="size-4" />
                Completed
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <Attempts count={attempts} />
          <p
            className="flex items-center gap-1.5 text-sm tabular-nums"
            role="timer"
            aria-label="Time in this session"
          >
            <Timer aria-hidden="true" className="size-4 text-ink-soft" />
            {timerText(seconds)}
          </p>
          <div className={isTask ? '' : 'max-lg:hidden'}>
            <NeighborLinks previous={previous} next={next} />
          </div>
        </div>
      </div>
      {userId === null && (
        <p
          className={`mt-3 rounded-md border border-info-line bg-info-soft px-3 py-2 text-sm ${panel === 'code' ? 'max-lg:hidden' : ''}`}
        >
          You are looking at a preview lesson. Run your code as you like: it stays on this device, and nothing
          is counted.{' '}
          <a href={loginPath(`/lesson/${lesson.id}`)} className="text-link font-semibold">
            Sign in
          </a>{' '}
          to keep your attempts.
        </p>
      )}
    </div>
  );
}

function Attempts({ count }: { count: number }) {
  const filled = Math.min(count, ATTEMPTS_SHOWN);
  return (
    <div className="flex items-center gap-2">
      {/* The bar says both. */}
      <p aria-hidden="true" className="flex gap-2 text-sm">
        <span id="attempts-label" className="text-ink-soft">
          Attempts
        </span>
        <span className="font-semibold tabular-nums">{count}</span>
      </p>
      <div
        role="progressbar"
        aria-labelledby="attempts-label"
        aria-valuemin={0}
        aria-valuemax={ATTEMPTS_SHOWN}
        aria-valuenow={filled}
        aria-valuetext={counted(count, 'attempt')}
        className="h-1.5 w-20 overflow-hidden rounded-full bg-line"
      >
        <span
          className="block h-full rounded-full bg-accent transition-[width]"
          style={{ width: `${(100 * filled) / ATTEMPTS_SHOWN}%` }}
        />
      </div>
    </div>
  );
}
