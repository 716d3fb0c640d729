import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { desc, eq } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeLesson } from '../../../support/factories.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';
import { auditLog } from '#db/schema/account.ts';
import { categories, findingOverrides, lessons, publishChecks } from '#db/schema/catalogue.ts';
import {
  lessonJob,
  overrideFinding,
  startPublishCheck,
} from '#src/features/authoring/publishing/publish-check.server.ts';
import { publishReport } from '#src/features/authoring/publishing/publish-report.server.ts';
import { exportCourse } from '#src/features/authoring/transfer/course-export.server.ts';
import { importCourse } from '#src/features/authoring/transfer/course-import.server.ts';
import {
  type UnpackedCourse,
  withUnpackedCourse,
} from '#src/features/authoring/transfer/course-zip.server.ts';
import { proveCourseFiles } from '#src/features/authoring/transfer/prove-files.server.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { type ArchiveFiles, unzip, zipOf } from '../../../support/archives.ts';

const REASON = 'The page that shows it comes next week.';
const CONTENT = 'See ![a cat](//example.com/cat.png).';
const FILE = 'lessons/01-broken.md';

let scratch: string;
let actor: { id: number; name: string };
let importer: { id: number; name: string };
beforeAll(async () => {
  actor = { id: (await makeAdmin()).id, name: 'Grace Hopper' };
  importer = { id: (await makeAdmin()).id, name: 'Mary Shaw' };
  await db()
    .insert(categories)
    .values(FIXED_CATEGORIES.map((one) => ({ ...one })))
    .onConflictDoNothing();
});
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'let-pass-'));
});
afterEach(async () => {
  setEnvironment({ PUBLISH_CHECK: undefined });
  await rm(scratch, { recursive: true, force: true });
});

async function check(courseId: number) {
  const { run } = await startPublishCheck(actor, courseId);
  const rows = await db().select().from(publishChecks).where(eq(publishChecks.runId, run!.id));
  for (const { lessonId } of rows) await lessonJob.run({ runId: run!.id, lessonId }, { isLast: true });
  return publishReport(courseId);
}

async function broken() {
  const course = await makeCourse({ isActive: false });
  const lesson = await makeLesson(course.id, { title: 'Broken', content: CONTENT });
  const [error] = (await check(course.id)).lessons[0]!.findings;
  return { courseId: course.id, lessonId: lesson.id, error: error! };
}

const exported = async (id: number) =>
  unzip(Buffer.from(await new Response((await exportCourse(id)).body).arrayBuffer()));

async function unpacked<T>(files: ArchiveFiles, work: (folder: UnpackedCourse) => Promise<T>): Promise<T> {
  const zip = join(scratch, 'course.zip');
  await writeFile(zip, await zipOf(files));
  return withUnpackedCourse(zip, join(scratch, 'unpacked'), work);
}

const prove = (files: ArchiveFiles) =>
  unpacked(files, async (folder) =>
    (await proveCourseFiles(folder)).map(({ severity, text }) => `${severity} ${text}`),
  );

const read = (files: ArchiveFiles, target: number | null) =>
  unpacked(files, async (folder) => {
    const { plan } = await importCourse(importer, folder, { target, digest: '' });
    const { appliedTo } = await importCourse(importer, folder, { target, digest: plan.digest });
    const changed = plan.rows.filter(({ kind, change }) => kind === 'lesson' && change !== 'unchanged');
    return { id: appliedTo!, changed: changed.map(({ change, details }) => [change, ...details]) };
  });

const passing = (files: ArchiveFiles, entries: string): ArchiveFiles =>
  new Map(files).set(
    FILE,
    Buffer.from(
      files
        .get(FILE)!
        .toString()
        .replace(/^points: .*$/m, `$&\nletPass: ${entries}`),
    ),
  );
const lessonOf = async (courseId: number) =>
  (await db().select().from(lessons).where(eq(lessons.courseId, courseId)))[0]!;
const overridesOf = (lessonId: number) =>
  db().select().from(findingOverrides).where(eq(findingOverrides.lessonId, lessonId));

describe('a finding that was let pass', () => {
  it('is let pass by the files too, as their lesson says', async () => {
    const { courseId, error } = await broken();
    const files = await exported(courseId);
    const wrong = `error ${FILE}: content: ${error.message} (finding ${error.key})`;
    expect(await prove(files)).toEqual([wrong]);
    const entry = `{ finding: ${error.key}, reason: ${REASON} }`;
    expect(await prove(passing(files, `[${entry}]`))).toEqual([]);
    const other = 'a'.repeat(24);
    expect(await prove(passing(files, `[${entry}, { finding: ${other}, reason: ${REASON} }]`))).toEqual([
      `warning ${FILE}: letPass: the check finds no ${other}: the lesson may have changed`,
    ]);
    setEnvironment({ PUBLISH_CHECK: 'required' });
    expect(await prove(passing(files, `[${entry}]`))).toEqual([
      wrong,
      `warning ${FILE}: letPass: nothing can be let pass where PUBLISH_CHECK is required`,
    ]);
  });

  it.each([
    ['yes', 'letPass: must be a list'],
    ['[{ finding: x, reason: It is good enough. }]', 'letPass.0.finding: must be the key of a finding'],
    [
      `[{ finding: ${'a'.repeat(24)}, reason: short }]`,
      'letPass.0.reason: Reason must be at least 10 characters',
    ],
    [`[{ finding: ${'a'.repeat(24)} }]`, 'letPass.0.reason: Reason must be text'],
  ])('is a mistake of the file where it is written as %s', async (entries, message) => {
    const { courseId } = await broken();
    const found = await prove(passing(await exported(courseId), entries));
    expect(found.filter((one) => one.includes('letPass'))).toEqual([expect.stringContaining(message)]);
  });

  it('goes out with the lesson as it is, and comes back as let pass by whoever reads it in', async () => {
    const { courseId, lessonId, error } = await broken();
    await overrideFinding(actor, courseId, { lessonId, finding: error.key, reason: REASON });
    const files = await exported(courseId);
    expect(files.get(FILE)!.toString()).toContain(
      `letPass:\n  - finding: ${error.key}\n    message: "${error.message}"\n    reason: ${REASON}\n`,
    );
    expect(await prove(files)).toEqual([]);
    expect((await read(files, courseId)).changed).toEqual([]);
    expect(await overridesOf(lessonId)).toHaveLength(1);

    const { id, changed } = await read(files, null);
    expect(changed).toEqual([['new', '1 finding let pass']]);
    const copy = await lessonOf(id);
    expect(await overridesOf(copy.id)).toMatchObject([
      {
        findingKey: error.key,
        message: error.message,
        reason: REASON,
        userId: importer.id,
        withdrawnAt: null,
      },
    ]);
    const [entry] = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'lesson.finding_overridden'))
      .orderBy(desc(auditLog.id));
    expect(entry).toMatchObject({ actorId: importer.id, subjectId: String(copy.id), reason: REASON });
    expect((await check(id)).lessons[0]).toMatchObject({ state: 'proven' });
    expect((await exported(id)).get(FILE)).toEqual(files.get(FILE));

    // What counted for another address is no part of the files.
    await db()
      .update(lessons)
      .set({ content: CONTENT.replace('cat.png', 'dog.png') })
      .where(eq(lessons.id, lessonId));
    const later = await exported(courseId);
    expect(later.get(FILE)!.toString()).not.toContain('letPass');
    await read(later, id);
    await read(files, id);
    expect((await exported(id)).get(FILE)).toEqual(files.get(FILE));
    await read(passing(later, '[]'), courseId);
    for (const lesson of [lessonId, copy.id])
      expect((await overridesOf(lesson)).filter(({ withdrawnAt }) => withdrawnAt === null)).toHaveLength(1);
  });

  it('is proven at once where nothing else changes, and is left out where nothing may pass', async () => {
    const { courseId, lessonId, error } = await broken();
    const files = passing(await exported(courseId), `[{ finding: ${error.key}, reason: ${REASON} }]`);
    setEnvironment({ PUBLISH_CHECK: 'required' });
    expect((await read(files, courseId)).changed).toEqual([]);
    expect(await overridesOf(lessonId)).toEqual([]);
    setEnvironment({ PUBLISH_CHECK: undefined });
    const { version } = await lessonOf(courseId);
    expect((await read(files, courseId)).changed).toEqual([['changed', '1 finding let pass']]);
    expect(await lessonOf(courseId)).toMatchObject({ version, provenRevision: expect.any(Number) });
  });
});
