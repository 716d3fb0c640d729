import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { type VideoSize, videos } from '#db/schema/catalogue.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { addressName, newPath, storeFile } from '#db/stored-files.ts';
import { isDiskFull } from '#src/server/database-errors.ts';
import { extensionOf, fileStore, forgetBytes } from '#src/server/files/files.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { UPLOAD_HOURS } from '#src/server/files/uploads.ts';
import { VideoError } from './video-container.server.ts';
import { forgetUpload, videoFolder } from './video-folder.server.ts';
import { canConvert, convert, readVideo, writePoster } from './video-tools.server.ts';

/** Seconds without a heartbeat before another run takes over, and between heartbeats. */
const STALLED_SECONDS = 60;
const SIGN_OF_LIFE_MS = 10_000;
const MAX_HEIGHT = 1080;

type Video = typeof videos.$inferSelect;

/** Another run has taken the video over, or it was removed. */
class Superseded extends Error {}

async function change(id: string, worker: string, set: Partial<typeof videos.$inferInsert>): Promise<Video> {
  const [row] = await db()
    .update(videos)
    .set({ ...set, movedAt: sql`now()` as unknown as Date })
    .where(and(eq(videos.id, id), eq(videos.worker, worker)))
    .returning();
  if (!row) throw new Superseded();
  return row;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1_048_576 }), hash);
  return hash.digest('hex');
}

async function keep(file: string, path: string, originalName: string, mimeType: string): Promise<void> {
  const [known] = await db()
    .select({ id: storedFiles.id })
    .from(storedFiles)
    .where(eq(storedFiles.path, path));
  if (known) return;
  const handle = await open(file, 'r+');
  // A power cut loses what is not synced.
  await handle.sync().finally(() => handle.close());
  const [{ size }, sha256] = [await stat(file), await digestOf(file)];
  await storeFile(db(), fileStore(), { area: 'files', path, originalName, mimeType, file, size, sha256 });
}

async function checkVideo(video: Video, worker: string, signal: AbortSignal): Promise<Video> {
  const file = join(videoFolder(), video.id);
  const facts = await readVideo(file, extensionOf(video.name));
  const converts = await canConvert();
  if (!facts.isPlayable && !converts) {
    throw new VideoError(
      `The video is coded as ${facts.codings.join(' with ')}, which not every browser plays. Export it as H.264 with AAC in an MP4.`,
    );
  }
  const path = video.path ?? newPath('files', addressName(video.name));
  await keep(file, path, video.name, facts.mimeType);
  let posterPath: string | null = null;
  if (converts) {
    const poster = `${file}.jpg`;
    posterPath = `${path}/poster.jpg`;
    await writePoster(file, facts.duration, poster, signal)
      .then(() => keep(poster, posterPath!, 'poster.jpg', 'image/jpeg'))
      .catch((error: unknown) => {
        // The poster is optional.
        if (!(error instanceof VideoError || (error as NodeJS.ErrnoException).code === 'ENOENT')) throw error;
        posterPath = null;
      })
      .finally(() => rm(poster, { force: true }));
  }
  return change(video.id, worker, {
    path,
    posterPath,
    isPlayable: facts.isPlayable,
    duration: facts.duration,
    height: facts.height,
    status: converts ? 'converting' : 'ready',
    message: converts ? '' : 'This server does not convert videos: learners get the file as it is.',
  });
}

function heightsOf(lines: number): number[] {
  const large = Math.min(MAX_HEIGHT, Math.max(2, lines - (lines % 2)));
  return [large, ...(large >= 720 ? [480] : large >= 480 ? [360] : [])];
}

async function convertVideo(video: Video, worker: string, signal: AbortSignal): Promise<void> {
  const file = join(videoFolder(), video.id);
  const heights = heightsOf(video.height ?? MAX_HEIGHT);
  const sizes: VideoSize[] = [...video.sizes];
  let told = video.percent;
  for (const [index, height] of heights.entries()) {
    if (sizes.some((size) => size.height === height)) continue;
    const output = `${file}.${height}.mp4`;
    const path = `${video.path}/${height}.mp4`;
    try {
      await convert(file, height, output, signal, (seconds) => {
        const share = (index + Math.min(1, seconds / (video.duration ?? seconds))) / heights.length;
        const percent = Math.min(99, Math.floor(share * 100));
        if (percent <= told) return;
        told = percent;
        change(video.id, worker, { percent }).catch(() => {});
      });
      await keep(output, path, video.name.replace(/\.[^.]*$/, `-${height}.mp4`), 'video/mp4');
    } finally {
      await rm(output, { force: true });
    }
    sizes.push({ path, height });
    await change(video.id, worker, { sizes });
  }
  await change(video.id, worker, { status: 'ready', percent: 100, worker: null });
}

const naming = z.object({ id: z.string() });

export const processVideo: JobDefinition<typeof naming> = {
  name: 'authoring.process-video',
  data: naming,
  retries: 10,
  retryDelaySeconds: 10,
  // The longest conversion on a small machine; a stalled one is taken over long before.
  leaseSeconds: 12 * 3600,
  run: async ({ id }, { isLast }) => {
    const worker = randomUUID();
    const [claimed] = await db()
      .update(videos)
      .set({ worker, movedAt: sql`now()` })
      .where(
        and(
          eq(videos.id, id),
          inArray(videos.status, ['checking', 'converting']),
          or(
            isNull(videos.worker),
            sql`${videos.movedAt} < now() - make_interval(secs => ${STALLED_SECONDS})`,
          ),
        ),
      )
      .returning();
    if (!claimed) return;
    const given = new AbortController();
    const alive = setInterval(() => {
      change(id, worker, {}).catch((error: unknown) => {
        if (error instanceof Superseded) given.abort(error);
      });
    }, SIGN_OF_LIFE_MS);
    try {
      const checked =
        claimed.status === 'checking' ? await checkVideo(claimed, worker, given.signal) : claimed;
      if (checked.status === 'converting') await convertVideo(checked, worker, given.signal);
      await forgetUpload(id);
    } catch (error) {
      if (error instanceof Superseded || given.signal.aborted) return;
      await fail(id, worker, error, isLast);
    } finally {
      clearInterval(alive);
    }
  },
};

async function fail(id: string, worker: string, error: unknown, isLast: boolean): Promise<void> {
  const isFinal = error instanceof VideoError || isLast;
  if (!isFinal) {
    await change(id, worker, { worker: null });
    throw error;
  }
  if (!(error instanceof VideoError)) log.error({ err: error, video: id }, 'a video could not be processed');
  const message =
    error instanceof VideoError
      ? error.message
      : isDiskFull(error)
        ? 'There was no room for the video. Please upload it again later.'
        : 'The video could not be processed. Please upload it again.';
  const [row] = await db()
    .select({ isPlayable: videos.isPlayable, path: videos.path })
    .from(videos)
    .where(eq(videos.id, id));
  // A playable video is usable without conversion.
  const isUsable = row?.path && row.isPlayable;
  await change(id, worker, {
    status: isUsable ? 'ready' : 'failed',
    message: isUsable ? `${message} Learners get the file as it is.` : message,
    worker: null,
  });
  await forgetUpload(id);
}

export const sweepVideos: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'authoring.sweep-videos',
  data: z.unknown().optional(),
  retries: 0,
  retryDelaySeconds: 60,
  leaseSeconds: 55,
  cron: '* * * * *',
  atStart: true,
  run: async () => {
    const stalled = await db()
      .select({ id: videos.id })
      .from(videos)
      .where(
        and(
          inArray(videos.status, ['checking', 'converting']),
          sql`${videos.movedAt} < now() - make_interval(secs => ${STALLED_SECONDS})`,
        ),
      );
    for (const { id } of stalled) await sendJob(db(), processVideo, { id });
    const expired = await db()
      .delete(videos)
      .where(
        and(
          inArray(videos.status, ['arriving', 'failed']),
          sql`${videos.movedAt} < now() - make_interval(hours => ${UPLOAD_HOURS})`,
        ),
      )
      .returning({ id: videos.id });
    for (const { id } of expired) await forgetUpload(id);
    await forgetOrphans();
  },
};

async function forgetOrphans(): Promise<void> {
  await db().transaction(async (tx) => {
    const gone = await tx.execute<{ sha256: string }>(sql`
      delete from ${storedFiles}
      where ${storedFiles.path} ~ '^/files/[^/]+/[^/]+/' and ${storedFiles.createdAt} < now() - interval '1 hour'
        and not exists (
          select from ${videos} where ${videos.path} = regexp_replace(${storedFiles.path}, '/[^/]+$', '')
        )
      returning sha256`);
    for (const { sha256 } of gone) await sendJob(tx, forgetBytes, { sha256 });
  });
}

export const VIDEO_JOBS = [processVideo, sweepVideos];
