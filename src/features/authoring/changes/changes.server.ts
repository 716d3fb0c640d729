import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { diffArrays } from 'diff';
import { and, asc, count, eq, inArray } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { lessonProgress } from '#db/schema/learn.ts';
import {
  fieldsOfRow,
  type LessonFields,
  lessonFieldLabel,
} from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { changedFields, shownParts } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { differencesOf } from '#src/features/authoring/lesson-editor/versions/versions.server.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { partsOf } from '#src/features/lessons/lesson-store.server.ts';
import { quiz } from '#src/features/lessons/registry.ts';
import { findWorkingCourse, shownId } from '#src/features/lessons/working-copy.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { marksAgain } from './marks-again.server.ts';
import type { MovedLesson, PendingChange, PendingChanges } from './changes.ts';

// Changes are no rows: they are the difference between a course and its working copy.

const OUTLINE = {
  id: lessons.id,
  draftOf: lessons.draftOf,
  version: lessons.version,
  section: lessons.section,
  title: lessons.title,
  type: lessons.type,
  fileUrl: lessons.fileUrl,
  captionsUrl: lessons.captionsUrl,
  moreCaptions: lessons.moreCaptions,
};
type OutlineRow = Pick<typeof lessons.$inferSelect, keyof typeof OUTLINE>;

/** The lessons of a course and of its working copy, in order. */
export interface Outlines {
  live: OutlineRow[];
  copy: OutlineRow[];
}

export async function outlinesOf(courseId: number, copyId: number, executor: Executor): Promise<Outlines> {
  const outline = (id: number) =>
    executor
      .select(OUTLINE)
      .from(lessons)
      .where(eq(lessons.courseId, id))
      .orderBy(asc(lessons.order), asc(lessons.id));
  const live = await outline(courseId);
  return { live, copy: await outline(copyId) };
}

/** The same text for the same changes. */
export function seenOf({ live, copy }: Outlines): string {
  const rows = [live, copy].map((all) => all.map(({ id, version, section }) => [id, version, section]));
  return createHash('sha256').update(JSON.stringify(rows)).digest('base64url');
}

/** Lessons only in the copy, in both, and only in the course. */
export function comparedOutlines({ live, copy }: Outlines) {
  const liveOf = new Map(live.map((row) => [row.id, row]));
  const kept = new Set(copy.flatMap(({ draftOf }) => draftOf ?? []));
  return {
    added: copy.filter(({ draftOf }) => draftOf === null),
    touched: copy.flatMap((row) => {
      const before = row.draftOf === null ? undefined : liveOf.get(row.draftOf);
      return before && before.version !== row.version ? [{ before, row }] : [];
    }),
    removed: live.filter(({ id }) => !kept.has(id)),
    moved: movedLessons(
      live.filter(({ id }) => kept.has(id)),
      copy.filter(({ draftOf }) => draftOf !== null),
    ),
  };
}

function movedLessons(live: OutlineRow[], copy: OutlineRow[]): MovedLesson[] {
  const [before, after] = [live.map(shownId), copy.map(shownId)];
  const gone = new Set(diffArrays(before, after).flatMap(({ removed, value }) => (removed ? value : [])));
  const sectionOf = new Map(live.map(({ id, section }) => [id, section]));
  return copy.flatMap((row, index) => {
    const lessonId = shownId(row);
    const from = sectionOf.get(lessonId)!;
    const section = from === row.section ? null : { from, to: row.section };
    return gone.has(lessonId) || section
      ? [{ lessonId, title: row.title, from: before.indexOf(lessonId) + 1, to: index + 1, section }]
      : [];
  });
}

async function fieldsOf(ids: readonly number[], executor: Executor): Promise<Map<number, LessonFields>> {
  if (ids.length === 0) return new Map();
  const rows = await executor
    .select()
    .from(lessons)
    .where(inArray(lessons.id, [...ids]));
  const fields = new Map<number, LessonFields>();
  for (const row of rows) fields.set(row.id, fieldsOfRow(row, shownParts(await partsOf(row, executor)), 0));
  return fields;
}

/** Learners who completed each lesson. */
export async function completionsOf(
  ids: readonly number[],
  executor: Executor,
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await executor
    .select({ lessonId: lessonProgress.lessonId, completions: count() })
    .from(lessonProgress)
    .where(
      and(
        inArray(lessonProgress.lessonId, [...ids]),
        eq(lessonProgress.completed, true),
        isPerson(lessonProgress.userId),
      ),
    )
    .groupBy(lessonProgress.lessonId);
  return new Map(rows.map((row) => [row.lessonId, row.completions]));
}

/** Bytes of differences beyond which an answer only names the fields. */
const DIFFERENCES_MAX_BYTES = 500_000;
const LESSON_DIFFERENCES_MAX_BYTES = 1_000_000;

const notShown = (labels: readonly string[]): PendingChange['differences'][number] => ({
  label: labels.join(', '),
  hunks: [{ lines: [' Too much is different to be shown here: the versions of the lesson show it.'] }],
  after: '',
});

/**
 * `findChanges`.
 * @throws {AppError} not_found
 */
export async function pendingChanges(courseId: number, executor: Executor = db()): Promise<PendingChanges> {
  const changes = await findChanges(courseId, executor);
  if (!changes) throw new AppError('not_found', 'Course not found');
  return changes;
}

/** New, changed, moved and removed lessons, by the ids that authors know; null without such a course. */
export async function findChanges(
  courseId: number,
  executor: Executor = db(),
): Promise<PendingChanges | null> {
  const working = await findWorkingCourse(courseId, executor);
  if (!working) return null;
  const { isPublished, title } = working;
  if (working.id === courseId)
    return { courseId, title, isPublished, seen: '', lessons: [], moved: [], marks: { better: 0, worse: 0 } };
  const outlines = await outlinesOf(courseId, working.id, executor);
  const { added, touched, removed, moved } = comparedOutlines(outlines);
  const fields = await fieldsOf(
    touched.flatMap(({ before, row }) => [before.id, row.id]),
    executor,
  );
  const completions = await completionsOf(
    [...touched.map(({ before }) => before.id), ...removed.map(({ id }) => id)],
    executor,
  );
  const titles = new Map([...outlines.live, ...outlines.copy].map((row) => [shownId(row), row.title]));
  const place = new Map(outlines.copy.map((row, index) => [row.id, index]));
  const change = (
    row: OutlineRow,
    kind: PendingChange['kind'],
    differences: PendingChange['differences'] = [],
  ): PendingChange => ({
    lessonId: shownId(row),
    title: row.title,
    type: row.type,
    kind,
    differences,
    completions: completions.get(shownId(row)) ?? 0,
  });
  const changed = added.map((row) => ({ at: place.get(row.id)!, ...change(row, 'new') }));
  let bytes = 0;
  for (const { before, row } of touched) {
    const [old, now] = [fields.get(before.id)!, fields.get(row.id)!];
    const labels = changedFields(old, now)
      .filter((field) => field !== 'section')
      .map(lessonFieldLabel);
    // Changed and changed back.
    if (labels.length === 0) continue;
    let differences = [notShown(labels)];
    if (bytes <= DIFFERENCES_MAX_BYTES) {
      const all = differencesOf(old, now, titles).filter(({ label }) => labels.includes(label));
      const size = Buffer.byteLength(JSON.stringify(all));
      bytes += size;
      if (size <= LESSON_DIFFERENCES_MAX_BYTES) differences = all;
    }
    changed.push({ at: place.get(row.id)!, ...change(row, 'changed', differences) });
    // Comparing two long texts blocks the process.
    await nextTurn();
  }
  const marks = touched.some(({ row }) => row.type === quiz.name)
    ? await marksAgain(working, true, executor)
    : [];
  return {
    courseId,
    title,
    isPublished,
    seen: seenOf(outlines),
    lessons: [
      ...changed.toSorted((a, b) => a.at - b.at).map(({ at: _, ...one }) => one),
      ...removed.map((row) => change(row, 'removed')),
    ],
    moved,
    marks: {
      better: marks.filter(({ gain }) => gain > 0).length,
      worse: marks.filter(({ gain }) => gain < 0).length,
    },
  };
}
