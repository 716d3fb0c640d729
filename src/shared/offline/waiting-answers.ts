import { draftAt } from '../drafts.ts';

/** A finished lesson or the answers of a quiz that the server does not have yet, kept by this browser for one account. */
export interface WaitingAnswer {
  /** UUID by which the server knows a repeat. */
  id: string;
  kind: 'complete' | 'quiz';
  courseId?: number;
  lessonId: number;
  title: string;
  /** Of a quiz: what is handed in. */
  input?: { answers: Record<string, unknown>; attempt?: number };
}

const waitingAt = (userId: number) => draftAt(`waiting:${userId}`);

/** What waits, oldest first. */
export function readWaiting(userId: number): WaitingAnswer[] {
  try {
    const kept: unknown = JSON.parse(waitingAt(userId).read() ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Keeps what waits; false where this browser keeps nothing. */
export function writeWaiting(userId: number, answers: readonly WaitingAnswer[]): boolean {
  if (answers.length > 0) return waitingAt(userId).write(JSON.stringify(answers));
  waitingAt(userId).clear();
  return true;
}
