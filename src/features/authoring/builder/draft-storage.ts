import { type BuilderDraft, parseDraft } from './builder.ts';

/** Where the draft of a course stays on this device, apart for each account. */
export function draftKey(userId: number): string {
  return `course_builder_draft:${userId}`;
}

/** The draft left on this device, or null. */
export function readCourseDraft(userId: number): BuilderDraft | null {
  try {
    return parseDraft(localStorage.getItem(draftKey(userId)));
  } catch {
    // Storage may be switched off: the page works without drafts.
    return null;
  }
}

/** Keeps the draft on this device; null forgets it. False where this device keeps nothing, or has no room. */
export function writeCourseDraft(userId: number, draft: BuilderDraft | null): boolean {
  try {
    if (draft === null) localStorage.removeItem(draftKey(userId));
    else localStorage.setItem(draftKey(userId), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** A random UUID; the browser's own exists on https and on this machine only. */
export function randomId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  const bytes = (crypto as Crypto).getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
