import { and, asc, eq, inArray, type SQLWrapper, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Fragment } from 'postgres';
import {
  closedLesson,
  closedLessonIds,
  givesAccess,
  isOpenToAll,
} from '#src/features/catalogue/access.server.ts';
import { db, prepared, sqlClient } from '#db/client.ts';
import { jsonArray, jsonFields, jsonObject, jsonPrice, jsonTime } from '#db/json.ts';
import { users } from '#db/schema/account.ts';
import { categories, courses, lessons } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import type { CurrentUser } from '#src/features/account/session.server.ts';
import { JsonText } from '#src/server/json.ts';
import { isOwnCourse } from '#src/features/lessons/working-copy.server.ts';
import { AppError } from '#src/shared/errors.ts';
import type { Category, Course, LessonOutline } from './catalogue.ts';
import { unprovenReasons } from './unproven.server.ts';
import { type CourseModel, type LessonModel, lessonModel } from './schema.ts';
import { namesFile } from '#src/features/lessons/lesson-store.server.ts';
import { pick } from '#src/shared/pick.ts';
import { type CourseFilter, findPage } from './search/search.server.ts';
import { isStaffOf } from '#src/features/account/staff.ts';

/** Without `staff` only administrators have more rights. */
export type Viewer = (Pick<CurrentUser, 'id' | 'role'> & Partial<Pick<CurrentUser, 'staff'>>) | null;

export interface CourseView {
  course: Course;
  lessons: LessonOutline[];
  enrolled: boolean;
  mayReadAll: boolean;
}

const categoriesInOrder = prepared((database) =>
  database
    .select({
      id: categories.id,
      name: categories.name,
      description: categories.description,
      icon: categories.icon,
    })
    .from(categories)
    .orderBy(asc(categories.id))
    .prepare('categories_in_order'),
);

export function listCategories(): Promise<Category[]> {
  return categoriesInOrder().execute();
}

const cardColumns = {
  id: courses.id,
  title: courses.title,
  thumbnail: courses.thumbnail,
  priceCents: courses.priceCents,
  originalPriceCents: courses.originalPriceCents,
  duration: courses.duration,
  level: courses.level,
  rating: sql<number>`${courses.rating}::float8`,
  reviewCount: courses.reviewCount,
  studentsCount: courses.studentsCount,
  categoryId: courses.categoryId,
  categoryName: categories.name,
  isActive: courses.isActive,
};

const courseColumns = {
  ...cardColumns,
  description: courses.description,
  createdBy: courses.createdBy,
  createdByName: users.username,
  createdAt: courses.createdAt,
};

export const outlineColumns = {
  id: lessons.id,
  courseId: lessons.courseId,
  title: lessons.title,
  section: lessons.section,
  type: lessons.type,
  duration: lessons.duration,
  order: lessons.order,
  difficulty: lessons.difficulty,
  isPreview: lessons.isPreview,
  requiredToComplete: lessons.requiredToComplete,
  points: lessons.points,
};

/** Hidden courses for administrators alone (decision 29, fault I7). */
export async function listCourseModels(
  filter: CourseFilter,
  viewer: Viewer,
): Promise<{ courses: CourseModel[] | JsonText; shown: ShownCourse[]; total: number }> {
  const includeHidden = filter.includeHidden === true && viewer?.role === 'admin';
  const { shown, total } = await findPage<{ json: string; shown: ShownCourse[] }>(
    { ...filter, includeHidden },
    (page) => modelsOf(page, includeHidden),
  );
  if (!includeHidden) return { courses: new JsonText(shown?.json ?? '[]'), shown: shown?.shown ?? [], total };
  const models: CourseModel[] = JSON.parse(shown?.json ?? '[]');
  const unproven = await unprovenReasons(models.map(({ id }) => id));
  const found = models.map((model) => {
    const reasons = unproven.get(model.id);
    return reasons ? { ...model, unproven: reasons } : model;
  });
  return { courses: found, shown: found, total };
}

type ShownCourse = Pick<CourseModel, 'id' | 'categoryId'>;

async function courseModelsById(ids: readonly number[]): Promise<Map<number, CourseModel>> {
  if (ids.length === 0) return new Map();
  const rows = await db()
    .select({ model: sql<CourseModel>`to_json(${jsonObject(courseModelFields)})` })
    .from(courses)
    .innerJoin(categories, eq(categories.id, courses.categoryId))
    .leftJoin(users, eq(users.id, courses.createdBy))
    .where(inArray(courses.id, [...ids]));
  return new Map(rows.map(({ model }) => [model.id, model]));
}

/** Spec 3; needs `courses` with its category, and the author in `users`. */
export const courseModelFields = {
  id: courses.id,
  title: courses.title,
  description: courses.description,
  thumbnail: courses.thumbnail,
  price: jsonPrice(courses.priceCents),
  originalPrice: jsonPrice(courses.originalPriceCents),
  duration: courses.duration,
  level: courses.level,
  rating: cardColumns.rating,
  studentsCount: courses.studentsCount,
  createdBy: courses.createdBy,
  categoryId: courses.categoryId,
  isActive: courses.isActive,
  createdAt: jsonTime(courses.createdAt),
  category: jsonObject({ id: courses.categoryId, name: categories.name }),
  createdByUser: sql`case when ${users.id} is not null then ${jsonObject({ username: users.username })} end`,
  content: jsonArray(sql`
    select ${jsonFields(outlineColumns)} from ${lessons}
    where ${lessons.courseId} = ${courses.id} order by ${lessons.order}, ${lessons.id}`),
} satisfies Record<Exclude<keyof CourseModel, 'unproven'>, SQLWrapper>;

const modelFields = new PgDialect({ casing: 'snake_case' }).sqlToQuery(jsonFields(courseModelFields)).sql;

/** SQL: columns of the courses of rows of `id` and `place`, as text of JSON and by what a cache knows them. */
function modelsOf(page: Fragment, includeHidden: boolean): Fragment {
  const raw = sqlClient();
  return raw`(
      select coalesce(json_agg(one), '[]')::text from (
        select ${raw.unsafe(modelFields)} from ${page} asked
        join courses on courses.id = asked.id join categories on categories.id = courses.category_id
        left join users on users.id = courses.created_by
        where courses.is_active or ${includeHidden}::boolean order by asked.place) one) as json,
    (select coalesce(json_agg(json_build_object('id', id, 'categoryId', category_id)), '[]')
      from ${page} asked join courses using (id)) as shown`;
}

const courseForViewer = prepared((database) =>
  database
    .select({ ...courseColumns, enrollmentId: enrollments.id })
    .from(courses)
    .innerJoin(categories, eq(categories.id, courses.categoryId))
    .leftJoin(users, eq(users.id, courses.createdBy))
    .leftJoin(enrollments, givesAccess(sql.placeholder('viewerId'), courses.id))
    .where(and(eq(courses.id, sql.placeholder('id')), isOwnCourse))
    .prepare('course_for_viewer'),
);

const outlinesOfCourse = prepared((database) =>
  database
    .select(outlineColumns)
    .from(lessons)
    .where(eq(lessons.courseId, sql.placeholder('courseId')))
    .orderBy(asc(lessons.order), asc(lessons.id))
    .prepare('lesson_outlines_of_course'),
);

/** Null where missing, or hidden from this viewer (decision 29, fault I8). */
export async function findCourse(id: number, viewer: Viewer): Promise<CourseView | null> {
  const [[row], outlines] = await Promise.all([
    // No account has id 0.
    courseForViewer().execute({ id, viewerId: viewer?.id ?? 0 }),
    outlinesOfCourse().execute({ courseId: id }),
  ]);
  if (!row) return null;
  const { enrollmentId, ...course } = row;
  const enrolled = enrollmentId !== null;
  const mayReadAll = enrolled || isStaffOf(viewer, id);
  if (!course.isActive && !mayReadAll) return null;
  return { course, lessons: outlines, enrolled, mayReadAll };
}

/** @throws {AppError} not_found */
export async function getCourse(id: number, viewer: Viewer): Promise<CourseView> {
  const view = await findCourse(id, viewer);
  if (!view) throw new AppError('not_found', 'Course not found');
  return view;
}

/** With the bodies that the viewer may read (decision 32). */
export async function getCourseModel(id: number, viewer: Viewer): Promise<CourseModel> {
  const view = await getCourse(id, viewer);
  const isAdmin = isStaffOf(viewer, id);
  const [models, bodies, closed, reasons] = await Promise.all([
    courseModelsById([id]),
    lessonBodies(id, view.mayReadAll, isAdmin),
    viewer && view.enrolled && !isAdmin ? closedLessonIds(viewer.id, id) : null,
    isAdmin ? unprovenReasons([id]) : null,
  ]);
  const model = models.get(id);
  if (!model) throw new AppError('not_found', 'Course not found');
  // A thousand outlines alone come to half of the limit.
  let bytes = Buffer.byteLength(JSON.stringify(model.content));
  const content = model.content.map((outline) => {
    const body = closed?.has(outline.id) ? undefined : bodies.get(outline.id);
    if (!body || bytes > BODIES_MAX_BYTES) return outline;
    bytes += Buffer.byteLength(JSON.stringify(body));
    return bytes > BODIES_MAX_BYTES ? outline : body;
  });
  const unproven = reasons?.get(id);
  return { ...model, content, ...(unproven && { unproven }) };
}

/** The later lessons of a larger course are fetched one by one. */
const BODIES_MAX_BYTES = 1_400_000;

const bodyColumns = pick(lessons, Object.keys(lessonModel.shape) as (keyof LessonModel)[]);

const bodiesOfCourse = prepared((database) =>
  database
    .select(bodyColumns)
    .from(lessons)
    .where(eq(lessons.courseId, sql.placeholder('courseId')))
    .orderBy(asc(lessons.order), asc(lessons.id))
    .prepare('lesson_bodies_of_course'),
);

const previewsOfCourse = prepared((database) =>
  database
    .select(bodyColumns)
    .from(lessons)
    .where(and(eq(lessons.courseId, sql.placeholder('courseId')), eq(lessons.isPreview, true)))
    .orderBy(asc(lessons.order), asc(lessons.id))
    .prepare('lesson_previews_of_course'),
);

/** @param all otherwise previews only @param withHiddenTests for administrators (decision 44) */
export async function lessonBodies(
  courseId: number,
  all: boolean,
  withHiddenTests = false,
): Promise<Map<number, LessonModel>> {
  const rows = await (all ? bodiesOfCourse() : previewsOfCourse()).execute({ courseId });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        testCases: row.testCases.map((test) =>
          test.hidden && !withHiddenTests ? { description: test.description, hidden: true } : test,
        ),
      },
    ]),
  );
}

const fileReaders = prepared((database) =>
  database
    .select({
      isPreview: sql<boolean>`bool_or(${isOpenToAll})`,
      enrolled: sql<boolean>`bool_or(${enrollments.id} is not null and ${closedLesson} is null)`,
      courseIds: sql<number[] | null>`array_agg(${courses.id})`,
    })
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .leftJoin(enrollments, givesAccess(sql.placeholder('viewerId'), courses.id))
    .where(namesFile(sql.placeholder('path')))
    .prepare('file_readers'),
);

/**
 * Staff, the enrolled where the lesson is open, and anyone for a preview of a visible course (decision 32, fault I9).
 * @param path as lessons name it
 */
export async function mayReadLessonFile(path: string, viewer: Viewer): Promise<boolean> {
  if (viewer?.role === 'admin') return true;
  const [found] = await fileReaders().execute({ path, viewerId: viewer?.id ?? 0 });
  return (
    found?.isPreview === true ||
    found?.enrolled === true ||
    (found?.courseIds ?? []).some((id) => isStaffOf(viewer, id))
  );
}
