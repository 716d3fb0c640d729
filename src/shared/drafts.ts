/** Unsaved text of one account in this browser. */
export interface Draft {
  read(): string | null;
  /** False without storage or room. */
  write(text: string): boolean;
  clear(): void;
}

export function draftAt(key: string): Draft {
  // Without storage the text is still on the page.
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

/** `kind` is for example `notes`. */
export const draftOf = (kind: string, userId: number, lessonId: number): Draft =>
  draftAt(`draft:${kind}:${userId}:${lessonId}`);
