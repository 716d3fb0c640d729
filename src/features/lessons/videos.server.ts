import { learnedId } from './working-copy.server.ts';
import { eq, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { lessons, lessonVersions, videos } from '#db/schema/catalogue.ts';
import type { StoredVideo } from './types/video/stored-video.ts';

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

/** Gives the videos of a course that will be deleted to a course that shows them too. */
export async function handOverVideos(tx: Tx, courseId: number): Promise<void> {
  await tx.execute(sql`
    with named as (
      select ${learnedId(lessons.courseId)} as course_id, ${lessons.fileUrl} as path from ${lessons}
      where ${lessons.fileUrl} like '/files/%'
      union
      select ${learnedId(lessons.courseId)}, ${lessonVersions.written}->>'fileUrl' from ${lessonVersions}
        join ${lessons} on ${lessons.id} = ${lessonVersions.lessonId}
    )
    update ${videos} set course_id = other.course_id
    from (select path, min(course_id) as course_id from named where course_id <> ${courseId} group by path) as other
    where ${videos.courseId} = ${courseId} and ${videos.path} = other.path`);
}
