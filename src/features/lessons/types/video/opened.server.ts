import { shownAddress } from '#src/features/catalogue/catalogue.ts';
import type { OpenedLesson } from '#src/features/learn/progress/learn.server.ts';
import type { VideoSource } from './PlayerPart.tsx';

/** The film of a lesson that its learner has opened. */
export function openedVideo(lesson: OpenedLesson): VideoSource | null {
  const src = shownAddress(lesson.fileUrl);
  if (src === null) return null;
  return {
    src,
    mimeType: lesson.mimeType,
    captions: shownAddress(lesson.captionsUrl),
    duration: lesson.durationSeconds,
    position: lesson.videoPosition,
  };
}
