import { getCourseCall } from '#src/features/catalogue/schema.ts';
import { listEnrollmentsCall } from '#src/features/learn/schema.ts';
import { createDirectPaymentCall } from '#src/features/store/checkout/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { executeCodeCall } from '../schema.ts';
import { forgetStep, forgetSteps, type KeptProgram, readKept } from './kept-steps.ts';

/** Takes a free course, by the call of the store; nothing happens where one has it. */
export async function enrollFree(courseId: number): Promise<void> {
  const own = await call(listEnrollmentsCall, {});
  if (own.some((one) => one.courseId === courseId)) return;
  try {
    await call(createDirectPaymentCall, { input: { courseId, amount: 0 } });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'already_owned')) throw error;
  }
}

/** What came of the programs that a browser kept. */
export interface TakenAlong {
  /** Whether the account has the course now. */
  enrolled: boolean;
  /** Lessons that are completed by it. */
  taken: number[];
  /** Programs that do not pass any more. */
  failed: number;
  /** Programs that still wait, because the last call failed. */
  left: number;
  /** Why they wait, in a sentence. */
  reason?: string;
  /** Milliseconds after which going on makes sense; null where only a new visit does. */
  waitMs: number | null;
}

/** Milliseconds to wait after a refusal that passes by itself. */
const BUSY_MS = 5000;

/** Refusals that come again however often one asks: another language by now, nothing to compare with, no such lesson. */
const REFUSED = [400, 404, 409, 413];

/** Whether a program passes. One that is refused for good does not: else it would hold up all behind it. */
async function passes(lessonId: number, program: KeptProgram): Promise<boolean> {
  try {
    return (await call(executeCodeCall, { input: { lessonId, ...program } })).isCorrect;
  } catch (error) {
    if (error instanceof ApiError && REFUSED.includes(error.status)) return false;
    throw error;
  }
}

/**
 * Takes what a visitor passed in a course into the account that is signed in now: each program is judged again, and
 * forgotten here once that has an answer. Cut off in the middle, the rest is taken the next time.
 */
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

/** The same, once in all tabs of this browser; null where there is nothing to take, or another tab is at it. */
async function takeOnce(courseId: number): Promise<TakenAlong | null> {
  const take = async () => (readKept(courseId).size > 0 ? takeCourseAlong(courseId) : null);
  if (!('locks' in navigator)) return take();
  return navigator.locks.request(`kept_steps:${courseId}`, { ifAvailable: true }, (lock) => lock && take());
}

/**
 * Takes along what this browser keeps of a course, and goes on by itself where the judge is busy.
 *
 * @param tell is told what has come of it so far
 * @returns a function that ends it
 */
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

/** What is said of it. */
export function takenText({ taken, failed, left, reason }: TakenAlong): string {
  return [
    `${counted(taken.length, 'step')} taken along.`,
    failed > 0 && `${counted(failed, 'step')} asks for something else by now: please do it again.`,
    left > 0 && `${counted(left, 'step')} still to come. ${reason}`,
  ]
    .filter(Boolean)
    .join(' ');
}
