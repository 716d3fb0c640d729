import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { FileStore } from '@tus/file-store';
import { eq, inArray, like, sql } from 'drizzle-orm';
import S3rver from 's3rver';
import sharp from 'sharp';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons, courses, videos } from '#db/schema/catalogue.ts';
import { storedFileLocation } from '#db/file-store.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { VIDEO_MAX_BYTES } from '#src/features/authoring/media/schema.ts';
import { processVideo, sweepVideos } from '#src/features/authoring/media/video-jobs.server.ts';
import { canConvert } from '#src/features/authoring/media/video-tools.server.ts';
import { findStoredVideo } from '#src/features/lessons/videos.server.ts';
import { proveLesson } from '#src/features/authoring/publishing/check-lessons.server.ts';
import { readLesson } from '#src/features/authoring/publishing/lesson-check.server.ts';
import * as lessonsRoute from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { duplicateCourse } from '#src/features/authoring/transfer/copies.server.ts';
import { changeLesson, type LessonToWrite } from '#src/features/lessons/lesson-store.server.ts';
import { storeFile } from '#db/stored-files.ts';
import * as courseRoute from '#src/pages/api/courses/[id].ts';
import * as beginRoute from '#src/pages/api/admin/video-uploads.ts';
import * as partRoute from '#src/pages/api/admin/video-uploads/[id].ts';
import * as videoRoute from '#src/pages/api/admin/videos/[id].ts';
import * as videosRoute from '#src/pages/api/admin/courses/[id]/videos.ts';
import * as fileRoute from '#src/pages/files/[...path].ts';
import { fileStore } from '#src/server/files/files.ts';
import { env, setEnvironment } from '#src/server/start/env.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';
import { moveBack } from '../../support/move-back.ts';
import { freePort } from '../../support/site.ts';

// As it is, except where a test says how much room there is.
vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>();
  return { ...actual, statfs: vi.fn(actual.statfs) };
});

const SAMPLE = await readFile(
  resolve(import.meta.dirname, '../../../db/seed/courses/accessible-web-design/files/focus-path.mp4'),
);
const { PATH } = process.env;
const machineConverts = await canConvert();
const plainMachine = () => {
  process.env.PATH = '/nowhere';
};
beforeEach(plainMachine);
afterEach(() => {
  process.env.PATH = PATH;
  vi.mocked(statfs).mockReset();
});

const TUS = { 'tus-resumable': '1.0.0' };
const PARTS = { HEAD: partRoute.HEAD, PATCH: partRoute.PATCH, DELETE: partRoute.DELETE };
const base64 = (text: string) => Buffer.from(text).toString('base64');

async function author() {
  const course = await makeCourse();
  const as = await signIn(await makeAdmin());
  const begin = (name: string, size: number | string, options: CallOptions & { courseId?: unknown } = {}) =>
    callRoute(beginRoute.POST, {
      method: 'POST',
      path: '/api/admin/video-uploads',
      as,
      ...options,
      headers: {
        ...TUS,
        'upload-length': String(size),
        'upload-metadata': `filename ${base64(name)},courseId ${base64(String(options.courseId ?? course.id))}`,
        ...options.headers,
      },
    });
  const at = (method: 'HEAD' | 'PATCH' | 'DELETE', id: string, options: CallOptions = {}) =>
    callRoute(PARTS[method], {
      method,
      path: `/api/admin/video-uploads/${id}`,
      params: { id },
      as,
      ...options,
      headers: { ...TUS, ...options.headers },
    });
  const send = (id: string, offset: number, bytes: Uint8Array, options: CallOptions = {}) =>
    at('PATCH', id, {
      ...options,
      body: bytes,
      headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    });
  return {
    course,
    as,
    begin,
    send,
    at,
    look: async (id: string) => (await callRoute(videoRoute.GET, { params: { id }, as })).body,
    list: async () => (await callRoute(videosRoute.GET, { params: { id: String(course.id) }, as })).body,
    /** A whole video, as far as its author is concerned. */
    async upload(name: string, bytes: Uint8Array) {
      const id = idIn(await begin(name, bytes.length));
      expect((await send(id, 0, bytes)).status).toBe(204);
      return id;
    },
  };
}

const idIn = (answer: { headers: Headers; status: number; text: string }) => {
  expect(answer.status, answer.text).toBe(201);
  return /^\/api\/admin\/video-uploads\/([0-9a-f]{32})$/.exec(answer.headers.get('location')!)![1]!;
};

const waiting = async (id: string) => {
  const [row] = await db().execute<{ count: number }>(
    sql`select count(*)::int as count from pgboss.job where name = ${processVideo.name} and data->>'id' = ${id}`,
  );
  return row!.count;
};
const work = (id: string) => processVideo.run({ id }, { isLast: false });
const folder = () => join(env().dataDir, 'video-uploads');
const leftOf = async (id: string) =>
  existsSync(folder()) ? (await readdir(folder())).filter((name) => name.startsWith(id)) : [];

describe('an upload of a video', () => {
  it('arrives in parts, goes on where it stopped, and is handed over once', async () => {
    const { course, begin, send, at, look, list } = await author();
    const id = idIn(await begin('Focus path.mp4', SAMPLE.length));
    expect(await look(id)).toMatchObject({ status: 'arriving', arrived: 0, size: SAMPLE.length, path: null });
    const first = await send(id, 0, SAMPLE.subarray(0, 1000));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '1000']);
    const wrong = await send(id, 999, SAMPLE.subarray(999));
    expect([wrong.status, wrong.body.code]).toEqual([409, 'conflict']);
    const head = await at('HEAD', id);
    expect([head.status, head.headers.get('upload-offset'), head.headers.get('cache-control')]).toEqual([
      200,
      '1000',
      'no-store',
    ]);
    expect(head.headers.get('access-control-allow-origin')).toBeNull();
    expect(await list()).toMatchObject({ converts: false, videos: [{ id, arrived: 1000 }] });
    const both = await Promise.all([1, 2].map(() => send(id, 1000, SAMPLE.subarray(1000))));
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await waiting(id)).toBe(1);
    // A sender that did not hear so asks, and hears that all is there; nobody can write any more.
    expect((await at('HEAD', id)).headers.get('upload-offset')).toBe(String(SAMPLE.length));
    expect((await send(id, SAMPLE.length, new Uint8Array())).status).toBe(409);
    expect((await at('DELETE', id)).status).toBe(409);
    expect(await look(id)).toMatchObject({ status: 'checking', arrived: SAMPLE.length });
    await work(id);
    const ready = await look(id);
    expect(ready).toMatchObject({
      status: 'ready',
      duration: 33,
      height: 720,
      message: 'This server does not convert videos: learners get the file as it is.',
      path: expect.stringMatching(/^\/files\/[\w-]{16}\/focus-path\.mp4$/),
    });
    expect(await leftOf(id)).toEqual([]);
    expect(await findStoredVideo(ready.path)).toEqual({
      poster: null,
      files: [{ src: ready.path, mimeType: 'video/mp4', media: null }],
    });
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id);
    await makeLesson(course.id, { type: 'video', fileUrl: ready.path });
    const seen = (as: Awaited<ReturnType<typeof signIn>> | null, range = 'bytes=0-999') =>
      callRoute(fileRoute.GET, {
        path: ready.path,
        params: { path: ready.path.replace('/files/', '') },
        headers: { range },
        ...(as ? { withCookie: as } : {}),
      });
    const part = await seen(await signIn(learner));
    expect([part.status, part.headers.get('content-type'), part.headers.get('content-range')]).toEqual([
      206,
      'video/mp4',
      `bytes 0-999/${SAMPLE.length}`,
    ]);
    expect((await seen(null)).status).toBe(404);
  });

  it('is one of twenty that an account has begun; a further one is refused until one is given up', async () => {
    const { begin, at } = await author();
    const answers = await Promise.all(Array.from({ length: 21 }, () => begin('film.mp4', 10)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.message])).toEqual([
      [
        429,
        'You have begun 20 video uploads already. Finish or cancel one of them first; each goes by itself a day after its last part.',
      ],
    ]);
    expect((await at('DELETE', idIn(answers.find(({ status }) => status === 201)!))).status).toBe(204);
    expect((await begin('film.mp4', 10)).status).toBe(201);
    // Somebody else's are counted apart.
    expect((await (await author()).begin('film.mp4', 10)).status).toBe(201);
  });

  it('is refused in several pieces that are put together', async () => {
    const { begin } = await author();
    for (const concat of ['partial', 'final;/api/admin/video-uploads/a /api/admin/video-uploads/b']) {
      const answer = await begin('film.mp4', 10, { headers: { 'upload-concat': concat } });
      expect([answer.status, answer.body.message]).toEqual([
        400,
        'Upload-Concat is not taken here: begin one upload for the whole file, and send its parts one after the other.',
      ]);
    }
  });

  it('is refused by name at once where it cannot be played or is too large', async () => {
    const { course, begin, list } = await author();
    const cannot = (ending: string) => `.${ending} cannot be played. Choose a video: mp4, m4v, webm.`;
    const cases = [
      ['film.avi', 10, 400, cannot('avi')],
      ['film.mov', 10, 400, cannot('mov')],
      ['page.html', 10, 400, cannot('html')],
      ['film', 10, 400, 'A file without an ending cannot be played. Choose a video: mp4, m4v, webm.'],
      ['film.mp4', VIDEO_MAX_BYTES + 1, 413, expect.any(String)],
      ['film.mp4', 0, 400, 'The file is empty'],
      ['film.mp4', 'many', 400, expect.any(String)],
      ['film.mp4', -1, 400, expect.any(String)],
    ] as const;
    for (const [name, size, status, message] of cases) {
      const answer = await begin(name, size);
      expect([name, size, answer.status, answer.body.fields]).toEqual([
        name,
        size,
        status,
        { file: message },
      ]);
    }
    for (const courseId of [2_147_483_647, 'x', '', 1e12]) {
      expect((await begin('film.mp4', 10, { courseId })).status).toBe(404);
    }
    expect((await begin('film.mp4', 10, { headers: { 'tus-resumable': '0.1' } })).status).toBe(400);
    expect((await begin('film.mp4', 10, { headers: { 'upload-metadata': 'filename' } })).status).toBe(400);
    expect((await list()).videos).toEqual([]);
    expect(await db().$count(videos, eq(videos.courseId, course.id))).toBe(0);
  });

  it('takes no more bytes than were announced', async () => {
    const { begin, send, at } = await author();
    const id = idIn(await begin('film.mp4', 100));
    expect((await send(id, 0, new Uint8Array(101))).status).toBe(413);
    expect(Number((await at('HEAD', id)).headers.get('upload-offset'))).toBeLessThanOrEqual(100);
  });

  it('asks who sends at every request', async () => {
    const { begin, at, send, look, as } = await author();
    const id = idIn(await begin('film.mp4', SAMPLE.length));
    const student = await signIn(await makeUser());
    for (const [who, status] of [
      [{ as: null }, 401],
      [{ as: student }, 403],
      [{ as: null, withCookie: student }, 403],
      [{ as: null, withCookie: as, headers: { origin: 'https://evil.test' } }, 403],
    ] as const) {
      expect((await begin('film.mp4', 10, who)).status).toBe(status);
      expect((await at('DELETE', id, who)).status).toBe(status);
      if (!('headers' in who)) {
        expect((await at('HEAD', id, who)).status).toBe(status);
        expect((await send(id, 0, SAMPLE, who)).status).toBe(status);
      }
    }
    expect(await look(id)).toMatchObject({ status: 'arriving', arrived: 0 });
    for (const other of ['0'.repeat(32), 'x', '../../etc/passwd', `${id}.json`]) {
      expect((await at('HEAD', other)).status).toBe(404);
      expect((await send(other, 0, SAMPLE)).status).toBe(404);
    }
  });

  it('can be given up, and is forgotten when it has not moved for a day', async () => {
    const { begin, send, at, look } = await author();
    const [given, left, young] = [
      idIn(await begin('a.mp4', 5000)),
      idIn(await begin('b.mp4', 5000)),
      idIn(await begin('c.mp4', 5000)),
    ];
    await send(given, 0, new Uint8Array(1000));
    await send(left, 0, new Uint8Array(1000));
    expect((await at('DELETE', given)).status).toBe(204);
    expect([await leftOf(given), (await look(given)).code]).toEqual([[], 'not_found']);
    await moveBack(videos, eq(videos.id, left), { movedAt: { hours: 25 } });
    await sweepVideos.run(undefined, { isLast: false });
    expect([await leftOf(left), (await look(left)).code]).toEqual([[], 'not_found']);
    expect((await at('HEAD', left)).status).toBe(404);
    expect((await look(young)).status).toBe('arriving');
  });

  it('is taken in although the process ended after its last byte', async () => {
    const { upload, look } = await author();
    const id = await upload('film.mp4', SAMPLE);
    await db().update(videos).set({ status: 'arriving' }).where(eq(videos.id, id));
    expect((await look(id)).status).toBe('checking');
    expect(await waiting(id)).toBe(2);
    await Promise.all([work(id), work(id)]);
    expect((await look(id)).status).toBe('ready');
    expect(await db().$count(storedFiles, eq(storedFiles.path, (await look(id)).path))).toBe(1);
    await work(id);
  });

  it('that is no video, is cut off or coded otherwise fails with its reason', async () => {
    const { upload, look } = await author();
    const none = 'The file holds no video that can be read. It may be cut off or damaged.';
    for (const [name, bytes] of [
      ['noise.mp4', randomBytes(50_000)],
      ['cut.mp4', SAMPLE.subarray(SAMPLE.length - 4000)],
      ['list.mp4', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')],
      ['noise.webm', randomBytes(50_000)],
    ] as const) {
      const id = await upload(name, bytes);
      await work(id);
      expect([name, await look(id)]).toMatchObject([name, { status: 'failed', message: none, path: null }]);
      expect(await leftOf(id)).toEqual([]);
    }
    const half = await upload('half.mp4', SAMPLE.subarray(0, SAMPLE.length / 2));
    await work(half);
    expect(await look(half)).toMatchObject({
      status: 'failed',
      message:
        'The video is cut off: it says that it lasts 33 s, and only 15 s of it are there. Export it again, and upload it whole.',
      path: null,
    });
    const coded = Buffer.from(SAMPLE);
    const at = coded.indexOf('avc1', coded.indexOf('stsd'));
    coded.write('hvc1', at);
    const id = await upload('coded.mp4', coded);
    await work(id);
    expect((await look(id)).status).toBe('failed');
  });

  it('is worked on anew where its process has ended, by the sweep', async () => {
    const { upload, look } = await author();
    const id = await upload('film.mp4', SAMPLE);
    const before = await waiting(id);
    const other = '00000000-0000-4000-8000-000000000000';
    await db().update(videos).set({ worker: other }).where(eq(videos.id, id));
    await sweepVideos.run(undefined, { isLast: false });
    expect(await waiting(id)).toBe(before);
    await work(id);
    expect((await look(id)).status).toBe('checking');
    await moveBack(videos, eq(videos.id, id), { movedAt: { minutes: 2 } });
    await sweepVideos.run(undefined, { isLast: false });
    expect(await waiting(id)).toBe(before + 1);
    await work(id);
    expect((await look(id)).status).toBe('ready');
  });
});

/** A part of an MP4 as its players read it; those named free are passed over. */
function box(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(name, 4);
  return Buffer.concat([head, content]);
}

/** Free room on the disk from now on, as far as this site can tell. */
const leave = (bytes: number) => vi.mocked(statfs).mockResolvedValue({ bavail: bytes, bsize: 1 } as never);
const NO_ROOM = 'There is no room for this video at the moment. Please try again later.';

describe('an upload that goes wrong on its way', () => {
  it('keeps what arrived when the connection is lost at 99 %, and goes on from there', async () => {
    const { begin, send, at, look } = await author();
    const id = idIn(await begin('film.mp4', SAMPLE.length));
    const almost = Math.floor(SAMPLE.length * 0.99);
    let given = 0;
    const broken = new ReadableStream({
      async pull(controller) {
        if (given === almost) {
          // A connection that is lost brought something before.
          await vi.waitFor(async () => expect((await look(id)).arrived).toBeGreaterThan(0), 15_000);
          return controller.error(new Error('The connection was lost'));
        }
        const end = Math.min(given + 65_536, almost);
        controller.enqueue(new Uint8Array(SAMPLE.subarray(given, end)));
        given = end;
      },
    });
    const lost = await send(id, 0, broken as unknown as Uint8Array);
    expect([given, lost.status >= 400]).toEqual([almost, true]);
    expect(await look(id)).toMatchObject({ status: 'arriving', path: null });
    const arrived = Number((await at('HEAD', id)).headers.get('upload-offset'));
    expect(arrived).toBeGreaterThan(0);
    expect(arrived).toBeLessThanOrEqual(almost);
    expect((await send(id, arrived, SAMPLE.subarray(arrived))).status).toBe(204);
    await work(id);
    const { path, status } = await look(id);
    expect(status).toBe('ready');
    const [row] = await db().select().from(storedFiles).where(eq(storedFiles.path, path));
    expect(row!.sha256).toBe(createHash('sha256').update(SAMPLE).digest('hex'));
  });

  it('is kept once where it is sent twice, and each course has an address of its own', async () => {
    const { upload, look } = await author();
    const elsewhere = await author();
    const ids = [await upload('film.mp4', SAMPLE), await upload('film.mp4', SAMPLE)];
    ids.push(await elsewhere.upload('copy.mp4', SAMPLE));
    for (const id of ids) await work(id);
    const paths = await Promise.all(ids.map(async (id) => (await look(id)).path as string));
    expect(new Set(paths).size).toBe(3);
    const rows = await db().select().from(storedFiles).where(inArray(storedFiles.path, paths));
    expect([rows.length, new Set(rows.map(({ sha256 }) => sha256)).size]).toEqual([3, 1]);
  });

  it('that lies about its kind is refused by what it is, and nothing of it is kept', async () => {
    const { upload, look, list } = await author();
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const before = await db().$count(storedFiles);
    for (const [name, bytes] of [
      ['picture.mp4', picture],
      ['page.mp4', Buffer.from('<!doctype html><script>alert(1)</script>')],
      [
        'drawing.webm',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      ],
      ['film.webm', SAMPLE],
    ] as const) {
      const id = await upload(name, bytes);
      await work(id);
      const video = await look(id);
      expect([name, video.status, video.path]).toEqual([name, 'failed', null]);
      expect(video.message).toBe('The file holds no video that can be read. It may be cut off or damaged.');
      expect(await leftOf(id)).toEqual([]);
    }
    expect((await list()).videos).toHaveLength(4);
    expect(await db().$count(storedFiles)).toBe(before);
  });

  it('finds no room: before it begins, while it arrives, and for what it is converted to', async () => {
    const { begin, send, at, look, list, upload } = await author();
    leave(SAMPLE.length * 2 + 499_999_999);
    const refused = await begin('film.mp4', SAMPLE.length);
    expect([refused.status, refused.body.message]).toEqual([503, NO_ROOM]);
    expect((await list()).videos).toEqual([]);
    leave(SAMPLE.length * 2 + 500_000_000);
    const id = idIn(await begin('film.mp4', SAMPLE.length));
    expect((await send(id, 0, SAMPLE.subarray(0, 5000))).status).toBe(204);
    leave(499_999_999);
    const held = await send(id, 5000, SAMPLE.subarray(5000));
    expect([held.status, held.body.message]).toEqual([503, NO_ROOM]);
    expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(0);
    leave(600_000_000);
    vi.spyOn(FileStore.prototype, 'write').mockImplementationOnce(() => {
      leave(1000);
      return Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
    });
    const full = await send(id, 5000, SAMPLE.subarray(5000));
    expect([full.status, full.body.message]).toEqual([503, NO_ROOM]);
    // What has arrived is kept, and is enough to go on from.
    leave(10_000_000_000);
    expect((await at('HEAD', id)).headers.get('upload-offset')).toBe('5000');
    expect((await send(id, 5000, SAMPLE.subarray(5000))).status).toBe(204);
    await work(id);
    expect((await look(id)).status).toBe('ready');

    const tools = await mkdtemp(join(tmpdir(), 'academy-tools-'));
    const tool = (name: string, script: string) =>
      writeFile(join(tools, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const probe = {
      streams: [{ codec_type: 'video', codec_name: 'h264', height: 540 }],
      format: { duration: '33', format_name: 'mov,mp4' },
    };
    await tool('ffprobe', `echo '${JSON.stringify(probe)}'`);
    await tool('ffmpeg', `case "$*" in *-encoders*) echo libx264 aac;; *) exit 1;; esac`);
    process.env.PATH = `${tools}:${PATH}`;
    const second = await upload('film.mp4', SAMPLE);
    leave(1000);
    await expect(work(second)).rejects.toThrow('No room');
    expect((await look(second)).status).toBe('converting');
    await processVideo.run({ id: second }, { isLast: true });
    expect(await look(second)).toMatchObject({
      status: 'ready',
      message:
        'There was no room for the video. Please upload it again later. Learners get the file as it is.',
    });
    leave(10_000_000_000);
    const third = await upload('film.mp4', SAMPLE);
    await work(third);
    expect((await look(third)).message).toBe(
      'The video could not be converted. It may be damaged. Learners get the file as it is.',
    );
    await rm(tools, { recursive: true });
  });

  it('goes into an object store whole, and leaves nothing on this disk', async () => {
    const bucket = await mkdtemp(join(tmpdir(), 'academy-s3-'));
    const server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: bucket,
      configureBuckets: [{ name: 'academy', configs: [] }],
    });
    const { port } = await server.run();
    setEnvironment({
      S3_BUCKET: 'academy',
      S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    });
    try {
      const { as, upload, look } = await author();
      const own = Buffer.concat([SAMPLE, box('free', randomBytes(1000))]);
      const id = await upload('film.mp4', own);
      // Out of reach: the video waits here, and nobody has to send it again.
      await expect(work(id)).rejects.toThrow();
      expect(await look(id)).toMatchObject({ status: 'checking', path: null });
      expect((await leftOf(id)).length).toBeGreaterThan(0);
      setEnvironment({ S3_ENDPOINT: `http://127.0.0.1:${port}` });
      await work(id);
      const video = await look(id);
      expect(video.status).toBe('ready');
      const [row] = await db().select().from(storedFiles).where(eq(storedFiles.path, video.path));
      expect(existsSync(storedFileLocation(env().dataDir, row!.sha256))).toBe(false);
      expect(await leftOf(id)).toEqual([]);
      const whole = await (await fileStore().read(row!.sha256, { start: 0, end: row!.size - 1 })).toArray();
      expect(Buffer.concat(whole as Buffer[]).equals(own)).toBe(true);
      const part = await callRoute(fileRoute.GET, {
        path: video.path,
        params: { path: video.path.replace('/files/', '') },
        headers: { range: `bytes=${own.length - 10}-` },
        withCookie: as,
      });
      expect([part.status, part.headers.get('content-length')]).toEqual([206, '10']);
    } finally {
      setEnvironment({
        S3_BUCKET: undefined,
        S3_ENDPOINT: undefined,
        S3_ACCESS_KEY_ID: undefined,
        S3_SECRET_ACCESS_KEY: undefined,
      });
      await server.close();
      await rm(bucket, { recursive: true });
    }
  });
});

describe('a video that two courses show', () => {
  const lives = async (path: string) => {
    await moveBack(storedFiles, undefined, { createdAt: { hours: 2 } });
    await sweepVideos.run(undefined, { isLast: false });
    const stored = await findStoredVideo(path);
    return [stored?.files.length ?? 0, await db().$count(storedFiles, like(storedFiles.path, `${path}/%`))];
  };
  const shown = async () => {
    const { course, upload, look, ...more } = await author();
    const id = await upload('film.mp4', SAMPLE);
    await work(id);
    const { path } = await look(id);
    const sizes = [720, 480].map((height) => ({ path: `${path}/${height}.mp4`, height }));
    for (const size of sizes) {
      const file = { area: 'files', originalName: 'film.mp4', mimeType: 'video/mp4', bytes: SAMPLE } as const;
      await storeFile(db(), fileStore(), { ...file, path: size.path });
    }
    await db().update(videos).set({ sizes }).where(eq(videos.id, id));
    const lesson = await makeLesson(course.id, { type: 'video', content: '', fileUrl: path });
    return { ...more, course, path, lesson };
  };

  it('lives until the last of them is gone', async () => {
    const { course, path, as } = await shown();
    const other = await duplicateCourse({ ...(await makeAdmin()), name: 'Grace' }, course.id);
    const remove = (id: number) =>
      callRoute(courseRoute.DELETE, { method: 'DELETE', params: { id: String(id) }, as });
    expect((await remove(course.id)).body).toMatchObject({ outcome: 'removed' });
    expect(await lives(path)).toEqual([2, 2]);
    expect(
      (await callRoute(videosRoute.GET, { params: { id: String(other.id) }, as })).body.videos,
    ).toMatchObject([{ path }]);
    await remove(other.id);
    expect(await lives(path)).toEqual([0, 0]);
  });

  it('lives as long as an earlier version of a lesson shows it', async () => {
    const { course, path, as } = await shown();
    const other = await duplicateCourse({ ...(await makeAdmin()), name: 'Grace' }, course.id);
    const [copy] = await db().select().from(lessons).where(eq(lessons.courseId, other.id));
    await db().transaction((tx) =>
      changeLesson(
        tx,
        copy!.id,
        { type: 'video', title: 'Another', fileUrl: 'https://example.com/a.mp4' } as LessonToWrite,
        null,
      ),
    );
    await callRoute(courseRoute.DELETE, { method: 'DELETE', params: { id: String(course.id) }, as });
    expect(await lives(path)).toEqual([2, 2]);
  });
});

describe.runIf(machineConverts)('on a machine with ffmpeg', () => {
  it('a video is converted to two sizes with a poster, read like the video, and forgotten with its course', async () => {
    process.env.PATH = PATH;
    const { course, as, upload, look, list } = await author();
    const id = await upload('focus.mp4', SAMPLE);
    await work(id);
    expect((await list()).converts).toBe(true);
    const video = await look(id);
    expect(video).toMatchObject({ status: 'ready', percent: 100, duration: 33, height: 720, message: '' });
    const stored = await findStoredVideo(video.path);
    expect(stored).toEqual({
      poster: `${video.path}/poster.jpg`,
      files: [
        { src: `${video.path}/480.mp4`, mimeType: 'video/mp4', media: '(max-width: 40rem)' },
        { src: `${video.path}/720.mp4`, mimeType: 'video/mp4', media: null },
      ],
    });
    expect(await leftOf(id)).toEqual([]);
    const read = (path: string, session: typeof as | null) =>
      callRoute(fileRoute.GET, {
        path,
        params: { path: path.replace('/files/', '') },
        ...(session ? { withCookie: session } : {}),
      });
    const learner = await signIn(await makeUser());
    await makeLesson(course.id, { type: 'video', fileUrl: video.path });
    for (const path of [stored!.poster!, ...stored!.files.map(({ src }) => src)]) {
      expect([path, (await read(path, as)).status, (await read(path, learner)).status]).toEqual([
        path,
        200,
        404,
      ]);
    }
    const small = await read(`${video.path}/480.mp4`, as);
    expect(small.headers.get('content-type')).toBe('video/mp4');
    await db().delete(courses).where(eq(courses.id, course.id));
    await moveBack(storedFiles, undefined, { createdAt: { hours: 2 } });
    await sweepVideos.run(undefined, { isLast: false });
    expect(await db().$count(storedFiles, like(storedFiles.path, `${video.path}/%`))).toBe(0);
  }, 120_000);

  it.each([
    ['mpeg2video', []],
    ['libx264', ['-pix_fmt', 'yuv420p']],
  ])(
    'takes a Matroska file of %s, which browsers do not play, and asks nothing of the network',
    async (coder, options) => {
      process.env.PATH = PATH;
      const run = promisify(execFile);
      const file = join(tmpdir(), `video-${randomBytes(6).toString('hex')}.mkv`);
      const source = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=5:duration=2'];
      await run('ffmpeg', ['-v', 'error', ...source, '-c:v', coder, ...options, file]);
      const { course, as, upload, look } = await author();
      const id = await upload('old.mkv', await readFile(file));
      await rm(file);
      await work(id);
      const video = await look(id);
      expect(video).toMatchObject({ status: 'ready', height: 180, message: '' });
      expect(await findStoredVideo(video.path)).toMatchObject({ files: [{ src: `${video.path}/180.mp4` }] });
      const lesson = {
        ...{ type: 'video', title: 'Old film', section: 'Films', content: '', fileUrl: video.path },
        ...{ watchRequired: true, durationSeconds: 2 },
      };
      const saved = await callRoute(lessonsRoute.POST, {
        ...{ method: 'POST', params: { id: String(course.id) }, as, body: lesson },
      });
      expect(saved.status, saved.text).toBe(201);
      const found = await readLesson(saved.body.id);
      expect(found!.lesson).toMatchObject({ fileUrl: video.path });
      expect((await proveLesson(found!)).findings).toEqual([]);
      let asked = 0;
      const trap: Server = createServer((_request, response) => {
        asked += 1;
        response.end();
      });
      await new Promise<void>((done) => trap.listen(0, '127.0.0.1', done));
      const { port } = trap.address() as { port: number };
      const list = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:${port}/x.ts\n#EXT-X-ENDLIST\n`;
      const hostile = await upload('list.mp4', Buffer.from(list));
      await work(hostile);
      trap.close();
      expect([(await look(hostile)).status, asked]).toEqual(['failed', 0]);
    },
    120_000,
  );
});

afterAll(() => rm(folder(), { recursive: true, force: true }));
