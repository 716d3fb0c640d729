import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, like, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { courses, lessons, pictures } from '#db/schema/catalogue.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import * as pictureRoute from '#src/pages/api/admin/pictures/[id].ts';
import * as picturesRoute from '#src/pages/api/admin/courses/[id]/pictures.ts';
import * as fileRoute from '#src/pages/pictures/[...path].ts';
import { fileStore, forgetBytes } from '#src/server/files/files.ts';
import { env } from '#src/server/start/env.ts';
import { housekeeping } from '#src/server/start/housekeeping.ts';
import { pictureFacts } from '#src/shared/pictures.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { moveBack } from '../../support/move-back.ts';

const plain = (width: number, height: number, background = '#3366cc') =>
  sharp({ create: { width, height, channels: 3, background } });

function form(name: string, bytes: Uint8Array | string, alt?: string): FormData {
  const data = new FormData();
  data.append('file', new Blob([bytes as BlobPart]), name);
  if (alt !== undefined) data.append('alt', alt);
  return data;
}

async function library() {
  const course = await makeCourse();
  const as = await signIn(await makeAdmin());
  const call = (
    route: typeof picturesRoute.GET,
    id: number,
    options: { method?: string; body?: unknown } = {},
  ) => callRoute(route, { params: { id: String(id) }, as, ...options });
  return {
    course,
    as,
    add: (body: FormData) => call(picturesRoute.POST, course.id, { method: 'POST', body }),
    list: async () => (await call(picturesRoute.GET, course.id)).body,
    describe: (id: number, alt: unknown) => call(pictureRoute.PUT, id, { method: 'PUT', body: { alt } }),
    remove: (id: number) => call(pictureRoute.DELETE, id, { method: 'DELETE' }),
  };
}

const read = (path: string, as: Awaited<ReturnType<typeof signIn>> | null = null) =>
  callRoute(fileRoute.GET, {
    path,
    params: { path: path.replace('/pictures/', '') },
    ...(as ? { withCookie: as } : {}),
  });

const filesOf = (path: string) =>
  db()
    .select({ path: storedFiles.path, mimeType: storedFiles.mimeType, sha256: storedFiles.sha256 })
    .from(storedFiles)
    .where(like(storedFiles.path, `${path.split('/').slice(0, 3).join('/')}/%`));

afterEach(async () => {
  vi.restoreAllMocks();
  const folder = join(env().dataDir, 'uploads');
  expect(existsSync(folder) ? await readdir(folder) : []).toEqual([]);
});

describe('an uploaded picture', () => {
  it('is kept in every size up to its own, without what the camera noted', async () => {
    const { add, list, as } = await library();
    const photo = await plain(800, 1000)
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { status, body } = await add(form('My Photo (1).JPEG', photo, ' A blue square '));
    expect(status).toBe(201);
    // Upright: its orientation said that the sides are swapped.
    expect(body).toEqual({
      id: expect.any(Number),
      path: expect.stringMatching(/^\/pictures\/[\w-]{16}\/my-photo-1-1000x800\.jpg$/),
      name: 'My Photo (1).JPEG',
      alt: 'A blue square',
      usedIn: [],
    });
    expect(await list()).toEqual([body]);
    const facts = pictureFacts(body.path)!;
    expect(facts).toMatchObject({ width: 1000, height: 800 });
    expect((await filesOf(body.path)).map(({ path }) => path).sort()).toEqual(
      facts.files.map(({ path }) => path).sort(),
    );
    for (const { path, width, kind } of facts.files) {
      const file = (await filesOf(body.path)).find((one) => one.path === path)!;
      const stream = await fileStore().read(file.sha256, { start: 0, end: 10_000_000 });
      const found = await sharp(Buffer.concat(await stream.toArray())).metadata();
      expect([path, found.width, found.exif, found.orientation]).toEqual([path, width, undefined, undefined]);
      expect(file.mimeType).toBe(
        { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg', png: '' }[kind],
      );
    }
    const answer = await read(`${body.path}/480.webp`, as);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/webp',
      'private, no-cache',
    ]);
  });

  it('may have one pixel, 16 bits, a still GIF or more pixels than a page shows', async () => {
    const { add } = await library();
    const deep = await plain(30, 20).toColourspace('rgb16').png().toBuffer();
    expect((await sharp(deep).metadata()).depth).toBe('ushort');
    const cases = [
      ['dot.png', await plain(1, 1).png().toBuffer(), /dot-1x1\.png$/],
      ['deep.png', deep, /deep-30x20\.png$/],
      ['still.gif', await plain(50, 40, '#222222').gif().toBuffer(), /still-50x40\.png$/],
      ['wide.webp', await plain(4000, 100).webp().toBuffer(), /wide-1920x48\.webp$/],
      ['x.y.avif', await plain(20, 20).avif().toBuffer(), /x-y-20x20\.avif$/],
    ] as const;
    for (const [name, bytes, path] of cases) {
      const answer = await add(form(name, bytes));
      expect([name, answer.status, answer.body.path]).toEqual([name, 201, expect.stringMatching(path)]);
    }
  });

  it('is refused by name where it is none, and nothing of it is kept', async () => {
    const { add, list } = await library();
    const noise = await sharp({
      create: {
        width: 600,
        height: 600,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .jpeg()
      .toBuffer();
    const moving = await sharp(
      [await plain(9, 9, '#ff0000').png().toBuffer(), await plain(9, 9, '#00ff00').png().toBuffer()],
      { join: { animated: true } },
    )
      .gif()
      .toBuffer();
    const huge = Buffer.from(await plain(1, 1).png().toBuffer());
    // What its head promises is all that is looked at.
    huge.writeUInt32BE(20_000, 16);
    huge.writeUInt32BE(10_000, 20);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const before = await db().$count(storedFiles);
    const cases = [
      ['drawing.svg', svg, 415, 'Choose a picture: png, jpg, jpeg, webp, avif, gif'],
      ['drawing.png', svg, 415, 'The file is not what its name says: .png'],
      ['photo.png', noise, 415, 'The file is not what its name says: .png'],
      ['report.pdf', '%PDF-1.7', 415, 'Choose a picture: png, jpg, jpeg, webp, avif, gif'],
      ['none.jpg', '', 400, 'The file is empty'],
      ['cut.jpg', noise.subarray(0, noise.length / 2), 400, 'The picture is cut off or damaged.'],
      ['huge.png', huge, 400, 'The picture has 200 megapixels; at most 50 are taken.'],
      [
        'moving.gif',
        moving,
        400,
        'The picture moves, which readers cannot stop. Upload a still one, or a video.',
      ],
      [
        'large.jpg',
        Buffer.concat([noise, Buffer.alloc(20 * 1_048_576)]),
        413,
        'The file must not be larger than 20 MB.',
      ],
    ] as const;
    for (const [name, bytes, status, message] of cases) {
      const answer = await add(form(name, bytes));
      expect([name, answer.status, answer.body.fields]).toEqual([name, status, { file: message }]);
    }
    const nothing = await add(new FormData());
    expect([nothing.status, nothing.body.fields]).toEqual([400, { file: 'Choose a picture' }]);
    const longAlt = await add(form('a.jpg', noise, 'x'.repeat(501)));
    expect([longAlt.status, Object.keys(longAlt.body.fields)]).toEqual([400, ['alt']]);
    expect(await list()).toEqual([]);
    expect(await db().$count(storedFiles)).toBe(before);
  });

  it('is one picture however often it is sent, also at the same moment', async () => {
    const { add, list } = await library();
    const bytes = await plain(500, 300).png().toBuffer();
    const answers = await Promise.all([1, 2, 3].map((n) => add(form(`twice-${n}.png`, bytes))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.path)).size).toBe(1);
    const again = await add(form('again.png', bytes));
    expect([again.status, again.body.path]).toEqual([200, answers[0]!.body.path]);
    expect(await list()).toHaveLength(1);
    expect(await filesOf(again.body.path)).toHaveLength(pictureFacts(again.body.path)!.files.length);
    const elsewhere = await library();
    expect((await elsewhere.add(form('own.png', bytes))).status).toBe(201);
  });

  it('leaves nothing half there when the disk is full (F9)', async () => {
    const { add, list } = await library();
    const before = await db().$count(storedFiles);
    const store = fileStore();
    const put = store.put.bind(store);
    const kept: string[] = [];
    vi.spyOn(store, 'put').mockImplementation(async (sha256, source, size) => {
      if (kept.length === 2) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      await put(sha256, source, size);
      kept.push(sha256);
    });
    const answer = await add(form('full.png', await plain(700, 300, '#112233').png().toBuffer()));
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect(await list()).toEqual([]);
    expect(await db().$count(storedFiles)).toBe(before);
    expect(kept).toHaveLength(2);
    for (const sha256 of kept) expect(await store.size(sha256)).toBeNull();
  });

  it('belongs to a course that is there', async () => {
    const { as } = await library();
    for (const id of ['2147483647', '0', 'x']) {
      const answer = await callRoute(picturesRoute.POST, {
        method: 'POST',
        params: { id },
        as,
        body: form('a.png', await plain(1, 1).png().toBuffer()),
      });
      expect(answer.status).toBe(404);
    }
  });
});

describe('a picture of a course', () => {
  async function withPicture() {
    const made = await library();
    const { body } = await made.add(form('p.png', await plain(500, 400).png().toBuffer(), 'A plan'));
    return { ...made, picture: body as { id: number; path: string } };
  }

  it('is read by the rule of lesson files (decision 32, I9)', async () => {
    const { course, picture, as } = await withPicture();
    const [learner, other] = [await makeUser(), await makeUser()];
    await makeEnrollment(learner.id, course.id);
    await makeEnrollment(other.id, (await makeCourse()).id);
    const seen = async () => {
      const readers = [null, await signIn(other), await signIn(learner), as];
      return Promise.all(
        readers.flatMap((reader) =>
          [picture.path, `${picture.path}/480.avif`].map((path) => read(path, reader)),
        ),
      ).then((answers) => answers.map(({ status }) => status));
    };
    const closed = [404, 404, 404, 404, 200, 200, 200, 200];
    expect(await seen()).toEqual(closed);
    const lesson = await makeLesson(course.id, { content: `![A plan](${picture.path})` });
    expect(await seen()).toEqual(closed);
    await db().update(lessons).set({ isPreview: true }).where(eq(lessons.id, lesson.id));
    await db().update(courses).set({ isActive: true }).where(eq(courses.id, course.id));
    expect(await seen()).toEqual([200, 200, 200, 200, 200, 200, 200, 200]);
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, course.id));
    expect(await seen()).toEqual(closed);
    for (const path of [`${picture.path}/960.avif`, `${picture.path}/480.svg`, `${picture.path}/../x`]) {
      expect((await read(path, as)).status).toBe(404);
    }
  });

  it('is described, told where it is shown, and removed only where it is not', async () => {
    const { course, picture, list, describe: say, remove } = await withPicture();
    expect((await say(picture.id, ' A better word ')).body.alt).toBe('A better word');
    expect((await say(picture.id, 'x'.repeat(501))).body.fields).toEqual({
      alt: 'Alternative text must be at most 500 characters',
    });
    const lesson = await makeLesson(course.id, {
      title: 'The plan',
      content: `See\n\n![x](${picture.path} "y")`,
    });
    expect((await list())[0].usedIn).toEqual(['The plan']);
    const refused = await remove(picture.id);
    expect([refused.status, refused.body.message]).toEqual([409, 'The picture is shown in: The plan.']);
    await db().delete(lessons).where(eq(lessons.id, lesson.id));
    const files = await filesOf(picture.path);
    expect((await remove(picture.id)).body).toEqual({ removed: true });
    expect([await filesOf(picture.path), await list()]).toEqual([[], []]);
    expect((await remove(picture.id)).status).toBe(404);
    expect((await say(picture.id, 'x')).status).toBe(404);
    const jobs = await db().execute<{ sha256: string }>(
      sql`select data->>'sha256' as sha256 from pgboss.job where name = ${forgetBytes.name}`,
    );
    expect(jobs.map(({ sha256 }) => sha256)).toEqual(
      expect.arrayContaining(files.map(({ sha256 }) => sha256)),
    );
  });

  it('goes with its course, by the housekeeping', async () => {
    const { course, picture } = await withPicture();
    const kept = await withPicture();
    await db().delete(courses).where(eq(courses.id, course.id));
    expect(await db().$count(pictures, eq(pictures.id, picture.id))).toBe(0);
    await housekeeping.run(undefined, { isLast: false });
    expect(await filesOf(picture.path)).not.toEqual([]);
    await moveBack(storedFiles, undefined, { createdAt: { hours: 2 } });
    await housekeeping.run(undefined, { isLast: false });
    expect(await filesOf(picture.path)).toEqual([]);
    expect(await filesOf(kept.picture.path)).not.toEqual([]);
  });
});
