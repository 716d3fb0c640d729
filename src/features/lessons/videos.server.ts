import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { type VideoSize, videos } from '#db/schema/catalogue.ts';

/** A video of this site as a page plays it. */
export interface StoredVideo {
  poster: string | null;
  /** From large to small; the file as it was uploaded where nothing was converted. */
  sizes: VideoSize[];
  /** Some of it is still being converted. */
  isConverting: boolean;
}

/** What is known of the video at an address of this site; null for other files and other addresses. */
export async function findStoredVideo(path: string): Promise<StoredVideo | null> {
  if (!path.startsWith('/files/')) return null;
  const [video] = await db().select().from(videos).where(eq(videos.path, path));
  if (!video) return null;
  return {
    poster: video.posterPath,
    sizes: video.sizes.length > 0 || !video.isPlayable ? video.sizes : [{ path, height: video.height ?? 0 }],
    isConverting: video.status === 'converting',
  };
}
