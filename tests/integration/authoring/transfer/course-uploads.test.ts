import { existsSync } from 'node:fs';
import { readdir, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeUser } from '../../../support/factories.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';
import { categories, courses } from '#db/schema/catalogue.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { sweepAbandoned } from '#src/server/files/uploads.ts';
import { env, setEnvironment } from '#src/server/start/env.ts';
import { signIn } from '../../../support/api.ts';
import { zipOf } from '../../../support/archives.ts';
import {
  atArchive,
  beginArchive,
  begunId,
  readArchive,
  sendPart,
  uploadArchive,
} from '../../../support/course-imports.ts';

// As it is, except where a test says how much room there is.
vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>();
  return { ...actual, statfs: vi.fn(actual.statfs) };
});

let as: Awaited<ReturnType<typeof signIn>>;
let colleague: typeof as;
beforeAll(async () => {
  [as, colleague] = [await signIn(await makeAdmin()), await signIn(await makeAdmin())];
  await db()
    .insert(categories)
    .values(FIXED_CATEGORIES.map((one) => ({ ...one })))
    .onConflictDoNothing();
});
afterEach(() => {
  vi.mocked(statfs).mockReset();
  setEnvironment({ COURSE_MAX_MB: undefined });
});

const archive = (title: string) =>
  zipOf([
    [
      'course.yaml',
      `title: ${title}\ndescription: One lesson.\ncategory: 1\nlevel: beginner\nprice: "0.00"\nthumbnail: /favicon.svg\nlessons:\n  - section: Only\n    items:\n      - one\n`,
    ],
    [
      'lessons/one.md',
      '---\ntitle: One\ntype: document\nsection: Only\nisPreview: false\nrequiredToComplete: true\npoints: 5\nfile: plan.txt\n---\n\nText.\n',
    ],
    ['files/plan.txt', `The plan of ${title}`],
  ]);

const folder = () => join(env().dataDir, 'course-uploads');
const leftOf = async (id: string) =>
  existsSync(folder()) ? (await readdir(folder())).filter((name) => name.startsWith(id)).sort() : [];
const made = (title: string) => db().$count(courses, eq(courses.title, title));
const GONE =
  'The upload is not there: it was read, refused or given up, or nothing was done with it for a day. Send the file again.';

describe('an archive that is uploaded part by part', () => {
  it('goes on where it stopped, is looked at, applied without being sent again, and is gone', async () => {
    const bytes = await archive('Part by part');
    const id = begunId(await beginArchive(as, bytes.length));
    const almost = Math.floor(bytes.length * 0.99);
    expect((await sendPart(as, id, 0, bytes.subarray(0, almost))).status).toBe(204);
    // Cut at 99 %: it waits, and nothing of it is read.
    const early = await readArchive(as, id);
    expect([early.status, early.body.code, early.body.fields]).toEqual([
      409,
      'conflict',
      {
        upload: `Not all of the archive has arrived: ${almost} of ${bytes.length} bytes. Send the rest first.`,
      },
    ]);
    expect((await atArchive(as, 'HEAD', id)).headers.get('upload-offset')).toBe(String(almost));
    expect((await sendPart(as, id, almost, bytes.subarray(almost))).status).toBe(204);
    const looks = await Promise.all([readArchive(as, id), readArchive(as, id)]);
    expect(looks.map(({ status }) => status)).toEqual([200, 200]);
    const { digest, courseId } = looks[0]!.body.plan;
    expect([courseId, await made('Part by part')]).toEqual([null, 0]);
    const both = await Promise.all([readArchive(as, id, { digest }), readArchive(as, id, { digest })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await made('Part by part')).toBe(1);
    expect(await leftOf(id)).toEqual([]);
    const again = await readArchive(as, id, { digest });
    expect([again.status, again.body.code, again.body.message]).toEqual([404, 'not_found', GONE]);
    expect((await atArchive(as, 'HEAD', id)).status).toBe(404);
  });

  it('belongs to the administrator who began it', async () => {
    const bytes = await archive('Owned');
    // Whoever says to be another is not believed.
    const owner = `owner ${Buffer.from('1').toString('base64')}`;
    const id = begunId(await beginArchive(as, bytes.length, { headers: { 'upload-metadata': owner } }));
    expect((await sendPart(colleague, id, 0, bytes)).status).toBe(404);
    expect((await atArchive(colleague, 'HEAD', id)).status).toBe(404);
    expect((await sendPart(as, id, 0, bytes)).status).toBe(204);
    const other = await readArchive(colleague, id);
    expect([other.status, other.body.message]).toEqual([404, GONE]);
    expect((await atArchive(colleague, 'DELETE', id)).status).toBe(404);
    const student = await signIn(await makeUser());
    for (const [who, status] of [
      [null, 401],
      [student, 403],
    ] as const) {
      expect((await beginArchive(who, 10)).status).toBe(status);
      expect((await sendPart(who, id, 0, bytes)).status).toBe(status);
      expect((await atArchive(who, 'HEAD', id)).status).toBe(status);
      expect((await atArchive(who, 'DELETE', id)).status).toBe(status);
      expect((await readArchive(who, id)).status).toBe(status);
    }
    expect((await readArchive(as, id)).status).toBe(200);
    expect((await atArchive(as, 'DELETE', id)).status).toBe(204);
    expect(await leftOf(id)).toEqual([]);
    expect((await readArchive(as, id)).status).toBe(404);
  });

  it('is one of twenty that an administrator has begun', async () => {
    const busy = await signIn(await makeAdmin());
    const begun = [];
    for (let count = 0; count < 20; count += 1) begun.push(begunId(await beginArchive(busy, 10)));
    const refused = await beginArchive(busy, 10);
    expect([refused.status, refused.body.message]).toEqual([
      429,
      'You have begun 20 archive uploads already. Finish or cancel one of them first; each goes by itself a day after its last part.',
    ]);
    for (const id of begun) expect((await atArchive(busy, 'DELETE', id)).status).toBe(204);
    expect((await beginArchive(busy, 10)).status).toBe(201);
  });

  it('is refused by what names no upload', async () => {
    for (const upload of [null, 7, 'x', '../../etc/passwd', `${'0'.repeat(32)}.json`]) {
      const answer = await readArchive(as, upload);
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['upload']]);
    }
    expect((await readArchive(as, '0'.repeat(32))).status).toBe(404);
    for (const id of ['0'.repeat(32), 'x', '../../etc/passwd'])
      expect((await atArchive(as, 'HEAD', id)).status).toBe(404);
  });

  it('that is a zip file cut at 99 % is refused, and nothing is written or left behind', async () => {
    const whole = await archive('Cut');
    const before = await db().$count(storedFiles);
    const id = await uploadArchive(as, whole.subarray(0, Math.floor(whole.length * 0.99)));
    const refused = await readArchive(as, id);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'the archive: is no zip file, or is cut off or broken',
    ]);
    expect([await made('Cut'), await db().$count(storedFiles), await leftOf(id)]).toEqual([0, before, []]);
    expect((await readArchive(as, id)).status).toBe(404);
  });

  it('is kept where the refusal may pass', async () => {
    const bytes = await archive('Kept');
    const id = await uploadArchive(as, bytes);
    expect((await readArchive(as, id, { courseId: 2_147_483_647 })).status).toBe(404);
    const other = await readArchive(as, id, { digest: 'another plan' });
    expect([other.status, other.body.plan.title]).toEqual([409, 'Kept']);
    vi.mocked(statfs).mockResolvedValue({ bavail: 500_000_000, bsize: 1 } as never);
    const full = await readArchive(as, id);
    expect([full.status, full.body.message]).toEqual([
      503,
      'There is no room on the disk for the files of this course.',
    ]);
    vi.mocked(statfs).mockReset();
    expect((await readArchive(as, id, { digest: other.body.plan.digest })).status).toBe(200);
    expect(await leftOf(id)).toEqual([]);
  });

  it('is refused at its beginning where it is too large, empty, or finds no room', async () => {
    setEnvironment({ COURSE_MAX_MB: '100' });
    for (const [size, status, message] of [
      [104_857_601, 413, 'The file must not be larger than 100 MB.'],
      [0, 400, 'The file is empty'],
      ['many', 400, expect.any(String)],
    ] as const) {
      const answer = await beginArchive(as, size);
      expect([size, answer.status, answer.body.fields]).toEqual([size, status, { file: message }]);
    }
    const id = begunId(await beginArchive(as, 1000));
    expect((await sendPart(as, id, 0, new Uint8Array(1001))).status).toBe(413);
    vi.mocked(statfs).mockResolvedValue({ bavail: 500_000_000 + 3 * 1000 - 1, bsize: 1 } as never);
    const full = await beginArchive(as, 1000);
    expect([full.status, full.body.message]).toEqual([
      503,
      'There is no room for this archive at the moment. Please try again later.',
    ]);
  });

  it('is forgotten when nothing was done with it for a day', async () => {
    const bytes = await archive('Swept');
    const ids = await Promise.all([1, 2, 3].map(() => uploadArchive(as, bytes)));
    const [left, moving, read] = ids as [string, string, string];
    const old = new Date(Date.now() - 25 * 3_600_000);
    for (const name of [left, `${left}.json`, `${moving}.json`, read, `${read}.json`])
      await utimes(join(folder(), name), old, old);
    // Being looked at keeps it.
    expect((await readArchive(as, read)).status).toBe(200);
    await sweepAbandoned();
    expect(await Promise.all(ids.map(leftOf))).toEqual([
      [],
      [moving, `${moving}.json`],
      [read, `${read}.json`],
    ]);
    expect((await readArchive(as, left)).status).toBe(404);
    expect((await readArchive(as, moving)).status).toBe(200);
  });
});
