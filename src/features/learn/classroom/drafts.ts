/**
 * Text that the server does not have yet, kept by this browser so that a failed save, a closed tab or a reload loses
 * nothing. A draft belongs to one account: others who use the browser never see it.
 */
export interface Draft {
  read(): string | null;
  write(text: string): void;
  clear(): void;
}

/** The draft of something on a lesson, such as `notes`. */
export function draftOf(kind: string, userId: number, lessonId: number): Draft {
  const key = `draft:${kind}:${userId}:${lessonId}`;
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
    write: (text) => void attempt(() => localStorage.setItem(key, text)),
    clear: () => void attempt(() => localStorage.removeItem(key)),
  };
}
