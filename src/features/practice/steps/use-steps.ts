import { useEffect, useState } from 'react';
import { readKept } from './kept-steps.ts';
import type { SteppedCourse } from './steps.ts';
import { type TakenAlong, takeAlong } from './take-along.ts';

interface StepsOfViewer {
  /** The lessons that are done. */
  done: ReadonlySet<number>;
  /** What this browser keeps was read: until then a visitor has done nothing. */
  isRead: boolean;
  /** What was taken along into the account; null before, and where there was nothing. */
  taken: TakenAlong | null;
  /** A step was passed just now. */
  markDone: (lessonId: number) => void;
}

/** Which steps are done: as the server knows it, and as this browser keeps it for who has no account. */
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

/** The number of the first step that is not done, from 1; null where all are. */
export function firstOpen({ steps }: SteppedCourse, done: ReadonlySet<number>): number | null {
  const at = steps.findIndex(({ id }) => !done.has(id));
  return at < 0 ? null : at + 1;
}
