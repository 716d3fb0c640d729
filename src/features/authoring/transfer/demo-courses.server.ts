import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { count, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, takeTime, type Tx } from '#db/client.ts';
import { type FileStore, localFileStore } from '#db/file-store.ts';
import { hashPassword } from '#db/passwords.ts';
import { categories, courses, lessons, videos } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, pointsLedger, studyDays } from '#db/schema/learn.ts';
import { seatPriceSteps } from '#db/schema/store.ts';
import { storeFile } from '#db/stored-files.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';
import { progressPercent, skillLevelFor } from '#src/features/learn/progress/learn.ts';
import {
  addLessons,
  setOpenings,
  type LessonToWrite,
  setProven,
} from '#src/features/lessons/lesson-store.server.ts';
import { readVideo } from '#src/features/authoring/media/video-tools.server.ts';
import { columnsOf } from '#src/features/authoring/courses/course-fields.ts';
import {
  addAccount,
  readSeedFile,
  SeedError,
  seedBundles,
  seedCoupons,
  seedInstructors,
  seedRatings,
} from './demo-people.server.ts';
import {
  type CourseContent,
  CourseFileError,
  readCourse,
} from '#src/features/authoring/transfer/course-format.server.ts';
import {
  keptFileColumnsOf,
  lessonColumns,
  openingsByName,
} from '#src/features/authoring/transfer/lesson-rows.server.ts';

export { SeedError } from './demo-people.server.ts';

/** The published password of the demo accounts. */
export const DEMO_PASSWORD = 'learn-demo';
export const DEMO_ADMIN_EMAIL = 'admin@example.com';
export const DEMO_STUDENT_EMAIL = 'student@example.com';

/** What the demo student owns, so that the first look at the dashboard shows something. */
const DEMO_ENROLLMENT = { slug: 'javascript-fundamentals', lessonsDone: 3 };

const PROJECT_FOLDER = fileURLToPath(new URL('../../../..', import.meta.url));
const COURSES_FOLDER = join(PROJECT_FOLDER, 'db/seed/courses');
const CATEGORIES_FILE = join(PROJECT_FOLDER, 'db/seed/categories.yaml');
const SEED_LOCK = 727_106_003;

type DemoCourse = CourseContent & { slug: string; folder: string };

/**
 * Reads the demo courses: one folder each, in the format of db/seed/README.md.
 *
 * @throws {SeedError} for the first mistake, with its file and field
 */
export async function readDemoCourses(coursesFolder = COURSES_FOLDER): Promise<DemoCourse[]> {
  const entries = await readdir(coursesFolder, { withFileTypes: true });
  const found: DemoCourse[] = [];
  for (const entry of entries.filter((candidate) => candidate.isDirectory()).sort(byName)) {
    const folder = join(coursesFolder, entry.name);
    const files = {
      has: (path: string) => existsSync(join(folder, path)),
      text: (path: string) => readFile(join(folder, path), 'utf8'),
    };
    try {
      found.push({ ...(await readCourse(files, { complete: true })), slug: entry.name, folder });
    } catch (error) {
      if (!(error instanceof CourseFileError)) throw error;
      throw new SeedError(`${relative(PROJECT_FOLDER, folder)}/${error.message}`);
    }
  }
  return found;
}

const line = z
  .string('must be text')
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'is longer than 200 characters');

const categoryFile = z
  .array(
    z.strictObject({
      id: z.int('must be a whole number').positive(),
      name: line,
      description: line,
      icon: z.string().regex(/^[a-z-]+$/, 'must be a CSS class'),
    }),
  )
  .refine(
    (found) =>
      FIXED_CATEGORIES.every(({ id, name }) => found.some((one) => one.id === id && one.name === name)),
    {
      error: 'must have the five categories that the footer links to, under their ids',
    },
  );

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

const MIME_TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
  '.vtt': 'text/vtt',
  '.pdf': 'application/pdf',
};

async function keepFile(tx: Tx, store: FileStore, area: 'media' | 'files', path: string) {
  const mimeType = MIME_TYPES[extname(path)];
  if (!mimeType)
    throw new SeedError(`${relative(PROJECT_FOLDER, path)}: is of a kind that the demo does not use`);
  if (!existsSync(path)) throw new SeedError(`${relative(PROJECT_FOLDER, path)}: is missing`);
  return storeFile(tx, store, {
    area,
    originalName: basename(path),
    mimeType,
    bytes: await readFile(path),
  });
}

/**
 * Fills a database that has no courses with the demo catalogue and the two demo accounts. Gives false, and changes
 * nothing, where there are courses already.
 *
 * @param dataDir the folder of the site's own files; the courses' files are copied there
 * @param store where they are kept instead, such as an object store
 * @throws {SeedError} for a mistake in the content; nothing is kept then
 */
export async function seedDemo({
  dataDir,
  store = localFileStore(dataDir),
}: {
  dataDir: string;
  store?: FileStore;
}): Promise<boolean> {
  return db().transaction(async (tx) => {
    // Filling the database may take longer than a request may: neither the one that does it nor the one that waits for
    // the lock must fail for that.
    await takeTime(tx);
    // Two instances that start together must not both see an empty catalogue.
    await tx.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`);
    const [present] = await tx.select({ courses: count() }).from(courses);
    if (present!.courses > 0) return false;
    // Ties in popularity go to the highest id: the courses with most to study lead the lists.
    const demo = (await readDemoCourses()).sort((a, b) => a.content.length - b.content.length);
    await seedCategories(tx);
    const shared = { passwordHash: await hashPassword(DEMO_PASSWORD), emailVerifiedAt: new Date() };
    const adminId = await addAccount(tx, {
      ...shared,
      username: 'Demo Admin',
      email: DEMO_ADMIN_EMAIL,
      role: 'admin',
    });
    for (const course of demo) await seedCourse(tx, store, course, adminId);
    const studentId = await addAccount(tx, {
      ...shared,
      username: 'Demo Student',
      email: DEMO_STUDENT_EMAIL,
    });
    await seedEnrollment(tx, studentId);
    await seedInstructors(tx, store);
    await seedRatings(tx);
    await tx.insert(seatPriceSteps).values([
      { fromSeats: 10, percentOff: 10 },
      { fromSeats: 50, percentOff: 20 },
    ]);
    await seedCoupons(tx, adminId);
    await seedBundles(tx);
    return true;
  });
}

async function seedCategories(tx: Tx): Promise<void> {
  for (const { id, ...details } of await readSeedFile(CATEGORIES_FILE, categoryFile)) {
    await tx
      .insert(categories)
      .values({ id, ...details })
      .onConflictDoUpdate({ target: categories.id, set: details });
  }
  await tx.execute(
    sql`select setval(pg_get_serial_sequence('categories', 'id'), (select max(id) from categories))`,
  );
}

async function seedCourse(tx: Tx, store: FileStore, demo: DemoCourse, adminId: number): Promise<void> {
  const thumbnail = await keepFile(tx, store, 'media', join(demo.folder, demo.thumbnail));
  const [course] = await tx
    .insert(courses)
    .values({
      slug: demo.slug,
      ...columnsOf({ ...demo, thumbnail: thumbnail.path }),
      createdBy: adminId,
    })
    .returning({ id: courses.id });
  const written: LessonToWrite[] = [];
  for (const lesson of demo.content) {
    const files = await keptFileColumnsOf(lesson, async (name) => {
      const path = join(demo.folder, 'files', name);
      const file = await keepFile(tx, store, 'files', path);
      if (!/^video\//.test(file.mimeType)) return file;
      const { isPlayable, duration, height } = await readVideo(path, extname(name).slice(1));
      await tx.insert(videos).values({
        ...{ id: randomUUID(), courseId: course!.id, createdBy: adminId, name, size: file.size },
        ...{ status: 'ready', path: file.path, isPlayable, duration, height },
      });
      return file;
    });
    written.push({ ...lessonColumns(lesson, demo.level), ...files });
  }
  const made = await addLessons(tx, course!.id, written);
  const idOf = new Map(demo.content.map(({ name }, at) => [name, made[at]!.id]));
  await setOpenings(
    tx,
    openingsByName(
      demo.content.map((lesson, at) => ({ id: made[at]!.id, lesson })),
      idOf,
    ),
  );
  // Proven before it came here: `npm run practice -- check` and `npm run scenario -- check`.
  await setProven(
    tx,
    made.map(({ id }) => id),
    true,
  );
}

/** The demo student's course, with the numbers that completing its first lessons leads to (decisions 34, 35). */
async function seedEnrollment(tx: Tx, userId: number): Promise<void> {
  const [course] = await tx
    .select({ id: courses.id })
    .from(courses)
    .where(eq(courses.slug, DEMO_ENROLLMENT.slug));
  if (!course) return;
  const outline = await tx
    .select()
    .from(lessons)
    .where(eq(lessons.courseId, course.id))
    .orderBy(lessons.order);
  const done = outline.slice(0, DEMO_ENROLLMENT.lessonsDone);
  const totalPoints = done.reduce((sum, lesson) => sum + lesson.points, 0);
  const pointsOfCourse = outline.reduce((sum, lesson) => sum + lesson.points, 0);
  await tx.insert(enrollments).values({
    userId,
    courseId: course.id,
    progress: progressPercent(outline, new Set(done.map(({ id }) => id))),
    totalPoints,
    skillLevel: skillLevelFor(totalPoints, pointsOfCourse),
    currentLessonId: done.at(-1)?.id ?? null,
    lastAccessedAt: new Date(),
  });
  for (const lesson of done) {
    const row = { userId, courseId: course.id, lessonId: lesson.id };
    await tx.insert(lessonProgress).values({ ...row, completed: true, completedAt: new Date() });
    await tx.insert(pointsLedger).values({ ...row, points: lesson.points });
  }
  const day = new Date().toISOString().slice(0, 10);
  await tx.insert(studyDays).values({ userId, day, lessonsCompleted: done.length });
  await tx.update(courses).set({ studentsCount: 1 }).where(eq(courses.id, course.id));
}
