import { isDeepStrictEqual } from 'node:util';
import { and, asc, count, eq, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { lessonProgress } from '#db/schema/learn.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { unprovenReasons } from '#src/features/catalogue/unproven.server.ts';
import type { Unproven } from '#src/features/catalogue/schema.ts';
import { recomputeCourse } from '#src/features/learn/progress/completion.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { findFile } from '#src/server/files/files.ts';
import { typeByName } from '#src/server/files/types-by-name.ts';
import { followProof } from '#src/features/authoring/publishing/store-wish.server.ts';
import { requireRenderable } from '#src/server/markdown.ts';
import { AppError } from '#src/shared/errors.ts';
import { type Scenario, scenarioDefinition } from '#src/features/scenario/scenario.ts';
import {
  addLessons,
  changeLesson,
  columnsOf,
  deleteLessons,
  type LessonRow,
  partsOf,
  placeLessons,
  placesOf,
  setChanged,
} from '#src/features/lessons/lesson-store.server.ts';
import {
  FILE_COLUMNS,
  type FileColumn,
  has,
  type LessonType,
  lessonType,
  missingOf,
} from '#src/features/lessons/registry.ts';
import {
  isLesson,
  isOwnCourse,
  lockForChange,
  lockLessonForChange,
  shownId,
  type WorkingCourse,
  workingId,
} from '#src/features/lessons/working-copy.server.ts';
import { keptOpening } from '#src/features/lessons/opening.ts';
import { openingsOf, requireOpenable } from '#src/features/lessons/prerequisites.server.ts';
import { findStoredVideo } from '#src/features/lessons/videos.server.ts';
import {
  fieldsOfRow,
  LESSON_FIELD_NAMES,
  type LessonField,
  type LessonFields,
  lessonFieldLabel,
  type Told,
  toldFields,
} from './lesson-fields.ts';
import { type EmptySection, emptyAmong } from './list/sections.ts';
import { type ListedLesson, type Place, placeInSection } from './lessons.ts';
import { type LessonChange, type LessonInput, LESSONS_MAX, type SavedLesson } from './schema.ts';

/** A course with its lessons as they are worked on, for the editor; null where there is none. */
export async function findCourseContent(courseId: number): Promise<{
  id: number;
  title: string;
  isActive: boolean;
  activateWhenProven: boolean;
  isPublished: boolean;
  unproven: Unproven[];
  lessons: ListedLesson[];
  empty: EmptySection[];
} | null> {
  const [[course], unproven, rows, done] = await Promise.all([
    db()
      .select({
        id: courses.id,
        title: courses.title,
        isActive: courses.isActive,
        activateWhenProven: courses.activateWhenProven,
        isPublished: sql<boolean>`${courses.publishedAt} is not null`,
        empty: courses.emptySections,
      })
      .from(courses)
      .where(and(eq(courses.id, courseId), isOwnCourse)),
    unprovenReasons([courseId]),
    db()
      .select({
        id: sql<number>`coalesce(${lessons.draftOf}, ${lessons.id})`,
        title: lessons.title,
        section: lessons.section,
        type: lessons.type,
        duration: lessons.duration,
        points: lessons.points,
        isPreview: lessons.isPreview,
        requiredToComplete: lessons.requiredToComplete,
        opening: lessons.opening,
      })
      .from(lessons)
      .where(eq(lessons.courseId, workingId(courseId)))
      .orderBy(asc(lessons.order), asc(lessons.id)),
    db()
      .select({ lessonId: lessonProgress.lessonId, completions: count() })
      .from(lessonProgress)
      .where(
        and(
          eq(lessonProgress.courseId, courseId),
          eq(lessonProgress.completed, true),
          isPerson(lessonProgress.userId),
        ),
      )
      .groupBy(lessonProgress.lessonId),
  ]);
  if (!course) return null;
  const completions = new Map(done.map((row) => [row.lessonId, row.completions]));
  return {
    ...course,
    empty: emptyAmong(rows, course.empty),
    unproven: unproven.get(courseId) ?? [],
    lessons: rows.map(({ opening: _, ...row }) => ({
      ...row,
      completions: completions.get(row.id) ?? 0,
      neededBy: rows.filter(({ opening }) => opening.after?.includes(row.id)).map(({ title }) => title),
    })),
  };
}

/** A lesson of this course as its form shows it, or null. */
export async function findLessonFields(courseId: number, lessonId: number): Promise<LessonFields | null> {
  const [row] = await db()
    .select()
    .from(lessons)
    .where(and(isLesson(lessonId), eq(lessons.courseId, workingId(courseId))));
  if (!row) return null;
  const places = await placesOf(row.courseId, db());
  return fieldsOfRow(
    row,
    shownParts(await partsOf(row, db())),
    places.findIndex(({ id }) => id === row.id) + 1,
  );
}

type Parts = Pick<LessonFields, 'questions' | 'scenario'>;

/** With the schema's defaults, so that scenarios from files and from forms compare as equal. */
export function shownParts({ questions, scenario }: Awaited<ReturnType<typeof partsOf>>): Parts {
  return {
    questions,
    scenario: scenario && (scenarioDefinition.safeParse(scenario).data ?? (scenario as Scenario)),
  };
}

async function lessonOf(input: Omit<LessonInput, 'order'>) {
  const { instructions, durationSeconds, scenario, ...shared } = input;
  const { type } = input;
  const { field } = lessonType(type).text;
  requireRenderable(field, field === 'content' ? 'Content' : 'Instructions', input[field]);
  for (const hint of input.hints) requireRenderable('hints', 'Hints', hint);
  requireRenderable('solutionNotes', 'What to notice in the solution', input.solutionNotes);
  const files: Partial<Record<FileColumn, string | null>> = {};
  for (const column of FILE_COLUMNS) {
    files[column] = has(type, column) ? await knownFile(column, input[column]) : null;
  }
  if (has(type, 'moreCaptions')) {
    for (const [at, { url }] of input.moreCaptions.entries()) await knownFile(`moreCaptions.${at}.url`, url);
  }
  return {
    ...shared,
    ...(field === 'instructions' ? { instructions } : {}),
    ...files,
    ...(has(type, 'fileUrl') ? await fileFacts(type, input.fileUrl) : {}),
    durationSeconds: durationSeconds ?? null,
    scenario: scenario ?? null,
  };
}

async function fileFacts(type: LessonType, fileUrl: string) {
  if (!fileUrl) return { fileSize: null, mimeType: null };
  if (!fileUrl.startsWith('/')) {
    // Never requested from here (fault U2); the extension is all there is.
    return { fileSize: null, mimeType: typeByName(new URL(fileUrl).pathname) ?? null };
  }
  const file = await findFile(fileUrl);
  if (!file) throw noSuchFile('fileUrl');
  const isVideo = /^video\/(mp4|webm)$/.test(file.mimeType) || (await findStoredVideo(fileUrl)) !== null;
  if (has(type, 'watchRequired') && !isVideo) {
    const message = `${file.originalName} is no video that can be played`;
    throw new AppError('invalid_input', message, { fields: { fileUrl: message } });
  }
  return { fileSize: file.size, mimeType: file.mimeType };
}

async function knownFile(field: string, address: string): Promise<string | null> {
  if (!address) return null;
  if (address.startsWith('/') && !(await findFile(address))) throw noSuchFile(field);
  return address;
}

function noSuchFile(field: string): AppError {
  const message = 'There is no such file on this site. Upload it, or give an https:// address.';
  return new AppError('invalid_input', message, { fields: { [field]: message } });
}

const titlesIn = (all: readonly { id: number; title: string }[]) =>
  new Map(all.map(({ id, title }) => [id, title]));

/** A lesson for its editor, by the ids that authors know. */
export function savedLesson(row: LessonRow, { id, courseId }: WorkingCourse, order: number): SavedLesson {
  const { title, type, section, version } = row;
  return { id: shownId(row), courseId, title, type, section, order, version, waits: id !== courseId };
}

/**
 * Adds a lesson, at a position or at its section's end; everybody's progress follows (fault S6). Audited.
 * @throws {AppError} not_found; invalid_input for a missing file; conflict for a full course
 */
export async function createLesson(
  actor: Actor,
  courseId: number,
  { order, ...input }: LessonInput,
): Promise<SavedLesson> {
  const lesson = await lessonOf(input);
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const working = await lockForChange(tx, courseId, missingOf(lesson.type, lesson).length === 0);
      const others = await placesOf(working.id, tx);
      const openings = await openingsOf(working.id, tx);
      const opening = keptOpening(lesson.opening);
      if (others.length >= LESSONS_MAX) {
        throw new AppError('conflict', `A course has at most ${LESSONS_MAX} lessons.`);
      }
      const at = order
        ? Math.min(order - 1, others.length)
        : await placeFor(tx, courseId, others, input.section);
      const asked = { ...lesson, id: 0, opening };
      requireOpenable(openings.toSpliced(at, 0, asked), asked);
      const [row] = await addLessons(tx, working.id, [{ ...lesson, opening }], at + 1);
      await placeLessons(tx, working.id, others.toSpliced(at, 0, row!));
      await recomputeCourse(tx, working.id);
      await recordAudit(tx, actor, {
        action: 'lesson.created',
        subjectType: 'lesson',
        subjectId: row!.id,
        details: { title: row!.title, course: working.title, courseId },
      });
      return savedLesson(row!, working, at + 1);
    }),
  );
}

async function placeFor(
  tx: Tx,
  courseId: number,
  others: Awaited<ReturnType<typeof placesOf>>,
  section: string,
): Promise<number> {
  if (others.some((lesson) => lesson.section === section)) return placeInSection(others, section);
  const [course] = await tx
    .select({ empty: courses.emptySections })
    .from(courses)
    .where(eq(courses.id, courseId));
  const before = course?.empty.find(({ title }) => title === section)?.before;
  const at = others.findIndex((lesson) => shownId(lesson) === before);
  return at === -1 ? others.length : at;
}

function shownText(value: Told): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'object') return String(value);
  if ('title' in value) return value.title;
  return value
    .map((item, index) => {
      const text =
        typeof item === 'string'
          ? item
          : 'question' in item
            ? item.question
            : 'say' in item
              ? item.say
              : `${item.input} → ${item.expectedOutput || '(empty text)'}`;
      return `${index + 1}. ${text}`;
    })
    .join(' ');
}

/** Labels of the fields in which two states differ, in the order of their table. */
export function changedFields(before: LessonFields, after: LessonFields): LessonField[] {
  const [old, now] = [toldFields(before), toldFields(after)];
  return LESSON_FIELD_NAMES.filter((name) => !isDeepStrictEqual(old[name], now[name]));
}

function differences(
  before: LessonFields,
  after: LessonFields,
  titles: ReadonlyMap<number, string> = new Map(),
) {
  const now = toldFields(after, titles);
  return changedFields(before, after).map((field) => ({
    field,
    label: lessonFieldLabel(field),
    value: shownText(now[field]),
  }));
}

/**
 * Changes a lesson; everybody's progress follows where that counts (fault S6). Audited with the changed
 * fields.
 * @param input `order` null keeps the place, or takes the end of a new section
 * @throws {AppError} not_found; conflict with `changed` and `version` after a colleague's save, or for
 * another type; invalid_input for a missing file or question
 */
export async function updateLesson(
  actor: Actor,
  lessonId: number,
  { version, order, change, ...input }: LessonInput & { version: number; change?: LessonChange | undefined },
): Promise<SavedLesson> {
  const written = await lessonOf(input);
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const { working, lesson: before } = await lockLessonForChange(tx, lessonId);
      if (before.type !== input.type)
        throw new AppError('conflict', 'The type of a lesson cannot be changed.');
      const places = await placesOf(working.id, tx);
      const openings = await openingsOf(working.id, tx);
      const at = places.findIndex(({ id }) => id === before.id);
      // A lesson that is gone is not asked about; an unknown one is refused below.
      const isGone = (id: number) =>
        before.opening.after?.includes(id) && !openings.some((one) => one.id === id);
      const lesson = { ...written, opening: keptOpening(written.opening, (id) => !isGone(id)) };
      const old = fieldsOfRow(before, shownParts(await partsOf(before, tx)), at + 1);
      const wanted = fieldsOfRow(
        { ...before, ...columnsOf(lesson) },
        {
          questions: has(input.type, 'questions')
            ? input.questions.map((question) => ({ ...question, id: question.id ?? null }))
            : [],
          scenario: has(input.type, 'scenario') ? lesson.scenario : null,
        },
        order ?? at + 1,
      );
      if (version !== before.version) {
        throw new AppError('conflict', 'Somebody else changed this lesson meanwhile.', {
          extra: { changed: differences(wanted, old, titlesIn(openings)), version: before.version },
        });
      }
      const changed = differences(old, wanted);
      const others = places.toSpliced(at, 1);
      const moved =
        order && order !== at + 1
          ? Math.min(order - 1, others.length)
          : before.section === input.section
            ? at
            : await placeFor(tx, working.courseId, others, input.section);
      if (changed.length === 0 && moved === at) return savedLesson(before, working, at + 1);
      const asked = { ...lesson, id: shownId(before) };
      requireOpenable(openings.toSpliced(at, 1).toSpliced(moved, 0, asked), asked);
      const isOtherScenario = changed.some(({ field }) => field === 'scenario');
      const kept = { ...lesson, scenario: isOtherScenario ? lesson.scenario : null };
      const after = await changeLesson(tx, before.id, kept, actor.id);
      // For a waiting change, publishing asks this.
      const isAtOnce = working.id === working.courseId;
      if (change === 'new_version' && isAtOnce && changed.length > 0) await setChanged(tx, before.id);
      await placeLessons(tx, working.id, others.toSpliced(moved, 0, after));
      if (changed.some(({ field }) => field === 'requiredToComplete' || field === 'points')) {
        await recomputeCourse(tx, working.id);
      }
      await recordAudit(tx, actor, {
        action: 'lesson.updated',
        subjectType: 'lesson',
        subjectId: shownId(before),
        details: {
          title: after.title,
          course: working.title,
          courseId: working.courseId,
          changed: [
            ...changed.map(({ label }) => label.toLowerCase()),
            ...(moved === at ? [] : ['place']),
          ].join(', '),
          ...(change && isAtOnce ? { change } : {}),
        },
      });
      return savedLesson(after, working, moved + 1);
    }),
  );
}

/**
 * Removes a lesson with learners' work in it; everybody's progress follows (fault S6). Audited.
 * @throws {AppError} not_found
 */
export async function deleteLesson(actor: Actor, lessonId: number): Promise<{ deleted: true }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const { working, lesson } = await lockLessonForChange(tx, lessonId);
      await removeLessons(tx, actor, working, [lesson]);
      return { deleted: true as const };
    }),
  );
}

export async function removeLessons(
  tx: Tx,
  actor: Actor,
  working: WorkingCourse,
  rows: readonly LessonRow[],
): Promise<void> {
  await deleteLessons(
    tx,
    rows.map(({ id }) => id),
  );
  await placeLessons(tx, working.id, await placesOf(working.id, tx));
  await recomputeCourse(tx, working.id);
  await followProof(tx, working.id);
  for (const row of rows) {
    await recordAudit(tx, actor, {
      action: 'lesson.deleted',
      subjectType: 'lesson',
      subjectId: shownId(row),
      details: { title: row.title, course: working.title, courseId: working.courseId },
    });
  }
}

/**
 * Puts lessons into another order and other sections. Audited; the same order is no change.
 * @param before, emptyBefore the order and empty sections that the author saw
 * @throws {AppError} not_found; conflict with the present `lessons` after a colleague's change, or for an
 * incomplete order
 */
export async function orderLessons(
  actor: Actor,
  courseId: number,
  {
    before,
    lessons: wanted,
    empty,
    emptyBefore = [],
  }: {
    before: number[];
    lessons: Place[];
    empty?: EmptySection[] | undefined;
    emptyBefore?: EmptySection[];
  },
): Promise<{ lessons: Place[] }> {
  return db().transaction(async (tx) => {
    const working = await lockForChange(tx, courseId);
    const rows = await placesOf(working.id, tx);
    const present = rows.map((row) => ({ id: shownId(row), section: row.section }));
    const isSame = (a: readonly number[], b: readonly number[]) =>
      a.length === b.length && a.every((id, index) => id === b[index]);
    const ids = present.map(({ id }) => id);
    const isComplete = isSame(
      wanted.map(({ id }) => id).toSorted((a, b) => a - b),
      ids.toSorted((a, b) => a - b),
    );
    const [course] = await tx
      .select({ empty: courses.emptySections })
      .from(courses)
      .where(eq(courses.id, courseId));
    const kept = emptyAmong(present, course!.empty);
    const isSeen = !empty || isDeepStrictEqual(emptyAmong(present, emptyBefore), kept);
    if (!isSame(before, ids) || !isComplete || !isSeen) {
      throw new AppError('conflict', 'Somebody else changed the lessons of this course meanwhile.', {
        extra: { lessons: present },
      });
    }
    const places = wanted.map(({ id, section }) => ({ id, section }));
    if (empty) {
      const emptySections = emptyAmong(places, empty);
      await tx.update(courses).set({ emptySections }).where(eq(courses.id, courseId));
    }
    if (JSON.stringify(places) === JSON.stringify(present)) return { lessons: places };
    const rowOf = new Map(rows.map((row) => [shownId(row), row.id]));
    await placeLessons(
      tx,
      working.id,
      places.map(({ id, section }) => ({ id: rowOf.get(id)!, section })),
    );
    await recordAudit(tx, actor, {
      action: 'course.lessons_ordered',
      subjectType: 'course',
      subjectId: courseId,
      details: { title: working.title },
    });
    return { lessons: places };
  });
}
