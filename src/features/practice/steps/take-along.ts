import { getCourseCall } from '#src/features/catalogue/schema.ts';
import { listEnrollmentsCall } from '#src/features/learn/schema.ts';
import { createDirectPaymentCall } from '#src/features/store/checkout/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { executeCodeCall } from '../schema.ts';
import { forgetStep, forgetSteps, type KeptProgram, readKept } from './kept-steps.ts';

export async function enrollFree(courseId: number): Promise<void> {
  const own = await call(listEnrollmentsCall, {});
  if (own.some((one) => one.courseId === courseId)) return;
  try {
    await call(createDirectPaymentCall, { input: { courseId, amount: 0 } });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'already_owned')) throw error;
  }
}

export interface TakenAlong {
  enrolled: boolean;
  taken: number[];
  failed: number;
  left: number;
  reason?: string;
  /** Null where only a new visit helps. */
  waitMs: number | null;
}

const BUSY_MS = 5000;

const REFUSED = [400, 404, 409, 413];

/** A refusal for good would otherwise hold up all behind it. */
async function passes(lessonId: number, program: KeptProgram): Promise<boolean> {
  try {
    return (await call(executeCodeCall, { input: { lessonId, ...program } })).isCorrect;
  } catch (error) {
    if (error instanceof ApiError && REFUSED.includes(error.status)) return false;
    throw error;
  }
}

/** Judges each program again and forgets it once answered; a cut loses nothing. */
async function takeCourseAlong(courseId: number): Promise<TakenAlong> {
  const outcome: TakenAlong = { enrolled: false, taken: [], failed: 0, left: 0, waitMs: null };
  try {
    await enrollFree(courseId);
    outcome.enrolled = true;
    const { content } = await call(getCourseCall, { params: { id: courseId } });
    for (const { id: lessonId } of content) {
      const program = readKept(courseId).get(lessonId);
      if (!program) continue;
      const isPassed = await passes(lessonId, program);
      forgetStep(courseId, lessonId, program);
      if (isPassed) outcome.taken.push(lessonId);
      else outcome.failed += 1;
    }
    // What is left belongs to lessons that the course does not have any more.
    forgetSteps(courseId);
    return outcome;
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    return {
      ...outcome,
      left: readKept(courseId).size,
      reason: messageOf(error, 'The rest follows when you open this page again.'),
      waitMs: status === 429 || status === 503 ? BUSY_MS : null,
    };
  }
}

/** Null where there is nothing to take, or another tab does it. */
async function takeOnce(courseId: number): Promise<TakenAlong | null> {
  const take = async () => (readKept(courseId).size > 0 ? takeCourseAlong(courseId) : null);
  if (!('locks' in navigator)) return take();
  return navigator.locks.request(`kept_steps:${courseId}`, { ifAvailable: true }, (lock) => lock && take());
}

/** Takes along what this browser has of a course, and retries where the judge is busy. */
export function takeAlong(courseId: number, tell: (outcome: TakenAlong) => void): () => void {
  const all: Pick<TakenAlong, 'taken' | 'failed'> = { taken: [], failed: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const go = async () => {
    const outcome = await takeOnce(courseId);
    if (isOver || !outcome) return;
    all.taken.push(...outcome.taken);
    all.failed += outcome.failed;
    tell({ ...outcome, ...all });
    if (outcome.waitMs !== null) timer = setTimeout(() => void go(), outcome.waitMs);
  };
  void go();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

export function takenText({ taken, failed, left, reason }: TakenAlong): string {
  return [
    `${counted(taken.length, 'step')} taken along.`,
    failed > 0 && `${counted(failed, 'step')} asks for something else by now: please do it again.`,
    left > 0 && `${counted(left, 'step')} still to come. ${reason}`,
  ]
    .filter(Boolean)
    .join(' ');
}
