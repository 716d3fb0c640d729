import { type Draft, draftOf } from '#src/shared/drafts.ts';

/** The next review of a lesson starts without it. */
export function reviewDraft(userId: number, lessonId: number, version: number): Draft {
  const draft = draftOf('review', userId, lessonId);
  const mark = `${version}\n`;
  return {
    ...draft,
    read: () => {
      const kept = draft.read();
      return kept?.startsWith(mark) ? kept.slice(mark.length) : null;
    },
    write: (code) => draft.write(mark + code),
  };
}
