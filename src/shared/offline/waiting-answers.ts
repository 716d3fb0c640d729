import { draftAt } from '../drafts.ts';

/** Completed lessons and quiz answers that wait for the server. */
export interface WaitingAnswer {
  /** UUID against repeats. */
  id: string;
  kind: 'complete' | 'quiz';
  courseId?: number;
  lessonId: number;
  title: string;
  /** Of a quiz. */
  input?: { answers: Record<string, unknown>; attempt?: number };
}

const waitingAt = (userId: number) => draftAt(`waiting:${userId}`);

/** Oldest first. */
export function readWaiting(userId: number): WaitingAnswer[] {
  try {
    const kept: unknown = JSON.parse(waitingAt(userId).read() ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** False without storage. */
export function writeWaiting(userId: number, answers: readonly WaitingAnswer[]): boolean {
  if (answers.length > 0) return waitingAt(userId).write(JSON.stringify(answers));
  waitingAt(userId).clear();
  return true;
}
