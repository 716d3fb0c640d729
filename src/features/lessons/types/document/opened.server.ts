import { fileName, shownAddress } from '#src/features/catalogue/catalogue.ts';
import type { OpenedLesson } from '#src/features/learn/classroom/classroom.server.ts';
import type { DocumentSource } from './PlayerPart.tsx';

/** The file of a lesson that its learner has opened. */
export function openedDocument(lesson: OpenedLesson): DocumentSource | null {
  const src = shownAddress(lesson.fileUrl);
  if (src === null) return null;
  return {
    src,
    name: fileName(src),
    size: lesson.fileSize,
    isPdf: lesson.mimeType === 'application/pdf' && src.startsWith('/'),
  };
}
