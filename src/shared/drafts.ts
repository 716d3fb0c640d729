/**
 * Text that the server does not have yet, kept by this browser so that a failed save, a closed tab or a reload loses
 * nothing. A draft belongs to one account: others who use the browser never see it.
 */
export interface Draft {
  read(): string | null;
  /** False where this browser keeps nothing, or has no room. */
  write(text: string): boolean;
  clear(): void;
}

/** What this browser keeps under a name. */
export function draftAt(key: string): Draft {
  // A browser that keeps nothing is no reason to fail: the text is still on the page.
  const attempt = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch {
      return null;
    }
  };
  return {
    read: () => attempt(() => localStorage.getItem(key)),
    write: (text) => attempt(() => localStorage.setItem(key, text)) !== null,
    clear: () => void attempt(() => localStorage.removeItem(key)),
  };
}

/** The draft of something on a lesson, such as `notes`. */
export const draftOf = (kind: string, userId: number, lessonId: number): Draft =>
  draftAt(`draft:${kind}:${userId}:${lessonId}`);
