import { ConnectionLost } from './api.ts';

/** Sends again what a lost connection kept back. */
export interface Resend {
  /** To be called before each sending: whatever still waited is sent with it, or is not wanted any more. */
  begin: () => void;
  /**
   * Waits for the connection, if that is what the sending failed for, and then sends again, once.
   *
   * @param isRepeatable the server takes the same request twice as one. Others are sent again only where the browser was
   *   offline before, so that the first surely never left.
   * @returns whether it waits
   */
  after: (error: unknown, again: () => void, isRepeatable: boolean) => boolean;
}

/** One for each thing that is sent. */
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

/** Ends a sentence about what could not be sent. */
export const SENT_WHEN_BACK = 'It is sent once you are online again; keep this page open.';
