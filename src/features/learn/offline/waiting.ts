import type { z } from 'zod';
import { $toast, toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { signInAction } from '#src/features/account/sign-in/sign-in-action.ts';
import { lessonMessage } from '#src/features/learn/progress/learn.ts';
import { completeLessonCall, type QuizModel, submitQuizCall } from '#src/features/learn/schema.ts';
import type { Answers } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { ApiError, call, ConnectionLost, messageOf } from '#src/shared/api.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import { draftOf } from '#src/shared/drafts.ts';
import { readWaiting, type WaitingAnswer, writeWaiting } from '#src/shared/offline/waiting-answers.ts';

// Answers without a connection wait on this device; the next open page of the app sends them once (decision 124).

const SENT_LATER = 'It is sent once you are online again, even if you close this page.';
const LOCK = 'waiting-answers';
const CHANNEL = 'waiting-answers';

type Outcome = { id: string; result?: unknown; refusal?: string };
type Settle = { done: (result: never) => void; fail: (error: unknown) => void };

const asked = new Map<string, Settle>();
const unanswered = new Map<string, WaitingAnswer>();
let channel: BroadcastChannel | undefined;

export function sayNotSent(title: string, error: unknown, next: string): void {
  const description = lessonMessage(error, next);
  toast({ title, description, variant: 'destructive', ...signInAction(error) });
}

/** A notice, not an alarm: nothing is lost. */
export function sayWaits(error: unknown): void {
  toast({ title: 'Saved on this device', description: lessonMessage(error, SENT_LATER) });
}

/** The same pending answers are the same hand-in. */
export function newAnswer(answer: Omit<WaitingAnswer, 'id'>, userId: number): WaitingAnswer {
  const same =
    readWaiting(userId).find((one) => placeOf(one) === placeOf(answer)) ?? unanswered.get(placeOf(answer));
  const isSame = same && JSON.stringify(same.input) === JSON.stringify(answer.input);
  return { ...answer, id: isSame ? same.id : crypto.randomUUID() };
}

const placeOf = ({ kind, lessonId }: Pick<WaitingAnswer, 'kind' | 'lessonId'>) => `${kind} ${lessonId}`;

/** Read again: another tab may have changed the list. */
const waitingBut = (userId: number, isOut: (one: WaitingAnswer) => boolean) =>
  readWaiting(userId).filter((one) => !isOut(one));

/** Web Locks let one tab send; a preview's learner never signs in. */
const canWait = (userId: number) => 'locks' in navigator && readAuth()?.user?.id === userId;

/**
 * @param onWaits called without a connection
 * @returns the server's answer, as long as the page is open
 */
export async function sendOrKeep<Result>(
  userId: number,
  answer: WaitingAnswer,
  onWaits: (error: ConnectionLost) => void,
): Promise<Result> {
  const isSamePlace = (one: WaitingAnswer) => placeOf(one) === placeOf(answer);
  unanswered.delete(placeOf(answer));
  try {
    const result = await transmit(userId, answer);
    writeWaiting(userId, waitingBut(userId, isSamePlace));
    return result as Result;
  } catch (error) {
    const isKept =
      error instanceof ConnectionLost &&
      canWait(userId) &&
      writeWaiting(userId, [...waitingBut(userId, isSamePlace), answer]);
    if (!isKept) {
      unanswered.set(placeOf(answer), answer);
      throw error;
    }
    onWaits(error);
    listen();
    return new Promise<Result>((done, fail) => asked.set(answer.id, { done, fail }));
  }
}

export function sendQuiz(
  userId: number,
  quiz: QuizModel,
  answers: Answers,
  onWaits: (error: ConnectionLost) => void,
): Promise<z.output<typeof submitQuizCall.output>> {
  const { lessonId, title, attempt } = quiz;
  const input = { answers, ...(attempt === undefined ? {} : { attempt }) };
  return sendOrKeep(userId, newAnswer({ kind: 'quiz', lessonId, title, input }, userId), onWaits);
}

const transmit = (account: number, { kind, id, courseId, lessonId, input }: WaitingAnswer) =>
  kind === 'quiz'
    ? call(submitQuizCall, {
        params: { id: lessonId },
        input: { ...(input as { answers: Answers }), requestId: id },
        account,
      })
    : call(completeLessonCall, { params: { id: courseId!, lessonId }, account });

/** Oldest first, one tab at a time. */
export async function sendWaiting(userId: number): Promise<void> {
  await navigator.locks?.request(LOCK, async () => {
    // Storage may refuse to delete them.
    const sent = new Set<string>();
    let isStale = false;
    while (readAuth()?.user?.id === userId) {
      const answer = readWaiting(userId).find(({ id }) => !sent.has(id));
      if (!answer) break;
      let outcome: Outcome = { id: answer.id };
      try {
        outcome.result = await transmit(userId, answer);
        if (answer.kind === 'quiz') draftOf('quiz', userId, answer.lessonId).clear();
      } catch (error) {
        if (isForLater(error)) return askToSignIn(error);
        outcome = { id: answer.id, refusal: messageOf(error, 'The server did not take it.') };
      }
      sent.add(answer.id);
      writeWaiting(
        userId,
        waitingBut(userId, ({ id }) => id === answer.id),
      );
      if (tell(answer, outcome)) isStale = true;
    }
    // What these show was rendered before; a list that cannot be emptied would reload for ever.
    if (
      !isStale ||
      readWaiting(userId).length > 0 ||
      !/^\/(learn|dashboard|my-courses)\b/.test(location.pathname)
    )
      return;
    toastOnNextPage($toast.get()!);
    location.reload();
  });
}

const isForLater = (error: unknown) =>
  !(error instanceof ApiError) || [401, 408, 429].includes(error.status) || error.status >= 500;

function askToSignIn(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401) return;
  toast({
    title: 'Sign in to send your answers',
    description: 'They are kept on this device.',
    ...signInAction(error),
  });
}

/** @returns whether the server knows more than this page */
function tell(answer: WaitingAnswer, outcome: Outcome): boolean {
  listen().postMessage(outcome);
  if (settle(outcome)) return false;
  if (outcome.refusal) {
    toast({
      title: `“${answer.title}” was not accepted`,
      description: `${outcome.refusal}${answer.kind === 'quiz' ? ' Your answers are kept in the quiz.' : ''}`,
      variant: 'destructive',
    });
    return false;
  }
  const attempt = (outcome.result as { attempt?: { score: number; passed: boolean } }).attempt;
  toast({
    title: attempt ? 'Your answers were sent' : 'Lesson completed',
    description: attempt
      ? `“${answer.title}”: ${attempt.score}%, ${attempt.passed ? 'passed' : 'not passed yet'}.`
      : `“${answer.title}” is marked complete.`,
  });
  return true;
}

function settle({ id, result, refusal }: Outcome): boolean {
  const one = asked.get(id);
  asked.delete(id);
  if (refusal === undefined) one?.done(result as never);
  else one?.fail(new ApiError(409, 'Conflict', JSON.stringify({ message: refusal })));
  return one !== undefined;
}

function listen(): BroadcastChannel {
  if (!channel) {
    channel = new BroadcastChannel(CHANNEL);
    channel.addEventListener('message', ({ data }) => settle(data as Outcome));
  }
  return channel;
}
