import { and, asc, eq, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { assignments, lessonProgress, quizAttempts } from '#db/schema/learn.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { lessonQuestions } from '#db/schema/questions.ts';
import { scenarioProgress, scenarios } from '#db/schema/scenario.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { COURSE_MAX, columnsOf, valuesOf } from '#src/features/authoring/courses/course-fields.ts';
import { adoptPictures } from '#src/features/authoring/media/pictures.server.ts';
import { savedLesson } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { LESSONS_MAX, type SavedLesson } from '#src/features/authoring/lesson-editor/schema.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { emptyAmong, placedBefore } from '#src/features/authoring/lesson-editor/list/sections.ts';
import { placeInSection } from '#src/features/authoring/lesson-editor/lessons.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { recomputeCourse } from '#src/features/learn/progress/completion.server.ts';
import {
  addLessons,
  deleteLessons,
  type LessonRow,
  type LessonToWrite,
  lockCourse,
  moveLesson,
  partsOf,
  placeLessons,
  placesOf,
  type ScenarioToWrite,
  setOpenings,
} from '#src/features/lessons/lesson-store.server.ts';
import {
  courseOfLesson,
  isLesson,
  isOwnCourse,
  lockForChange,
  type WorkingCourse,
} from '#src/features/lessons/working-copy.server.ts';
import { keptOpening } from '#src/features/lessons/opening.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { counted } from '#src/shared/counted.ts';
import { AppError } from '#src/shared/errors.ts';
import { picturesIn } from '#src/shared/pictures.ts';
import { omit } from '#src/shared/pick.ts';

const copyTitle = (title: string, max: number) => `Copy of ${title}`.slice(0, max).trimEnd();

function withPictures<T>(value: T, addresses: ReadonlyMap<string, string>): T {
  if (addresses.size === 0) return value;
  let text = JSON.stringify(value);
  for (const [from, to] of addresses) text = text.replaceAll(from, to);
  return JSON.parse(text) as T;
}

async function writtenOf(tx: Tx, row: LessonRow, from: number, courseId: number): Promise<LessonToWrite> {
  const rest = omit(row, [
    ...(['id', 'courseId', 'order', 'version', 'revision', 'provenRevision'] as const),
    ...(['draftOf', 'createdAt', 'updatedAt', 'changedAt', 'programsShownSince'] as const),
  ]);
  const { questions, scenario } = await partsOf(row, tx);
  const lesson = {
    ...rest,
    // Another course has none of the lessons that it waits for.
    opening: keptOpening(row.opening, () => from === courseId),
    questions: questions.map(({ id: _question, ...question }) => question),
    scenario: scenario as ScenarioToWrite | null,
  };
  return withPictures(lesson, await picturesFor(tx, from, courseId, lesson));
}

async function picturesFor(tx: Tx, from: number, to: number, text: unknown): Promise<Map<string, string>> {
  return from === to ? new Map() : adoptPictures(tx, { from, to, shown: picturesIn(JSON.stringify(text)) });
}

/** Locks courses in the order of their ids, so that two exchanges of lessons cannot deadlock. */
export async function holdCourses(tx: Tx, ids: readonly number[]): Promise<Map<number, WorkingCourse>> {
  const held = new Map<number, WorkingCourse>();
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) held.set(id, await lockForChange(tx, id));
  return held;
}

async function lockLesson(tx: Tx, lessonId: number, target?: number) {
  const from = await courseOfLesson(tx, lessonId);
  const to = target ?? from;
  const held = await holdCourses(tx, [from, to]);
  const source = held.get(from)!;
  const [row] = await tx
    .select()
    .from(lessons)
    .where(and(eq(lessons.courseId, source.id), isLesson(lessonId)));
  // Deleted or moved while this waited for the lock.
  if (!row) throw new AppError('not_found', 'Lesson not found');
  const course = held.get(to)!;
  const places = await placesOf(course.id, tx);
  if (places.length >= LESSONS_MAX) {
    throw new AppError('conflict', `A course has at most ${LESSONS_MAX} lessons.`);
  }
  return { row, source, course, places };
}

/**
 * Adds an unproven copy of a lesson right after it; everybody's progress follows (fault S6). Audited.
 * @throws {AppError} not_found; conflict for a course that is full
 */
export function duplicateLesson(actor: Actor, lessonId: number): Promise<SavedLesson> {
  return retryOnConflict(() => db().transaction((tx) => copyLesson(tx, actor, lessonId)));
}

export async function copyLesson(tx: Tx, actor: Actor, lessonId: number): Promise<SavedLesson> {
  const { row, course, places } = await lockLesson(tx, lessonId);
  const at = places.findIndex(({ id }) => id === row.id) + 1;
  const title = copyTitle(row.title, LESSON_MAX.title);
  const written = await writtenOf(tx, row, course.courseId, course.courseId);
  const [copy] = await addLessons(tx, course.id, [{ ...written, title }], at + 1);
  await placeLessons(tx, course.id, places.toSpliced(at, 0, copy!));
  await recomputeCourse(tx, course.id);
  await recordAudit(tx, actor, {
    action: 'lesson.duplicated',
    subjectType: 'lesson',
    subjectId: copy!.id,
    details: { title: row.title, course: course.title, courseId: course.courseId },
  });
  return savedLesson(copy!, course, at + 1);
}

/**
 * Moves a lesson without learners' work (decision 75) to another course, into the section of the same name.
 * Audited.
 * @throws {AppError} not_found; conflict for learners' work, its own course and a full course
 */
export function moveLessonToCourse(actor: Actor, lessonId: number, courseId: number): Promise<SavedLesson> {
  return retryOnConflict(() => db().transaction((tx) => moveOver(tx, actor, lessonId, courseId)));
}

export async function moveOver(
  tx: Tx,
  actor: Actor,
  lessonId: number,
  courseId: number,
): Promise<SavedLesson> {
  const { row, source, course, places } = await lockLesson(tx, lessonId, courseId);
  if (course.id === source.id) throw new AppError('conflict', 'The lesson is in this course already.');
  const learners = await learnersOf(tx, lessonId);
  if (learners > 0) {
    throw new AppError(
      'conflict',
      `${counted(learners, 'learner has', 'learners have')} worked on this lesson here: it stays here.`,
    );
  }
  const at = placeInSection(places, row.section);
  const written = await writtenOf(tx, row, source.courseId, courseId);
  let moved: LessonRow;
  if (row.draftOf === null) {
    const { questions } = await partsOf(row, tx);
    const kept = written.questions?.map((one, at) => ({ ...one, id: questions[at]!.id }));
    moved = await moveLesson(tx, row.id, course.id, { ...written, questions: kept }, actor.id);
  } else {
    [moved] = (await addLessons(tx, course.id, [written])) as [LessonRow];
    await deleteLessons(tx, [row.id]);
  }
  await placeLessons(tx, course.id, places.toSpliced(at, 0, moved));
  await placeLessons(tx, source.id, await placesOf(source.id, tx));
  for (const { id } of [source, course]) await recomputeCourse(tx, id);
  await recordAudit(tx, actor, {
    action: 'lesson.moved',
    subjectType: 'lesson',
    subjectId: lessonId,
    details: { title: row.title, course: course.title, courseId, from: source.title },
  });
  return savedLesson(moved, course, at + 1);
}

async function learnersOf(tx: Tx, lessonId: number): Promise<number> {
  const tables = [lessonProgress, quizAttempts, assignments, codeSubmissions, lessonQuestions];
  const who = tables.map(
    (table) => sql`select ${table.userId} from ${table} where ${table.lessonId} = ${lessonId}`,
  );
  const runs = sql`select ${scenarioProgress.userId} from ${scenarioProgress} join ${scenarios} on ${scenarios.id} = ${scenarioProgress.scenarioId} where ${scenarios.lessonId} = ${lessonId}`;
  const [row] = await tx.execute<{ learners: number }>(
    sql`select count(*)::int as learners from (${sql.join([...who, runs], sql` union `)}) as anybody where ${isPerson(sql`anybody.user_id`)}`,
  );
  return row!.learners;
}

/**
 * Copies a course with its lessons and pictures: hidden, nothing proven. Audited.
 * @throws {AppError} not_found
 */
export async function duplicateCourse(
  actor: Actor & { id: number },
  courseId: number,
): Promise<{ id: number; title: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      await lockCourse(tx, courseId);
      const [row] = await tx
        .select()
        .from(courses)
        .where(and(eq(courses.id, courseId), isOwnCourse));
      if (!row) throw new AppError('not_found', 'Course not found');
      const title = copyTitle(row.title, COURSE_MAX.title);
      const [made] = await tx
        .insert(courses)
        .values({ ...columnsOf(valuesOf(row)), title, isActive: false, createdBy: actor.id })
        .returning({ id: courses.id });
      const { id } = made!;
      const addresses = await picturesFor(tx, courseId, id, row.description);
      const rows = await tx
        .select()
        .from(lessons)
        .where(eq(lessons.courseId, courseId))
        .orderBy(asc(lessons.order), asc(lessons.id));
      const written: LessonToWrite[] = [];
      for (const lesson of rows) written.push(await writtenOf(tx, lesson, courseId, id));
      const copies = await addLessons(tx, id, written);
      const copyOf = new Map(rows.map((lesson, at) => [lesson.id, copies[at]!.id]));
      const named = rows.flatMap(({ opening }, at) => {
        const after = opening.after?.flatMap((one) => copyOf.get(one) ?? []);
        return after ? [{ id: copies[at]!.id, opening: keptOpening({ ...opening, after }) }] : [];
      });
      await setOpenings(tx, named);
      const empty = emptyAmong(rows, row.emptySections);
      const emptySections = placedBefore(empty, (before) => copyOf.get(before)!);
      const description = withPictures(row.description, addresses);
      await tx.update(courses).set({ description, emptySections }).where(eq(courses.id, id));
      await recordAudit(tx, actor, {
        action: 'course.duplicated',
        subjectType: 'course',
        subjectId: id,
        details: { title, from: row.title },
      });
      return { id, title };
    }),
  );
}
