import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeLesson } from '../../../support/factories.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';
import { categories, courses, lessons } from '#db/schema/catalogue.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { storeFile } from '#db/stored-files.ts';
import { exportCourse } from '#src/features/authoring/transfer/course-export.server.ts';
import { importCourse } from '#src/features/authoring/transfer/course-import.server.ts';
import { withUnpackedCourse, ZIP_LIMITS } from '#src/features/authoring/transfer/course-zip.server.ts';
import { fileStore, findFile } from '#src/server/files/files.ts';

const MB = 1_048_576;
/** More than an archive holds where nobody says another number. */
const SIZE = ZIP_LIMITS.totalBytes + 20 * MB;

let folder: string;
let actor: { id: number; name: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'large-'));
  actor = { id: (await makeAdmin()).id, name: 'Grace Hopper' };
  await db()
    .insert(categories)
    .values(FIXED_CATEGORIES.map((one) => ({ ...one })))
    .onConflictDoNothing();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function largeCourse() {
  const film = join(folder, 'film');
  const handle = await open(film, 'w');
  const part = randomBytes(MB);
  for (let at = 0; at < SIZE; at += MB) await handle.write(part);
  await handle.close();
  const hash = createHash('sha256');
  await pipeline(createReadStream(film), hash);
  const file = await storeFile(db(), fileStore(), {
    ...{ area: 'files', originalName: 'film.mkv', mimeType: 'video/x-matroska' },
    ...{ file: film, size: SIZE, sha256: hash.digest('hex') },
  });
  await rm(film);
  const course = await makeCourse({ isActive: false, title: 'A large one' });
  await makeLesson(course.id, { type: 'document', title: 'Film', fileUrl: file.path });
  const zip = join(folder, 'course.zip');
  await pipeline(Readable.fromWeb((await exportCourse(course.id)).body as never), createWriteStream(zip));
  return { zip, sha256: file.sha256 };
}

it('a course of hundreds of megabytes goes out and comes back; one that is cut off leaves nothing', {
  timeout: 300_000,
}, async () => {
  const { zip, sha256 } = await largeCourse();
  const scratch = join(folder, 'unpacked');
  const refused = (maxBytes?: number) =>
    withUnpackedCourse(zip, scratch, async () => 'read', maxBytes ? { maxBytes } : {}).catch(
      (error: unknown) => (error as Error).message,
    );
  expect(await refused()).toBe('the archive: holds more than 400 MB');
  expect(await refused(SIZE)).toBe(`the archive: holds more than ${SIZE / MB} MB`);

  const id = await withUnpackedCourse(
    zip,
    scratch,
    async (files) => {
      const { plan } = await importCourse(actor, files, { target: null, digest: '' });
      return (await importCourse(actor, files, { target: null, digest: plan.digest })).appliedTo!;
    },
    { maxBytes: SIZE + MB },
  );
  const [copy] = await db().select().from(lessons).where(eq(lessons.courseId, id));
  expect(await findFile(copy!.fileUrl!)).toMatchObject({ size: SIZE, sha256 });
  expect(await fileStore().size(sha256)).toBe(SIZE);

  const before = [await db().$count(courses), await db().$count(storedFiles)];
  await truncate(zip, Math.floor((await stat(zip)).size * 0.99));
  expect(await refused(SIZE + MB)).toBe('the archive: is no zip file, or is cut off or broken');
  expect([await db().$count(courses), await db().$count(storedFiles)]).toEqual(before);
  expect(await readdir(folder)).toEqual(['course.zip']);
});
