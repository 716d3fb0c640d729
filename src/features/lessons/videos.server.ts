import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { videos } from '#db/schema/catalogue.ts';
import type { StoredVideo } from './types/video/stored-video.ts';

/** Screens that get the small size of a video where there is one. */
const SMALL_SCREENS = '(max-width: 40rem)';

/** What is known of the video at an address of this site; null for other files and other addresses. */
export async function findStoredVideo(path: string): Promise<StoredVideo | null> {
  if (!path.startsWith('/files/')) return null;
  const [video] = await db().select().from(videos).where(eq(videos.path, path));
  if (!video) return null;
  const mimeType = 'video/mp4';
  const [large, small] = video.sizes;
  if (large) {
    return {
      poster: video.posterPath,
      files: [
        ...(small ? [{ src: small.path, mimeType, media: SMALL_SCREENS }] : []),
        { src: large.path, mimeType, media: null },
      ],
    };
  }
  const own = { src: path, mimeType: path.endsWith('.webm') ? 'video/webm' : mimeType, media: null };
  return { poster: video.posterPath, files: video.isPlayable ? [own] : [] };
}
