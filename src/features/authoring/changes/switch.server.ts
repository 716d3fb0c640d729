import { isDeepStrictEqual } from 'node:util';
import { and, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import {
  courses,
  findingOverrides,
  lessons,
  publishChecks,
  publishRuns,
  type PublishWish,
} from '#db/schema/catalogue.ts';
import { enrollments, quizQuestions } from '#db/schema/learn.ts';
import { mistakeGroups } from '#db/schema/practice.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { settleLesson } from '#src/features/authoring/publishing/finding-overrides.server.ts';
import { followProof } from '#src/features/authoring/publishing/store-wish.server.ts';
import { lockEnrollments, recomputeCourse } from '#src/features/learn/progress/completion.server.ts';
import { forgetPreviews } from '#src/features/learn/preview/preview.server.ts';
import {
  addressesOf,
  adoptLessons,
  changeLesson,
  deleteLessons,
  handOverVersions,
  type LessonToWrite,
  partsOf,
  placeLessons,
  placesOf,
  type ScenarioToWrite,
  setChanged,
  setProven,
} from '#src/features/lessons/lesson-store.server.ts';
import { quiz } from '#src/features/lessons/registry.ts';
import { courseTags } from '#src/features/lessons/types/quiz/settings.ts';
import {
  copyLessons,
  lockWorking,
  shownId,
  type WorkingCourse,
} from '#src/features/lessons/working-copy.server.ts';
import { forgetGoneLessons } from '#src/features/lessons/prerequisites.server.ts';
import { counted } from '#src/shared/counted.ts';
import { AppError } from '#src/shared/errors.ts';
import { omit } from '#src/shared/pick.ts';
import { changeCount, changesText, type PendingChanges } from './changes.ts';
import { comparedOutlines, outlinesOf, pendingChanges } from './changes.server.ts';
import { marksAgain, writeMarks } from './marks-again.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';

const NOT_WRITTEN = [
  ...(['id', 'courseId', 'order', 'version', 'revision', 'provenRevision', 'draftOf'] as const),
  ...(['changedAt', 'programsShownSince', 'createdAt', 'updatedAt'] as const),
];

/** Leads to a lesson (`/learn/1?lesson=5`, `/lesson/5`), its scenario or its file. */
const LEADS = String.raw`(lesson=|/lessons?/|/scenarios?/)\d|/files/`;

/**
 * The lessons of a copy that publishing must prove: changed ones, quizzes that draw from a changed quiz, and
 * lessons with links where a lesson or a file goes. New lessons with links always count.
 * @returns by ids in the copy; `isOpen` needs a check, even where proven
 */
export async function lessonsToProve(
  { id, courseId }: WorkingCourse,
  executor: Executor,
): Promise<{ id: number; isProven: boolean; isOpen: boolean }[]> {
  const { added, touched, removed } = comparedOutlines(await outlinesOf(courseId, id, executor));
  const changed = new Set([...added, ...touched.map(({ row }) => row)].map((row) => row.id));
  const isOfQuiz = [...added, ...touched.map(({ row }) => row), ...removed].some(
    ({ type }) => type === quiz.name,
  );
  const goes =
    removed.length > 0 ||
    touched.some(({ before, row }) => !isDeepStrictEqual(addressesOf(before), addressesOf(row)));
  const mayLead = goes ? sql`true` : inArray(lessons.id, [...changed]);
  const rows = await executor
    .select({
      id: lessons.id,
      type: lessons.type,
      revision: lessons.revision,
      provenRevision: lessons.provenRevision,
      quizSettings: lessons.quizSettings,
      leads: sql<boolean>`${mayLead} and concat_ws(' ', ${lessons.content}, ${lessons.instructions}, ${lessons.hints}, ${lessons.solutionNotes},
        (select string_agg(asked::text, ' ') from ${quizQuestions} asked where asked.lesson_id = lessons.id),
        (select played.definition from ${scenarios} played where played.lesson_id = lessons.id)) ~ ${LEADS}`,
    })
    .from(lessons)
    .where(eq(lessons.courseId, id));
  return rows.flatMap((row) => {
    const draws = isOfQuiz && row.type === quiz.name && courseTags(row.quizSettings).length > 0;
    const depends = draws || row.leads;
    const isProven = row.provenRevision === row.revision;
    return changed.has(row.id) || depends ? [{ id: row.id, isProven, isOpen: depends || !isProven }] : [];
  });
}

/**
 * Makes a course what its copy says, and deletes the copy; everybody's progress follows (fault S6). Audited.
 * The caller locks both and checks the proof.
 * @param wish `newVersions` are new versions for those who completed them; `bothWays` as in `marksAgain`
 */
export async function publishCopy(
  tx: Tx,
  actor: Actor,
  working: WorkingCourse,
  { newVersions, bothWays = false }: Omit<PublishWish, 'seen'>,
): Promise<void> {
  const { id: copyId, courseId, title } = working;
  // Before the questions that were asked are written over.
  await lockEnrollments(tx, eq(enrollments.courseId, courseId));
  const marks = await marksAgain(working, bothWays, tx);
  const changes = await pendingChanges(courseId, tx);
  const outlines = await outlinesOf(courseId, copyId, tx);
  const { added, removed } = comparedOutlines(outlines);
  const pairs = await pairsOf(tx, copyId);

  const changed = changes.lessons.flatMap(({ kind, lessonId }) => (kind === 'changed' ? [lessonId] : []));
  const isTold = new Set(newVersions);
  for (const lessonId of changed) {
    const [row] = await tx
      .select()
      .from(lessons)
      .where(and(eq(lessons.courseId, copyId), eq(lessons.draftOf, lessonId)));
    await handOverVersions(tx, [row!.id]);
    // A form opened earlier knows the copy's version.
    await changeLesson(tx, lessonId, await writtenIn(tx, row!), actor.id, row!.version);
    if (isTold.has(lessonId)) await setChanged(tx, lessonId);
  }
  await deleteLessons(
    tx,
    removed.map(({ id }) => id),
  );
  await adoptLessons(
    tx,
    added.map(({ id }) => id),
    courseId,
  );
  await placeLessons(
    tx,
    courseId,
    outlines.copy.map((row) => ({ id: shownId(row), section: row.section })),
  );
  await forgetGoneLessons(tx, courseId);
  await writeMarks(tx, courseId, marks);
  await keepWhatWasFound(tx, working, pairs);
  await removeCopy(tx, copyId);

  await recomputeCourse(tx, courseId);
  await followProof(tx, courseId);
  await recordAudit(tx, actor, {
    action: 'course.changes_published',
    subjectType: 'course',
    subjectId: courseId,
    details: {
      title,
      changes:
        changesText(changes) + (marks.length > 0 ? `; ${counted(marks.length, 'attempt')} marked again` : ''),
    },
  });
}

async function writtenIn(tx: Tx, row: typeof lessons.$inferSelect): Promise<LessonToWrite> {
  const { questions, scenario } = await partsOf(row, tx);
  return { ...omit(row, NOT_WRITTEN), questions, scenario: scenario as ScenarioToWrite | null };
}

interface Pair {
  copy_id: number;
  copy_revision: number;
  is_proven: boolean;
  live_id: number;
}

async function pairsOf(tx: Tx, copyId: number): Promise<Pair[]> {
  return tx
    .select({
      copy_id: lessons.id,
      copy_revision: lessons.revision,
      is_proven: sql<boolean>`${lessons.provenRevision} is not distinct from ${lessons.revision}`,
      live_id: sql<number>`${lessons.draftOf}`,
    })
    .from(lessons)
    .where(and(eq(lessons.courseId, copyId), isNotNull(lessons.draftOf)));
}

const pairRows = (pairs: readonly Pair[]) => sql`(
  select given.*, live.revision as live_revision
  from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb)
    as given(copy_id int, copy_revision int, is_proven boolean, live_id int)
  join ${lessons} live on live.id = given.live_id) pair`;

async function keepWhatWasFound(
  tx: Tx,
  { id: copyId, courseId }: WorkingCourse,
  pairs: readonly Pair[],
): Promise<void> {
  await tx.execute(sql`
    update ${publishChecks} set lesson_id = pair.live_id, revision = pair.live_revision from ${pairRows(pairs)}
    where ${publishChecks.lessonId} = pair.copy_id and ${publishChecks.revision} = pair.copy_revision`);
  await tx
    .update(publishRuns)
    .set({ courseId })
    .where(and(eq(publishRuns.courseId, copyId), ne(publishRuns.status, 'running')));
  await keepOverrides(tx, pairs);
  for (const isProven of [true, false]) {
    const those = pairs.filter((pair) => pair.is_proven === isProven);
    await setProven(
      tx,
      those.map(({ live_id }) => live_id),
      isProven,
    );
  }
  await tx.execute(sql`
    update ${mistakeGroups} set lesson_id = pair.live_id from ${pairRows(pairs)}
    where ${mistakeGroups.lessonId} = pair.copy_id and not exists (
      select from ${mistakeGroups} own where own.lesson_id = pair.live_id and own.key = ${mistakeGroups.key})`);
}

async function keepOverrides(tx: Tx, pairs: readonly Pair[]): Promise<Set<number>> {
  const news = await tx.execute<{ id: number }>(sql`
    update ${findingOverrides} o set withdrawn_at = now() from ${pairRows(pairs)}
    where o.lesson_id = pair.live_id and o.revision = pair.live_revision and o.withdrawn_at is null and not exists (
      select from ${findingOverrides} own where own.lesson_id = pair.copy_id and own.revision = pair.copy_revision
        and own.finding_key = o.finding_key and own.reason = o.reason and own.withdrawn_at is null)
    returning o.lesson_id as id`);
  const more = await tx.execute<{ id: number }>(sql`
    insert into ${findingOverrides} (lesson_id, revision, finding_key, message, reason, user_id, user_name, created_at)
    select pair.live_id, pair.live_revision, o.finding_key, o.message, o.reason, o.user_id, o.user_name, o.created_at
    from ${pairRows(pairs)}
    join ${findingOverrides} o on o.lesson_id = pair.copy_id and o.revision = pair.copy_revision and o.withdrawn_at is null
    on conflict do nothing returning lesson_id as id`);
  return new Set([...news, ...more].map(({ id }) => id));
}

/** Deletes a copy without changes. The caller locks both. */
export async function dropUnchanged(tx: Tx, working: WorkingCourse): Promise<void> {
  const { id, courseId } = working;
  if (id !== courseId && changeCount(await pendingChanges(courseId, tx)) === 0) await dropCopy(tx, working);
}

async function dropCopy(tx: Tx, { id: copyId, courseId }: WorkingCourse): Promise<void> {
  const { touched } = comparedOutlines(await outlinesOf(courseId, copyId, tx));
  const others = new Set(touched.map(({ row }) => row.id));
  const pairs = (await pairsOf(tx, copyId)).filter((pair) => !others.has(pair.copy_id));
  for (const id of await keepOverrides(tx, pairs)) await settleLesson(tx, id);
  await removeCopy(tx, copyId);
}

async function removeCopy(tx: Tx, copyId: number): Promise<void> {
  await forgetPreviews(tx, { courseId: copyId });
  await deleteLessons(
    tx,
    (await placesOf(copyId, tx)).map(({ id }) => id),
  );
  await tx.delete(courses).where(eq(courses.id, copyId));
}

/**
 * Takes back the change of one lesson, of the order, or all. Audited, except where nothing waits.
 * @returns what still waits
 * @throws {AppError} not_found, also for a lesson without a change
 */
export async function discardChanges(
  actor: Actor,
  courseId: number,
  { what, lessonId }: { what: 'lesson' | 'order' | 'all'; lessonId?: number | undefined },
): Promise<PendingChanges> {
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const working = await lockWorking(tx, courseId);
      if (!working) throw new AppError('not_found', 'Course not found');
      const changes = await pendingChanges(courseId, tx);
      const change = what === 'lesson' ? changes.lessons.find((one) => one.lessonId === lessonId) : null;
      if (change === undefined) throw new AppError('not_found', 'This lesson has no change that waits.');
      if (working.id === courseId) return;
      if (change) await discardLesson(tx, working, change.lessonId);
      if (what === 'order') await placeAsLive(tx, working);
      await (what === 'all' ? dropCopy(tx, working) : dropUnchanged(tx, working));
      await recordAudit(tx, actor, {
        action: 'course.changes_discarded',
        subjectType: 'course',
        subjectId: courseId,
        details: {
          title: working.title,
          changes: change
            ? `“${change.title}”`
            : what === 'order'
              ? 'order or sections'
              : changesText(changes),
        },
      });
    }),
  );
  return pendingChanges(courseId);
}

async function discardLesson(
  tx: Tx,
  { id: copyId, courseId }: WorkingCourse,
  lessonId: number,
): Promise<void> {
  const before = await placesOf(copyId, tx);
  const at = before.findIndex((place) => shownId(place) === lessonId);
  await deleteLessons(
    tx,
    before.flatMap((place, index) => (index === at ? [place.id] : [])),
  );
  const [live] = await tx
    .select({ id: lessons.id, section: lessons.section })
    .from(lessons)
    .where(and(eq(lessons.id, lessonId), eq(lessons.courseId, courseId)));
  if (!live) return placeLessons(tx, copyId, await placesOf(copyId, tx));
  await copyLessons(tx, copyId, eq(lessons.id, lessonId));
  const places = await placesOf(copyId, tx);
  const back = places.find((place) => shownId(place) === lessonId)!;
  const others = places.filter((place) => place !== back);
  // A removed lesson returns to its place before the next one.
  const ids = (await placesOf(courseId, tx)).map(({ id }) => id);
  const earlier = new Set(ids.slice(0, ids.indexOf(lessonId)));
  const index = at !== -1 ? at : others.findLastIndex((place) => earlier.has(shownId(place))) + 1;
  await placeLessons(
    tx,
    copyId,
    others.toSpliced(index, 0, {
      ...back,
      section: before[at]?.section ?? live.section,
    }),
  );
}

async function placeAsLive(tx: Tx, { id: copyId, courseId }: WorkingCourse): Promise<void> {
  const places = await placesOf(copyId, tx);
  const learned = await placesOf(courseId, tx);
  const order = learned.map(({ id }) => id);
  const kept = places
    .filter(({ draftOf }) => draftOf !== null)
    .map((place) => ({ ...place, section: learned.find(({ id }) => id === place.draftOf)!.section }))
    .toSorted((a, b) => order.indexOf(a.draftOf!) - order.indexOf(b.draftOf!));
  for (const [index, place] of places.entries()) {
    if (place.draftOf !== null) continue;
    const before = places[index - 1];
    kept.splice(before ? kept.findIndex(({ id }) => id === before.id) + 1 : 0, 0, place);
  }
  await placeLessons(tx, copyId, kept);
}
