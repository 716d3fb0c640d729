import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, desc, eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses, courseStaff, videos } from '#db/schema/catalogue.ts';
import { resumable } from '#src/server/files/resumable.ts';
import { sendJob } from '#src/server/jobs.ts';
import { AppError } from '#src/shared/errors.ts';
import { MAX_ID } from '#src/shared/fields.ts';
import { VIDEO_MAX_BYTES, VIDEO_UPLOADS_PATH, type VideoModel, videoProblem } from './schema.ts';
import { videoFolder } from './video-folder.server.ts';
import { processVideo } from './video-jobs.server.ts';
import { canConvert } from './video-tools.server.ts';

const isAuthor = (userId: number) => sql`(
  exists (select from ${users} where ${users.id} = ${userId} and ${users.role} = 'admin')
  or exists (select from ${courseStaff} where ${courseStaff.userId} = ${userId} and ${courseStaff.role} = 'author'
    and ${courseStaff.courseId} in (${courses.id}, ${courses.draftOf})))`;

const uploads = resumable({
  what: 'video',
  path: VIDEO_UPLOADS_PATH,
  folder: videoFolder,
  // Its sizes for browsers are stored beside it.
  copies: 2,
  begun: (userId) => db().$count(videos, and(eq(videos.createdBy, userId), eq(videos.status, 'arriving'))),
  begin: async ({ id, name, size, metadata, userId }, seeRoom) => {
    const problem = videoProblem(name, size, await canConvert());
    if (problem) throw new AppError(size > VIDEO_MAX_BYTES ? 'too_large' : 'invalid_input', problem);
    const courseId = Number(metadata.courseId);
    const [course] =
      Number.isInteger(courseId) && courseId > 0 && courseId <= MAX_ID
        ? await db()
            .select({ id: courses.id })
            .from(courses)
            .where(and(eq(courses.id, courseId), isAuthor(userId)))
        : [];
    if (!course) throw new AppError('not_found', 'Course not found');
    await seeRoom();
    await db().insert(videos).values({ id, courseId: course.id, createdBy: userId, name, size });
    return {};
  },
  allow: async ({ method, id }) => {
    const [video] = await db().select({ status: videos.status }).from(videos).where(eq(videos.id, id));
    if (!video) throw new AppError('not_found', 'Upload not found');
    // A sender may have missed the last answer and ask how far it is.
    if (video.status !== 'arriving' && method !== 'HEAD') {
      throw new AppError('conflict', 'All of this video has arrived');
    }
  },
  arrived: takeIn,
});

/**
 * Answers a request of the upload protocol.
 * @throws {AppError}
 */
export async function answerVideoUpload(request: Request, user: { id: number }): Promise<Response> {
  const answer = await uploads.answer(request, user);
  const id = new URL(request.url).pathname.split('/').at(-1)!;
  if (request.method === 'PATCH') await moved(id);
  if (request.method === 'DELETE') await db().delete(videos).where(eq(videos.id, id));
  return answer;
}

async function moved(id: string): Promise<void> {
  await db()
    .update(videos)
    .set({ movedAt: sql`now()` })
    .where(and(eq(videos.id, id), eq(videos.status, 'arriving')));
}

async function takeIn(id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [taken] = await tx
      .update(videos)
      .set({ status: 'checking', movedAt: sql`now()` })
      .where(and(eq(videos.id, id), eq(videos.status, 'arriving')))
      .returning({ id: videos.id });
    if (taken) await sendJob(tx, processVideo, { id });
  });
}

async function arrivedBytes(row: typeof videos.$inferSelect): Promise<number> {
  if (row.status !== 'arriving') return row.size;
  const info = await stat(join(videoFolder(), row.id)).catch(() => null);
  return info?.size ?? 0;
}

async function modelOf(row: typeof videos.$inferSelect): Promise<VideoModel> {
  return { ...row, arrived: await arrivedBytes(row) };
}

/** @throws {AppError} not_found */
export async function getVideo(id: string): Promise<VideoModel> {
  const read = async () => {
    const [row] = await db().select().from(videos).where(eq(videos.id, id));
    if (!row) throw new AppError('not_found', 'Video not found');
    return modelOf(row);
  };
  const video = await read();
  if (video.status !== 'arriving' || video.arrived < video.size) return video;
  await takeIn(id);
  return read();
}

/**
 * The uploads of a course, newest first.
 * @throws {AppError} not_found
 */
export async function listVideos(courseId: number): Promise<{ converts: boolean; videos: VideoModel[] }> {
  const [course] = await db().select({ id: courses.id }).from(courses).where(eq(courses.id, courseId));
  if (!course) throw new AppError('not_found', 'Course not found');
  const rows = await db()
    .select()
    .from(videos)
    .where(eq(videos.courseId, courseId))
    .orderBy(desc(videos.createdAt), desc(videos.id));
  return { converts: await canConvert(), videos: await Promise.all(rows.map(modelOf)) };
}
