import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '#src/components/Button.tsx';
import type { LessonPlace, NeighborLesson } from './lesson-place.ts';
import { LESSON_KEYS, useLessonKeys } from './use-lesson-keys.ts';

export function NeighborLinks({ previous, next }: Pick<LessonPlace, 'previous' | 'next'>) {
  useLessonKeys();
  if (!previous && !next) return null;
  return (
    <div className="flex gap-2">
      {previous && <Neighbor lesson={previous} direction="previous" />}
      {next && <Neighbor lesson={next} direction="next" />}
    </div>
  );
}

function Neighbor({ lesson, direction }: { lesson: NeighborLesson; direction: 'previous' | 'next' }) {
  const isNext = direction === 'next';
  const label = isNext ? (lesson.isBefore ? 'Next to do' : 'Next lesson') : 'Previous lesson';
  return (
    <Button
      href={lesson.href}
      size={isNext ? 'sm' : 'icon-sm'}
      variant="secondary"
      rel={isNext ? 'next' : 'prev'}
      aria-label={`${label}: ${lesson.title}`}
      aria-keyshortcuts={LESSON_KEYS[direction].aria}
      title={LESSON_KEYS[direction].shown}
    >
      {isNext ? label.replace(' lesson', '') : <ChevronLeft aria-hidden="true" />}
      {isNext && <ChevronRight aria-hidden="true" />}
    </Button>
  );
}
