/** Apart for each account. */
function keyOf(lessonId: number, userId: number | null): string {
  return `lesson_draft:${userId ?? 'visitor'}:${lessonId}`;
}

export function readDraft(lessonId: number, userId: number | null): string | null {
  try {
    const own = localStorage.getItem(keyOf(lessonId, userId));
    if (own !== null || userId === null) return own;
    const begun = localStorage.getItem(keyOf(lessonId, null));
    if (begun !== null) {
      localStorage.removeItem(keyOf(lessonId, null));
      localStorage.setItem(keyOf(lessonId, userId), begun);
    }
    return begun;
  } catch {
    // Storage may be switched off or full: the page works without drafts.
    return null;
  }
}

/** Null forgets it. */
export function writeDraft(lessonId: number, userId: number | null, code: string | null): void {
  try {
    if (code === null) localStorage.removeItem(keyOf(lessonId, userId));
    else localStorage.setItem(keyOf(lessonId, userId), code);
  } catch {}
}
