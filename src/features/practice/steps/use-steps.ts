import { useEffect, useState } from 'react';
import { readKept } from './kept-steps.ts';
import type { SteppedCourse } from './steps.ts';
import { type TakenAlong, takeAlong } from './take-along.ts';

interface StepsOfViewer {
  done: ReadonlySet<number>;
  isRead: boolean;
  taken: TakenAlong | null;
  markDone: (lessonId: number) => void;
}

/** Steps done on the server, or in this browser without an account. */
export function useSteps({ id, steps }: SteppedCourse, userId: number | null): StepsOfViewer {
  const [done, setDone] = useState<ReadonlySet<number>>(
    () => new Set(steps.filter((step) => step.done).map((step) => step.id)),
  );
  const [isRead, setRead] = useState(false);
  const [taken, setTaken] = useState<TakenAlong | null>(null);
  const [add] = useState(() => (ids: Iterable<number>) => setDone((before) => new Set([...before, ...ids])));
  useEffect(() => {
    setRead(true);
    if (userId === null) {
      const own = new Set(steps.map((step) => step.id));
      add([...readKept(id).keys()].filter((lessonId) => own.has(lessonId)));
      return;
    }
    return takeAlong(id, (outcome) => {
      add(outcome.taken);
      setTaken(outcome);
    });
  }, [id, steps, userId, add]);
  return { done, isRead, taken, markDone: (lessonId) => add([lessonId]) };
}

/** From 1; null where all are done. */
export function firstOpen({ steps }: SteppedCourse, done: ReadonlySet<number>): number | null {
  const at = steps.findIndex(({ id }) => !done.has(id));
  return at < 0 ? null : at + 1;
}
