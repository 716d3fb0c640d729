import { shownAddress } from '#src/features/lessons/addresses.ts';
import type { LessonRow } from '#src/features/lessons/lesson-store.server.ts';
import type { PlayedColumn } from '#src/features/lessons/registry.ts';
import { findStoredVideo } from '#src/features/lessons/videos.server.ts';
import { shownCaptions } from './captions.ts';
import { chaptersOf } from './chapters.ts';
import { type Embed, embedOf } from './embed.ts';
import type { VideoSource } from './PlayerPart.tsx';

type OpenedFilm = Pick<LessonRow, 'mimeType' | PlayedColumn> & {
  videoPosition: number;
};

/** The film of a lesson that its learner has opened. */
export async function openedVideo(lesson: OpenedFilm): Promise<VideoSource | Embed | null> {
  const src = shownAddress(lesson.fileUrl);
  if (src === null) return null;
  const embed = embedOf(src);
  if (embed) return embed;
  const stored = await findStoredVideo(src);
  return {
    files: stored?.files ?? [{ src, mimeType: lesson.mimeType, media: null }],
    poster: stored?.poster ?? null,
    captions: shownCaptions(lesson),
    chapters: chaptersOf(lesson.chapters),
    duration: lesson.durationSeconds,
    position: lesson.videoPosition,
  };
}
