import { ConnectionLost } from './api.ts';

/** After a lost connection. */
export interface Resend {
  /** Before each sending; cancels a waiting one. */
  begin: () => void;
  /**
   * Sends again once, when online.
   * @param isRepeatable others only where the browser was offline, so that the first never left
   * @returns whether it waits
   */
  after: (error: unknown, again: () => void, isRepeatable: boolean) => boolean;
}

export function createResend(): Resend {
  let wait = new AbortController();
  let neverLeft = false;
  return {
    begin() {
      wait.abort();
      wait = new AbortController();
      neverLeft = !navigator.onLine;
    },
    after(error, again, isRepeatable) {
      if (!(error instanceof ConnectionLost) || navigator.onLine || !(isRepeatable || neverLeft))
        return false;
      addEventListener('online', again, { once: true, signal: wait.signal });
      return true;
    },
  };
}

/** Follows what could not be sent. */
export const SENT_WHEN_BACK = 'It is sent once you are online again; keep this page open.';
