import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { count, eq, inArray, sql } from 'drizzle-orm';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { db, takeTime, type Tx } from '#db/client.ts';
import { hashPassword } from '#db/passwords.ts';
import { users } from '#db/schema/account.ts';
import { categories, courses, lessons, videos } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { bundleCourses, bundles, coupons, seatPriceSteps } from '#db/schema/store.ts';
import { recordCompletion } from '#src/features/learn/progress/completion.server.ts';
import {
  addLessons,
  setOpenings,
  type LessonToWrite,
  setProven,
} from '#src/features/lessons/lesson-store.server.ts';
import { INSTRUCTOR_WORDS_MAX } from '#src/features/authoring/instructors/schema.ts';
import { BUNDLE_DESCRIPTION_MAX, BUNDLE_TITLE_MAX } from '#src/features/store/bundles/schema.ts';
import { readVideo } from '#src/features/authoring/media/video-tools.server.ts';
import { columnsOf } from '#src/features/authoring/courses/course-fields.ts';
import { text } from '#src/features/lessons/lesson-format.server.ts';
import { saveFile } from '#src/server/files/files.ts';
import { type CourseContent, CourseFileError, inspectCourse } from './course-format.server.ts';
import { lessonColumns, openingsByName } from './lesson-rows.server.ts';

/** Published in the README. */
export const DEMO_PASSWORD = 'learn-demo';
export const DEMO_ADMIN_EMAIL = 'admin@example.com';
export const DEMO_STUDENT_EMAIL = 'student@example.com';

const PROJECT_FOLDER = fileURLToPath(new URL('../../../..', import.meta.url));
const SEED_FOLDER = join(PROJECT_FOLDER, 'db/seed');
const COURSES_FOLDER = join(SEED_FOLDER, 'courses');
const SEED_LOCK = 727_106_003;

/** Its message names the file and the field. */
export class SeedError extends Error {
  override name = 'SeedError';
}

type DemoCourse = CourseContent & { slug: string; folder: string };

/**
 * Reads the demo courses in the format of db/seed/README.md.
 * @throws {SeedError} for the first mistake
 */
export async function readDemoCourses(coursesFolder = COURSES_FOLDER): Promise<DemoCourse[]> {
  const entries = await readdir(coursesFolder, { withFileTypes: true });
  const found: DemoCourse[] = [];
  for (const slug of entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()) {
    const folder = join(coursesFolder, slug);
    const files = {
      has: (path: string) => existsSync(join(folder, path)),
      text: (path: string) => readFile(join(folder, path), 'utf8'),
    };
    const { course, faults } = await inspectCourse(files, { complete: true });
    if (faults.length > 0 || !course) {
      throw new SeedError(`${relative(PROJECT_FOLDER, folder)}/${new CourseFileError(faults).message}`);
    }
    found.push({ ...course, slug, folder });
  }
  return found;
}

const categoryFile = z.array(
  z.strictObject({
    id: z.int('must be a whole number').positive(),
    name: text(200),
    description: text(200),
    icon: z.string().regex(/^[a-z-]+$/, 'must be a CSS class'),
  }),
);

/** @throws {SeedError} where it is missing */
async function bytesOf(path: string): Promise<Buffer> {
  if (!existsSync(path)) throw new SeedError(`${relative(PROJECT_FOLDER, path)}: is missing`);
  return readFile(path);
}

const keepFile = async (tx: Tx, area: 'media' | 'files', path: string) =>
  saveFile({ area, originalName: basename(path), bytes: await bytesOf(path) }, tx);

/**
 * Fills a database without courses with the demo catalogue and accounts; gives false where there are courses.
 * @throws {SeedError} for a mistake in the content
 */
export async function seedDemo(): Promise<boolean> {
  return db().transaction(async (tx) => {
    // Neither this transaction nor one that waits for the lock may time out.
    await takeTime(tx);
    await tx.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`);
    const [present] = await tx.select({ courses: count() }).from(courses);
    if (present!.courses > 0) return false;
    // Ties in popularity go to the highest id: the longest courses lead the lists.
    const demo = (await readDemoCourses()).sort((a, b) => a.content.length - b.content.length);
    await seedCategories(tx);
    const shared = { passwordHash: await hashPassword(DEMO_PASSWORD), emailVerifiedAt: new Date() };
    const admin = { username: 'Demo Admin', email: DEMO_ADMIN_EMAIL, role: 'admin' } as const;
    const adminId = await addAccount(tx, { ...shared, ...admin });
    for (const course of demo) await seedCourse(tx, course, adminId);
    const student = { username: 'Demo Student', email: DEMO_STUDENT_EMAIL };
    const studentId = await addAccount(tx, { ...shared, ...student });
    await seedEnrollment(tx, studentId);
    await seedInstructors(tx);
    await tx.insert(seatPriceSteps).values([
      { fromSeats: 10, percentOff: 10 },
      { fromSeats: 50, percentOff: 20 },
    ]);
    await tx.insert(coupons).values(DEMO_COUPONS.map((coupon) => ({ ...coupon, createdBy: adminId })));
    await seedBundles(tx);
    return true;
  });
}

async function addAccount(tx: Tx, values: typeof users.$inferInsert): Promise<number> {
  const [user] = await tx.insert(users).values(values).returning({ id: users.id });
  return user!.id;
}

async function seedCategories(tx: Tx): Promise<void> {
  for (const { id, ...details } of await readSeedFile(join(SEED_FOLDER, 'categories.yaml'), categoryFile)) {
    await tx
      .insert(categories)
      .values({ id, ...details })
      .onConflictDoUpdate({ target: categories.id, set: details });
  }
  await tx.execute(
    sql`select setval(pg_get_serial_sequence('categories', 'id'), (select max(id) from categories))`,
  );
}

async function seedCourse(tx: Tx, { slug, folder, ...demo }: DemoCourse, createdBy: number): Promise<void> {
  const { path: thumbnail } = await keepFile(tx, 'media', join(folder, demo.thumbnail));
  const [course] = await tx
    .insert(courses)
    .values({ slug, ...columnsOf({ ...demo, thumbnail }), createdBy })
    .returning({ id: courses.id });
  const { id: courseId } = course!;
  const place = async (name: string) => {
    const source = join(folder, 'files', name);
    const { path, mimeType, size } = await keepFile(tx, 'files', source);
    if (mimeType.startsWith('video/')) {
      const { isPlayable, duration, height } = await readVideo(source, extname(name).slice(1));
      await tx.insert(videos).values({
        ...{ id: randomUUID(), courseId, createdBy, name, size, status: 'ready', path },
        ...{ isPlayable, duration, height },
      });
    }
    return { path, mimeType, size };
  };
  const written: LessonToWrite[] = [];
  for (const lesson of demo.content) written.push(await lessonColumns(lesson, demo.level, place));
  const ids = (await addLessons(tx, courseId, written)).map(({ id }) => id);
  const idOf = new Map(demo.content.map(({ name }, at) => [name, ids[at]!]));
  await setOpenings(tx, openingsByName(demo.content, idOf));
  // A test runs `npm run course -- check` on each course of the demo.
  await setProven(tx, ids, true);
}

async function seedEnrollment(tx: Tx, userId: number): Promise<void> {
  const done = await tx
    .select({ courseId: lessons.courseId, lessonId: lessons.id })
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .where(eq(courses.slug, 'javascript-fundamentals'))
    .orderBy(lessons.order)
    .limit(3);
  if (!done[0]) return;
  const { courseId } = done[0];
  await tx.insert(enrollments).values({ userId, courseId });
  for (const lesson of done) await recordCompletion(tx, { userId, ...lesson });
  await tx.update(courses).set({ studentsCount: 1 }).where(eq(courses.id, courseId));
}

const instructorsFile = z
  .array(
    z.strictObject({
      id: z.string('must be text').regex(/^[a-z]+(-[a-z]+)*$/, 'must be small letters and hyphens'),
      name: text(80),
      words: text(INSTRUCTOR_WORDS_MAX),
      courses: z.array(text(100)).min(1, 'must name a course'),
    }),
  )
  .refine((people) => {
    const named = people.flatMap((one) => one.courses);
    return new Set(named).size === named.length;
  }, 'names a course twice: a course has one instructor');

/** @throws {SeedError} */
async function readSeedFile<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> {
  const name = relative(PROJECT_FOLDER, path);
  let written: unknown;
  try {
    written = parseYaml(String(await bytesOf(path)));
  } catch (error) {
    throw error instanceof SeedError
      ? error
      : new SeedError(`${name}: ${(error as Error).message.split('\n')[0]}`);
  }
  const result = schema.safeParse(written);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new SeedError(`${name}: ${issue!.path.join('.') || 'the file'}: ${issue!.message}`);
}

/**
 * Reads a file that names courses by their slugs.
 * @throws {SeedError} also for an unknown slug
 */
async function readNaming<T extends { courses: string[] }>(
  tx: Tx,
  folder: string,
  file: string,
  schema: z.ZodType<T[]>,
) {
  const entries = await readSeedFile(join(folder, file), schema);
  const found = await tx.select({ id: courses.id, slug: courses.slug }).from(courses);
  const ids = new Map(found.map(({ id, slug }) => [slug, id]));
  return entries.map(({ courses: slugs, ...entry }) => {
    const courseIds = slugs.map((slug) => {
      const id = ids.get(slug);
      if (!id) throw new SeedError(`db/seed/${file}: ${slug}: is no course of the demo`);
      return id;
    });
    return { ...entry, courseIds };
  });
}

/**
 * Gives the demo courses made-up instructors, whose accounts have no password.
 * @throws {SeedError}
 */
export async function seedInstructors(tx: Tx, folder = SEED_FOLDER): Promise<void> {
  for (const person of await readNaming(tx, folder, 'instructors.yaml', instructorsFile)) {
    const portrait = await keepFile(tx, 'media', join(folder, 'instructors', `${person.id}.webp`));
    const createdBy = await addAccount(tx, {
      username: person.name,
      email: `${person.id}@instructors.example.com`,
      instructorWords: person.words,
      instructorPortrait: portrait.path,
    });
    await tx.update(courses).set({ createdBy }).where(inArray(courses.id, person.courseIds));
  }
}

/** The README names them. */
export const DEMO_COUPONS = [
  { code: 'WELCOME20', kind: 'percent', percentOff: 20 },
  { code: 'TENOFF', kind: 'fixed', amountOffCents: 1000 },
] as const;

const bundlesFile = z.array(
  z.strictObject({
    title: text(BUNDLE_TITLE_MAX),
    description: text(BUNDLE_DESCRIPTION_MAX),
    priceCents: z.int('must be whole cents').min(50, 'must be 50 or more'),
    courses: z.array(text(100)).min(2, 'must name two courses or more'),
  }),
);

/**
 * Writes the demo bundles.
 * @throws {SeedError}
 */
export async function seedBundles(tx: Tx, folder = SEED_FOLDER): Promise<void> {
  for (const { courseIds, ...bundle } of await readNaming(tx, folder, 'bundles.yaml', bundlesFile)) {
    const [made] = await tx
      .insert(bundles)
      .values({ ...bundle, state: 'active' })
      .returning({ id: bundles.id });
    const bundleId = made!.id;
    await tx
      .insert(bundleCourses)
      .values(courseIds.map((courseId, position) => ({ bundleId, position, courseId })));
  }
}
