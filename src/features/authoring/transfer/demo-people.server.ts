import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inArray } from 'drizzle-orm';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { Tx } from '#db/client.ts';
import type { FileStore } from '#db/file-store.ts';
import { users } from '#db/schema/account.ts';
import { courseRatings, courses } from '#db/schema/catalogue.ts';
import { bundleCourses, bundles, coupons } from '#db/schema/store.ts';
import { storeFile } from '#db/stored-files.ts';
import { INSTRUCTOR_WORDS_MAX } from '#src/features/authoring/instructors/schema.ts';
import { RATING_TEXT_MAX } from '#src/features/catalogue/ratings/ratings.ts';
import { BUNDLE_DESCRIPTION_MAX, BUNDLE_TITLE_MAX } from '#src/features/store/schema.ts';
import { slugOf } from '#src/shared/slug.ts';

const PROJECT_FOLDER = fileURLToPath(new URL('../../../..', import.meta.url));
const SEED_FOLDER = join(PROJECT_FOLDER, 'db/seed');

/** A mistake in the demo content; the message names the file and the field. */
export class SeedError extends Error {
  override name = 'SeedError';
}

const words = (max: number) =>
  z.string('must be text').trim().min(1, 'must not be empty').max(max, `is longer than ${max} characters`);

const instructorsFile = z
  .array(
    z.strictObject({
      id: z.string('must be text').regex(/^[a-z]+(-[a-z]+)*$/, 'must be small letters and hyphens'),
      name: words(80),
      words: words(INSTRUCTOR_WORDS_MAX),
      courses: z.array(words(100)).min(1, 'must name a course'),
    }),
  )
  .refine((people) => {
    const named = people.flatMap((one) => one.courses);
    return new Set(named).size === named.length;
  }, 'names a course twice: a course has one instructor');

const ratingsFile = z.record(
  words(100),
  z.array(
    z.strictObject({
      by: words(80),
      stars: z.int('must be a whole number').min(1, 'must be 1 to 5').max(5, 'must be 1 to 5'),
      days: z.int('must be a whole number').min(0, 'must be 0 to 365').max(365, 'must be 0 to 365'),
      text: words(RATING_TEXT_MAX),
    }),
  ),
);

/** Reads a file of the demo. Throws SeedError, which names the file and the field. */
export async function readSeedFile<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> {
  const name = relative(PROJECT_FOLDER, path);
  if (!existsSync(path)) throw new SeedError(`${name}: is missing`);
  let written: unknown;
  try {
    written = parseYaml(await readFile(path, 'utf8'));
  } catch (error) {
    throw new SeedError(`${name}: ${(error as Error).message.split('\n')[0]}`);
  }
  const result = schema.safeParse(written);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new SeedError(`${name}: ${issue!.path.join('.') || 'the file'}: ${issue!.message}`);
}

/** The id of a new account of the demo. */
export async function addAccount(tx: Tx, values: typeof users.$inferInsert): Promise<number> {
  const [user] = await tx.insert(users).values(values).returning({ id: users.id });
  return user!.id;
}

/** The ids of demo courses by their slugs. Throws SeedError where `file` names one that is not there. */
async function courseIds(tx: Tx, file: string, slugs: readonly string[]): Promise<Map<string, number>> {
  const found = await tx
    .select({ id: courses.id, slug: courses.slug })
    .from(courses)
    .where(inArray(courses.slug, [...slugs]));
  const ids = new Map(found.map(({ id, slug }) => [slug!, id]));
  const missing = slugs.find((slug) => !ids.has(slug));
  if (missing) throw new SeedError(`db/seed/${file}: ${missing}: is no course of the demo`);
  return ids;
}

/**
 * Gives the demo courses their instructors: made-up people, under accounts without a password that nobody can sign in to.
 *
 * @throws {SeedError}
 */
export async function seedInstructors(tx: Tx, store: FileStore, folder = SEED_FOLDER): Promise<void> {
  const people = await readSeedFile(join(folder, 'instructors.yaml'), instructorsFile);
  const ids = await courseIds(
    tx,
    'instructors.yaml',
    people.flatMap((one) => one.courses),
  );
  for (const { id, name, words: said, courses: taught } of people) {
    const portrait = join(folder, 'instructors', `${id}.webp`);
    if (!existsSync(portrait)) throw new SeedError(`${relative(PROJECT_FOLDER, portrait)}: is missing`);
    const kept = await storeFile(tx, store, {
      area: 'media',
      originalName: 'portrait.webp',
      mimeType: 'image/webp',
      bytes: await readFile(portrait),
    });
    const createdBy = await addAccount(tx, {
      username: name,
      email: `${id}@instructors.example.com`,
      instructorWords: said,
      instructorPortrait: kept.path,
    });
    await tx
      .update(courses)
      .set({ createdBy })
      .where(
        inArray(
          courses.id,
          taught.map((slug) => ids.get(slug)!),
        ),
      );
  }
}

/**
 * Writes the demo reviews, each marked as one: they show and count nowhere. Their accounts have no password either.
 *
 * @throws {SeedError}
 */
export async function seedRatings(tx: Tx, folder = SEED_FOLDER): Promise<void> {
  const written = await readSeedFile(join(folder, 'reviews.yaml'), ratingsFile);
  const ids = await courseIds(tx, 'reviews.yaml', Object.keys(written));
  const accounts = new Map<string, number>();
  for (const [slug, reviews] of Object.entries(written)) {
    for (const { by, stars, days, text } of reviews) {
      const known = accounts.get(by);
      const userId =
        known ?? (await addAccount(tx, { username: by, email: `${slugOf(by, 60)}@reviews.example.com` }));
      accounts.set(by, userId);
      const createdAt = new Date(Date.now() - days * 86_400_000);
      await tx.insert(courseRatings).values({
        userId,
        courseId: ids.get(slug)!,
        rating: stars,
        review: text,
        isDemo: true,
        createdAt,
        updatedAt: createdAt,
      });
    }
  }
}

/** Codes that whoever tries the demo may use; README names them. */
export const DEMO_COUPONS = [
  { code: 'WELCOME20', kind: 'percent', percentOff: 20 },
  { code: 'TENOFF', kind: 'fixed', amountOffCents: 1000 },
] as const;

/** Makes the coupons of the demo, for every course and without an end. */
export async function seedCoupons(tx: Tx, adminId: number): Promise<void> {
  await tx.insert(coupons).values(DEMO_COUPONS.map((coupon) => ({ ...coupon, createdBy: adminId })));
}

const bundlesFile = z.array(
  z.strictObject({
    title: words(BUNDLE_TITLE_MAX),
    description: words(BUNDLE_DESCRIPTION_MAX),
    priceCents: z.int('must be whole cents').min(50, 'must be 50 or more'),
    courses: z.array(words(100)).min(2, 'must name two courses or more'),
  }),
);

/**
 * Writes the demo bundles.
 *
 * @throws {SeedError}
 */
export async function seedBundles(tx: Tx, folder = SEED_FOLDER): Promise<void> {
  const written = await readSeedFile(join(folder, 'bundles.yaml'), bundlesFile);
  const ids = await courseIds(
    tx,
    'bundles.yaml',
    written.flatMap((bundle) => bundle.courses),
  );
  for (const { courses: slugs, ...bundle } of written) {
    const [{ id: bundleId }] = (await tx
      .insert(bundles)
      .values({ ...bundle, state: 'active' })
      .returning({ id: bundles.id })) as [{ id: number }];
    await tx
      .insert(bundleCourses)
      .values(slugs.map((slug, position) => ({ bundleId, position, courseId: ids.get(slug)! })));
  }
}
