import { fileName, shownAddress } from '#src/features/lessons/addresses.ts';
import type { LessonRow } from '#src/features/lessons/lesson-store.server.ts';
import type { DocumentSource } from './PlayerPart.tsx';

export function openedDocument(
  lesson: Pick<LessonRow, 'fileUrl' | 'fileSize' | 'mimeType'>,
): DocumentSource | null {
  const src = shownAddress(lesson.fileUrl);
  if (src === null) return null;
  return {
    src,
    name: fileName(src),
    size: lesson.fileSize,
    isPdf: lesson.mimeType === 'application/pdf' && src.startsWith('/'),
  };
}
