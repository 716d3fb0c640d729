import { draftAt } from '#src/shared/drafts.ts';
import { type BuilderDraft, parseDraft } from './builder.ts';

/** Where the draft of a course stays on this device, apart for each account. */
export function draftKey(userId: number): string {
  return `course_builder_draft:${userId}`;
}

/** The draft left on this device, or null. */
export const readCourseDraft = (userId: number): BuilderDraft | null =>
  parseDraft(draftAt(draftKey(userId)).read());

/** Keeps the draft on this device; null forgets it. False where this device keeps nothing, or has no room. */
export function writeCourseDraft(userId: number, draft: BuilderDraft | null): boolean {
  const kept = draftAt(draftKey(userId));
  if (draft !== null) return kept.write(JSON.stringify(draft));
  kept.clear();
  return true;
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
