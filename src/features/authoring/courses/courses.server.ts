import { and, asc, desc, eq, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '#db/client.ts';
import { categories, courses, lessons } from '#db/schema/catalogue.ts';
import { certificates, enrollments } from '#db/schema/learn.ts';
import { orderItems } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { levelLabel } from '#src/features/catalogue/catalogue.ts';
import { getCourseModel, listCategories } from '#src/features/catalogue/catalogue.server.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { unprovenReasons } from '#src/features/catalogue/unproven.server.ts';
import { forgetPreviews } from '#src/features/learn/preview/preview.server.ts';
import { handOverVideos } from '#src/features/lessons/videos.server.ts';
import { extensionOf, saveFile } from '#src/server/files/files.ts';
import { withUpload } from '#src/server/files/uploads.ts';
import { checkPicture } from '#src/features/authoring/media/pictures.server.ts';
import { startPublishCheck } from '#src/features/authoring/publishing/publish-check.server.ts';
import {
  grantedWish,
  isCourseProven,
  type StoreWish,
} from '#src/features/authoring/publishing/store-wish.server.ts';
import { env } from '#src/server/start/env.ts';
import { AppError } from '#src/shared/errors.ts';
import { ADMIN_PAGE_SIZE, type ListQuery, pageCount } from '#src/shared/list-query.ts';
import {
  COURSE_FIELD_NAMES,
  COURSE_FIELDS,
  columnsOf,
  type CourseField,
  type CourseForm,
  shownValue,
  typedForm,
  typedValue,
  valuesOf,
} from './course-fields.ts';
import { insertCourse, namedCategoryFault } from './new-course.server.ts';
import type { AdminCourse, CourseListQuery, CourseSort, CourseState } from './courses.ts';
import { isOwnCourse } from '#src/features/lessons/working-copy.server.ts';
import { type CourseInput, THUMBNAIL_MAX_BYTES, type updateCourseCall } from './schema.ts';

const ORDER: Record<CourseSort, SQL[]> = {
  newest: [desc(courses.id)],
  title: [asc(courses.title), asc(courses.id)],
  students: [desc(courses.studentsCount), desc(courses.id)],
  rating: [desc(courses.rating), desc(courses.id)],
  'price-high': [desc(courses.priceCents), desc(courses.id)],
  'price-low': [asc(courses.priceCents), asc(courses.id)],
};

export const hasUnprovenLesson = sql`exists (select from ${lessons} where ${lessons.courseId} = ${courses.id}
  and ${lessons.provenRevision} is distinct from ${lessons.revision})`;

const IN_STATE: Record<CourseState, SQL> = {
  active: sql`${courses.isActive}`,
  unproven: sql`${courses.isActive} and (not exists (select from ${lessons} where ${lessons.courseId} = ${courses.id})
    or ${hasUnprovenLesson})`,
  inactive: sql`not ${courses.isActive} and ${courses.archivedAt} is null`,
  archived: sql`${courses.archivedAt} is not null`,
};

/** With owners, past owners or orders: a late payment still completes an unpaid order (decision 19). */
const hasPast = sql<boolean>`(
  exists (select from ${enrollments} where ${enrollments.courseId} = ${courses.id} and ${isPerson(enrollments.userId)})
  or exists (select from ${orderItems} where ${orderItems.courseId} = ${courses.id})
  or exists (select from ${certificates} where ${certificates.courseId} = ${courses.id}))`;

/**
 * One page of all courses; past the end it is the last one.
 * @param query null filters do not narrow
 */
export async function listAdminCourses({
  search,
  category = null,
  level = null,
  state = null,
  sort = 'newest',
  page: asked,
}: ListQuery & Partial<CourseListQuery>): Promise<{ courses: AdminCourse[]; total: number; page: number }> {
  const matching = and(
    isOwnCourse,
    category === null ? undefined : eq(courses.categoryId, category),
    level === null ? undefined : eq(courses.level, level),
    state === null ? isNull(courses.archivedAt) : IN_STATE[state],
    search
      ? sql`(${courses.searchText} @@ websearch_to_tsquery('english', ${search}) or strpos(lower(${courses.title}), lower(${search})) > 0)`
      : undefined,
  );
  const total = await db().$count(courses, matching);
  const page = Math.min(asked, pageCount(total));
  const rows = await db()
    .select({
      course: courses,
      categoryName: categories.name,
      hasChanges: sql<boolean>`exists (select from ${courses} copy where copy.draft_of = ${courses.id})`,
      lessonCount: db().$count(lessons, eq(lessons.courseId, courses.id)),
      waitingCount: db().$count(
        lessons,
        sql`${lessons.draftOf} is null and ${lessons.courseId} =
          (select copy.id from ${courses} copy where copy.draft_of = ${courses.id})`,
      ),
      owners: db().$count(
        enrollments,
        and(
          eq(enrollments.courseId, courses.id),
          ne(enrollments.status, 'revoked'),
          isPerson(enrollments.userId),
        ),
      ),
      isKept: hasPast,
    })
    .from(courses)
    .innerJoin(categories, eq(categories.id, courses.categoryId))
    .where(matching)
    .orderBy(...ORDER[sort])
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE);
  const unproven = await unprovenReasons(rows.map(({ course }) => course.id));
  return {
    total,
    page,
    courses: rows.map(({ course, ...more }) => ({
      ...more,
      id: course.id,
      title: course.title,
      thumbnail: course.thumbnail,
      level: levelLabel(course.level),
      priceCents: course.priceCents,
      studentsCount: course.studentsCount,
      isActive: course.isActive,
      isArchived: course.archivedAt !== null,
      activateWhenProven: course.activateWhenProven,
      unproven: unproven.get(course.id) ?? [],
      fields: typedForm(valuesOf(course)),
      version: course.version,
    })),
  };
}

type CourseRow = typeof courses.$inferSelect;

const isWaitingByRule = ({ activateWhenProven }: StoreWish) =>
  activateWhenProven && env().publishCheck === 'required';

const CHOICE_MAX = 1000;

/** Every course by title, hidden ones too. */
export function courseTitles(): Promise<{ id: number; title: string }[]> {
  return db()
    .select({ id: courses.id, title: courses.title })
    .from(courses)
    .where(isOwnCourse)
    .orderBy(asc(courses.title), asc(courses.id))
    .limit(CHOICE_MAX);
}

const ownCourse = (id: number) => and(eq(courses.id, id), isOwnCourse);

const missing = () => new AppError('not_found', 'Course not found');

type CourseModelWithVersion = Awaited<ReturnType<typeof getCourseModel>> & {
  activateWhenProven: boolean;
  version: number;
};

async function modelOf(actor: Actor & { id: number }, course: CourseRow): Promise<CourseModelWithVersion> {
  const model = await getCourseModel(course.id, { id: actor.id, role: 'admin' });
  return { ...model, activateWhenProven: course.activateWhenProven, version: course.version };
}

type Standing = Pick<CourseModelWithVersion, 'unproven'>;

export async function standingInCheck(id: number): Promise<Standing> {
  const unproven = (await unprovenReasons([id])).get(id);
  return unproven ? { unproven } : {};
}

/** Checks an unproven course for sale in the background; findings go by mail (decision 54). */
async function checkBehind(actor: Actor, { id, isActive, activateWhenProven }: StoreWish & { id: number }) {
  if (!isActive && !activateWhenProven) return;
  const { unproven = [] } = await standingInCheck(id);
  if (unproven.some(({ lessonId }) => lessonId !== undefined))
    await startPublishCheck(actor, id, { isTold: true });
}

/**
 * Makes a course (spec 5), audited; the caller is its creator (decision 31). `isActive` puts it into the
 * store at once (decision 54).
 * @throws {AppError} invalid_input for an unknown category
 */
export async function createCourse(
  actor: Actor & { id: number },
  input: CourseInput,
): Promise<CourseModelWithVersion> {
  try {
    const { course } = await db().transaction((tx) => insertCourse(tx, actor, input));
    return await modelOf(actor, course);
  } catch (error) {
    throw namedCategoryFault(error);
  }
}

function differences(before: CourseRow, after: CourseRow, categoryNames: Map<number, string>) {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  return COURSE_FIELD_NAMES.filter((field) => old[field] !== now[field]).map((field) => ({
    field,
    label: COURSE_FIELDS[field].label,
    value: (field === 'categoryId' ? categoryNames.get(now.categoryId) : undefined) ?? shownValue(field, now),
    typed: typedValue(field, now),
  }));
}

type CourseChange = z.output<NonNullable<typeof updateCourseCall.input>>;

function refusePrices(before: CourseRow, { priceCents, originalPriceCents }: CourseRow): void {
  const isPrice = priceCents !== before.priceCents;
  if (!isPrice && originalPriceCents === before.originalPriceCents) return;
  const message = 'Only administrators change prices.';
  throw new AppError('forbidden', message, { fields: { [isPrice ? 'price' : 'originalPrice']: message } });
}

function changesSince(read: NonNullable<CourseChange['read']>, given: CourseInput, before: CourseRow) {
  const values = valuesOf(before);
  const input = { ...given };
  const disputed: CourseField[] = [];
  for (const [name, was] of Object.entries(read) as [keyof CourseForm, string][]) {
    const [mine, now] = [typedValue(name, given), typedValue(name, values)];
    if (mine === was) Object.assign(input, { [name]: values[name] });
    else if (now !== was && now !== mine) disputed.push(name);
  }
  return { input, disputed };
}

/**
 * Changes a course (spec 5), audited with the changed fields.
 * @param change with `read` or `version` a colleague's change conflicts; with neither the last save wins
 * @throws {AppError} not_found; conflict with `changed` and `version`; invalid_input for an unknown category;
 * forbidden for another price without `mayPrice`
 */
export async function updateCourse(
  actor: Actor & { id: number },
  id: number,
  { version, read, ...given }: CourseChange,
  { mayPrice }: { mayPrice: boolean },
): Promise<CourseModelWithVersion> {
  const names = new Map((await listCategories()).map((category) => [category.id, category.name]));
  let isShown = false;
  try {
    const course = await db().transaction(async (tx) => {
      const [before] = await tx.select().from(courses).where(ownCourse(id)).for('no key update');
      if (!before) throw missing();
      const { input, disputed } = read ? changesSince(read, given, before) : { input: given, disputed: null };
      const asked = {
        ...before,
        ...columnsOf(input),
        activateWhenProven: given.activateWhenProven ?? before.activateWhenProven,
      };
      const wanted = { ...asked, ...grantedWish(asked, await isCourseProven(tx, id)) };
      if (disputed ? disputed.length > 0 : version !== undefined && version !== before.version) {
        const changed = differences(wanted, before, names).filter(
          ({ field }) => disputed?.includes(field) ?? true,
        );
        throw new AppError('conflict', 'Somebody else changed this course meanwhile.', {
          extra: { changed, version: before.version },
        });
      }
      if (!mayPrice) refusePrices(before, wanted);
      const changed = differences(before, wanted, names);
      if (changed.length === 0 && wanted.activateWhenProven === before.activateWhenProven) return before;
      const [after] = await tx
        .update(courses)
        .set({
          ...columnsOf(valuesOf(wanted)),
          // Showing a course brings it back.
          ...(wanted.isActive || wanted.activateWhenProven ? { archivedAt: null } : {}),
          version: sql`${courses.version} + 1`,
          updatedAt: new Date(),
        })
        .where(eq(courses.id, id))
        .returning();
      await recordAudit(tx, actor, {
        action: 'course.updated',
        subjectType: 'course',
        subjectId: id,
        details: { title: after!.title, changed: changed.map(({ label }) => label.toLowerCase()).join(', ') },
      });
      if (!before.isActive && !before.activateWhenProven) isShown = true;
      return after!;
    });
    if (isShown) await checkBehind(actor, course);
    return await modelOf(actor, course);
  } catch (error) {
    throw namedCategoryFault(error);
  }
}

const THUMBNAIL_TYPES = ['png', 'jpg', 'jpeg', 'webp', 'avif', 'gif'];

/**
 * Stores a picture for the store, where everybody may see it.
 * @throws {AppError} too_large; unsupported_media_type (fault U1); invalid_input for a missing, moving,
 * damaged or huge one (fault U12)
 */
export function receiveThumbnail(request: Request): Promise<{ thumbnail: string }> {
  return withUpload(request, { maxBytes: THUMBNAIL_MAX_BYTES }, async ({ file }) => {
    const refuse = (code: 'invalid_input' | 'unsupported_media_type', message: string) =>
      new AppError(code, message, { fields: { file: message } });
    if (!file || file.size === 0) throw refuse('invalid_input', file ? 'The file is empty' : 'Choose a file');
    if (!THUMBNAIL_TYPES.includes(extensionOf(file.originalName))) {
      throw refuse('unsupported_media_type', `Choose a picture: ${THUMBNAIL_TYPES.join(', ')}`);
    }
    // A small file can unfold to billions of pixels in a browser.
    await checkPicture(file);
    return { thumbnail: (await saveFile({ ...file, area: 'media' })).path };
  });
}

/**
 * Shows or hides a course (spec 4), audited; an unproven one is checked. A waiting course counts as shown.
 * @throws {AppError} not_found
 */
export async function toggleCourse(
  actor: Actor,
  id: number,
): Promise<Standing & StoreWish & { id: number; version: number }> {
  const toggled = await db().transaction(async (tx) => {
    const [before] = await tx.select().from(courses).where(ownCourse(id)).for('no key update');
    if (!before) throw missing();
    const wish = { isActive: !before.isActive && !isWaitingByRule(before), activateWhenProven: false };
    const [course] = await tx
      .update(courses)
      .set({
        ...grantedWish(wish, await isCourseProven(tx, id)),
        // Showing a course brings it back.
        archivedAt: null,
        // An open editor must not save the old visibility.
        version: sql`${courses.version} + 1`,
        updatedAt: new Date(),
      })
      .where(eq(courses.id, id))
      .returning();
    const { title, isActive, activateWhenProven, version } = course!;
    await recordAudit(tx, actor, {
      action: wish.isActive ? 'course.shown' : 'course.hidden',
      subjectType: 'course',
      subjectId: id,
      details: { title },
    });
    return { id, isActive, activateWhenProven, version };
  });
  await checkBehind(actor, toggled);
  return { ...toggled, ...(await standingInCheck(id)) };
}

/**
 * Archives a course, which its learners keep (decision 75), or brings it back hidden. Audited unless
 * repeated.
 * @throws {AppError} not_found
 */
export async function archiveCourse(
  actor: Actor,
  id: number,
  archived: boolean,
): Promise<{ archived: boolean }> {
  return db().transaction(async (tx) => {
    const [course] = await tx.select().from(courses).where(ownCourse(id)).for('no key update');
    if (!course) throw missing();
    if ((course.archivedAt !== null) === archived) return { archived };
    await tx
      .update(courses)
      .set({
        ...(archived
          ? { archivedAt: sql`now()`, isActive: false, activateWhenProven: false }
          : { archivedAt: null }),
        version: sql`${courses.version} + 1`,
        updatedAt: new Date(),
      })
      .where(eq(courses.id, id));
    await recordAudit(tx, actor, {
      action: archived ? 'course.archived' : 'course.unarchived',
      subjectType: 'course',
      subjectId: id,
      details: { title: course.title },
    });
    return { archived };
  });
}

/**
 * Deletes a course without buyers, and hides any other (decision 30). Audited unless it is hidden already.
 * @throws {AppError} not_found
 */
export async function deleteCourse(actor: Actor, id: number): Promise<{ outcome: 'removed' | 'hidden' }> {
  return db().transaction(async (tx) => {
    // The lock holds off new orders and enrollments.
    const [course] = await tx.select().from(courses).where(ownCourse(id)).for('update');
    if (!course) throw missing();
    const isKept = (await tx.$count(courses, and(eq(courses.id, id), hasPast))) > 0;
    if (isKept && !course.isActive && !course.activateWhenProven) return { outcome: 'hidden' };
    if (isKept) {
      await tx
        .update(courses)
        .set({
          isActive: false,
          activateWhenProven: false,
          version: sql`${courses.version} + 1`,
          updatedAt: new Date(),
        })
        .where(eq(courses.id, id));
    } else {
      await forgetPreviews(tx, { courseId: id });
      await handOverVideos(tx, id);
      await tx.delete(courses).where(eq(courses.id, id));
    }
    await recordAudit(tx, actor, {
      action: isKept ? 'course.withdrawn' : 'course.deleted',
      subjectType: 'course',
      subjectId: id,
      details: { title: course.title },
    });
    return { outcome: isKept ? 'hidden' : 'removed' };
  });
}
