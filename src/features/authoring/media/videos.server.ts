import { mkdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';
import { and, desc, eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { courses, videos } from '#db/schema/catalogue.ts';
import { sendJob } from '#src/server/jobs.ts';
import { env } from '#src/server/start/env.ts';
import { AppError, type ErrorCode } from '#src/shared/errors.ts';
import { MAX_ID } from '#src/shared/fields.ts';
import {
  VIDEO_MAX_BYTES,
  VIDEO_PART_BYTES,
  VIDEO_UPLOADS_PATH,
  type VideoModel,
  videoProblem,
} from './schema.ts';
import { videoFolder } from './video-folder.server.ts';
import { processVideo } from './video-jobs.server.ts';
import { canConvert } from './video-tools.server.ts';

/** Bytes of disk that stay free whatever arrives, for the database and everything else. */
const KEPT_FREE_BYTES = 500_000_000;
const NAME_MAX_CHARACTERS = 200;

/** A refusal as the upload protocol's server takes it. */
class Refusal extends Error {
  readonly status_code: number;
  readonly body: string;

  constructor(
    code: 'invalid_input' | 'too_large' | 'not_found' | 'conflict' | 'unavailable',
    message: string,
  ) {
    super(message);
    this.status_code = new AppError(code, message).status;
    this.body = message;
  }
}

let opened: { folder: string; server: Server; store: FileStore } | undefined;

/** The protocol's server over this site's data folder. */
function tus(): { server: Server; store: FileStore } {
  const folder = videoFolder();
  if (opened?.folder === folder) return opened;
  const store = new FileStore({ directory: folder });
  const server = new Server({
    path: VIDEO_UPLOADS_PATH,
    datastore: store,
    relativeLocation: true,
    // Nobody else's page may send here.
    allowedOrigins: [],
    maxSize: VIDEO_MAX_BYTES,
    onUploadCreate: async (request, upload) => {
      await mkdir(folder, { recursive: true });
      const { filename, courseId } = upload.metadata ?? {};
      const name = cleanName(filename ?? '');
      const size = upload.size ?? 0;
      const problem = videoProblem(name, size, await canConvert());
      if (problem) throw new Refusal(size > VIDEO_MAX_BYTES ? 'too_large' : 'invalid_input', problem);
      const id = Number(courseId);
      const [course] =
        Number.isInteger(id) && id > 0 && id <= MAX_ID
          ? await db().select({ id: courses.id }).from(courses).where(eq(courses.id, id))
          : [];
      if (!course) throw new Refusal('not_found', 'Course not found');
      // Its sizes for browsers come beside it.
      if ((await freeBytes()) < size * 2 + KEPT_FREE_BYTES) throw noRoom();
      const createdBy = Number(request.headers.get(UPLOADER));
      await db().insert(videos).values({ id: upload.id, courseId: course.id, createdBy, name, size });
      return {};
    },
    onIncomingRequest: async (request, id) => {
      if (request.method === 'POST') return;
      const [video] = await db().select({ status: videos.status }).from(videos).where(eq(videos.id, id));
      if (!video) throw new Refusal('not_found', 'Upload not found');
      // A sender that did not hear that all has arrived asks how far it is; nothing else may be done to it.
      if (video.status !== 'arriving' && request.method !== 'HEAD') {
        throw new Refusal('conflict', 'All of this video has arrived');
      }
      // Several began when there was room for each of them.
      if (request.method === 'PATCH' && (await freeBytes()) < KEPT_FREE_BYTES) throw noRoom();
    },
    onUploadFinish: async (_request, { id }) => {
      await takeIn(id);
      return {};
    },
  });
  opened = { folder, server, store };
  return opened;
}

const noRoom = () =>
  new Refusal('unavailable', 'There is no room for this video at the moment. Please try again later.');

/** The protocol's server knows requests only; who sends one is in a header that nobody outside can set. */
const UPLOADER = 'x-uploader';

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(env().dataDir);
  return bavail * bsize;
}

/** A file's name as it may be shown: one line, without folders, control or direction characters (faults U1, U5). */
function cleanName(name: string): string {
  return name
    .toWellFormed()
    .split(/[\\/]/)
    .at(-1)!
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffd]+/gu, '')
    .trim()
    .slice(-NAME_MAX_CHARACTERS);
}

const CODES: Record<number, ErrorCode> = { 404: 'not_found', 409: 'conflict', 410: 'gone', 413: 'too_large' };

/**
 * Answers a request of the upload protocol: an upload begins, goes on where it stopped, tells how far it is, or ends.
 *
 * @throws {AppError} for whatever the protocol refuses
 */
export async function answerVideoUpload(request: Request, user: { id: number }): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set(UPLOADER, String(user.id));
  const id = /\/([0-9a-f]{32})$/.exec(new URL(request.url).pathname)?.[1];
  if (request.method !== 'POST' && !id) throw new AppError('not_found', 'Upload not found');
  const asked = new Request(request, { headers });
  const answer = await tus().server.handleWeb(asked);
  if (answer.ok) {
    if (request.method === 'PATCH') await moved(id!);
    if (request.method === 'DELETE') await db().delete(videos).where(eq(videos.id, id!));
    return answer;
  }
  const message = (await answer.text()).trim();
  const code = CODES[answer.status] ?? (answer.status < 500 ? 'bad_request' : 'unavailable');
  if (code === 'unavailable' && (await freeBytes()) < VIDEO_PART_BYTES * 4) {
    throw new AppError('unavailable', noRoom().body, { retryAfterSeconds: 60 });
  }
  throw new AppError(code, message, {
    ...(code === 'unavailable' ? { retryAfterSeconds: 2 } : { fields: { file: message } }),
  });
}

async function moved(id: string): Promise<void> {
  await db()
    .update(videos)
    .set({ movedAt: sql`now()` })
    .where(and(eq(videos.id, id), eq(videos.status, 'arriving')));
}

/** Hands a video of which every byte is there to the background; once, however often it is told. */
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

/**
 * How far a video has come.
 *
 * @throws {AppError} not_found
 */
export async function getVideo(id: string): Promise<VideoModel> {
  const read = async () => {
    const [row] = await db().select().from(videos).where(eq(videos.id, id));
    if (!row) throw new AppError('not_found', 'Video not found');
    return modelOf(row);
  };
  const video = await read();
  if (video.status !== 'arriving' || video.arrived < video.size) return video;
  // The process ended after the last byte and before it could go on.
  await takeIn(id);
  return read();
}

/**
 * The uploads of a course, newest first.
 *
 * @throws {AppError} not_found without such a course
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
