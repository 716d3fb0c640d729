import {
  and,
  asc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  notInArray,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { Executor, Tx } from '#db/client.ts';
import { courses, lessons, lessonVersions } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { AppError } from '#src/shared/errors.ts';
import { omit, pick } from '#src/shared/pick.ts';
import { requireSmallLists } from './sums.server.ts';
import {
  FILE_COLUMNS,
  type FileColumn,
  has,
  type LessonType,
  TYPE_COLUMNS,
  type TypeColumn,
} from './registry.ts';
import { renderQuestions } from './types/quiz/formats/html.server.ts';
import { type Question, questionOfRow, rowOfQuestion } from './types/quiz/question.ts';

// Every lesson is written here, with its questions and its scenario: by the editor, the course builder, an
// import and the demo catalogue.

export type LessonRow = typeof lessons.$inferSelect;
type Columns = Omit<
  typeof lessons.$inferInsert,
  | 'id'
  | 'courseId'
  | 'order'
  | 'version'
  | 'revision'
  | 'provenRevision'
  | 'changedAt'
  | 'programsShownSince'
  | 'draftOf'
  | 'createdAt'
  | 'updatedAt'
>;

export interface ScenarioToWrite {
  title: string;
  description: string;
  type: (typeof scenarios.$inferInsert)['scenarioType'];
  difficulty: NonNullable<(typeof scenarios.$inferInsert)['difficulty']>;
  timeLimit: number;
  state: Record<string, unknown>;
  goals: Record<string, unknown>[];
  resources: Record<string, unknown>[];
}

/** What is left out stays as it is. */
export interface LessonToWrite extends Columns {
  questions?: readonly Question[] | undefined;
  scenario?: ScenarioToWrite | null | undefined;
}

const FACTS = { fileSize: 'fileUrl', mimeType: 'fileUrl' } as const satisfies Partial<
  Record<keyof Columns, TypeColumn>
>;

export const addressesOf = (lesson: Pick<LessonRow, FileColumn | 'moreCaptions'>): (string | null)[] => [
  ...FILE_COLUMNS.map((column) => lesson[column]),
  ...lesson.moreCaptions.map(({ url }) => url),
];

/** SQL: whether a lesson names a file. */
export const namesFile = (path: string | Placeholder): SQL =>
  or(
    ...FILE_COLUMNS.map((column) => eq(lessons[column], path)),
    sql`${lessons.moreCaptions} @> jsonb_build_array(jsonb_build_object('url', ${path}::text))`,
  )!;

/** The columns of a lesson. @throws {AppError} invalid_input where its lists are too large together */
export function columnsOf(lesson: LessonToWrite): Columns {
  requireSmallLists(lesson);
  const columns = omit(lesson, ['questions', 'scenario']);
  const foreign = Object.entries(TYPE_COLUMNS).filter(([column]) => !has(columns.type, column as TypeColumn));
  const unknown = Object.entries(FACTS).filter(([, column]) => !has(columns.type, column));
  return {
    ...columns,
    ...Object.fromEntries(foreign),
    ...Object.fromEntries(unknown.map(([fact]) => [fact, null])),
  };
}

/** Locks a course's lessons until the transaction ends. @throws {AppError} not_found */
export async function lockCourse(tx: Tx, courseId: number): Promise<{ title: string }> {
  const [course] = await tx
    .select({ title: courses.title })
    .from(courses)
    .where(eq(courses.id, courseId))
    .for('no key update');
  if (!course) throw new AppError('not_found', 'Course not found');
  return course;
}

export async function addLessons(
  tx: Tx,
  courseId: number,
  given: readonly LessonToWrite[],
  firstPlace = 1,
): Promise<LessonRow[]> {
  if (given.length === 0) return [];
  const rows = await tx
    .insert(lessons)
    .values(given.map((lesson, index) => ({ ...columnsOf(lesson), courseId, order: firstPlace + index })))
    .returning();
  const made = rows.toSorted((a, b) => a.order - b.order);
  for (const [index, lesson] of given.entries()) await writeParts(tx, made[index]!.id, lesson);
  return made;
}

export const VERSIONS_KEPT = 50;

/** Changes a lesson of the same type, as a new version. */
export async function changeLesson(
  tx: Tx,
  lessonId: number,
  lesson: LessonToWrite,
  by: number | null,
  leastVersion = 0,
): Promise<LessonRow> {
  await keepVersion(tx, lessonId, by);
  const [row] = await tx
    .update(lessons)
    .set({
      ...columnsOf(lesson),
      version: sql`greatest(${lessons.version} + 1, ${leastVersion})`,
      updatedAt: sql`now()`,
    })
    .where(eq(lessons.id, lessonId))
    .returning();
  await writeParts(tx, lessonId, lesson);
  return row!;
}

export async function adoptLessons(tx: Tx, ids: readonly number[], courseId: number): Promise<void> {
  await tx
    .update(lessons)
    .set({ courseId })
    .where(inArray(lessons.id, [...ids]));
}

/** Puts a lesson into another course, as it is to stand there. */
export async function moveLesson(
  tx: Tx,
  lessonId: number,
  courseId: number,
  lesson: LessonToWrite,
  by: number | null,
): Promise<LessonRow> {
  await adoptLessons(tx, [lessonId], courseId);
  return changeLesson(tx, lessonId, lesson, by);
}

async function keepVersion(tx: Tx, lessonId: number, replacedBy: number | null): Promise<void> {
  const [row] = await tx.select().from(lessons).where(eq(lessons.id, lessonId));
  const { version } = row!;
  const written = { ...row, ...(await partsOf(row!, tx)) };
  await tx.insert(lessonVersions).values({ lessonId, version, written, replacedBy }).onConflictDoNothing();
  await tx
    .delete(lessonVersions)
    .where(and(eq(lessonVersions.lessonId, lessonId), lte(lessonVersions.version, version - VERSIONS_KEPT)));
}

/** Notes that a lesson is another one from now on for those who have completed it. */
export async function setChanged(tx: Tx, lessonId: number): Promise<void> {
  // Not when the transaction began: what was completed since then was the old one.
  await tx.update(lessons).set({ changedAt: sql`clock_timestamp()` }).where(eq(lessons.id, lessonId));
}

/** Hands what was kept of lessons that wait to be published to those whose place they take. */
export async function handOverVersions(tx: Tx, draftIds: readonly number[]): Promise<void> {
  if (draftIds.length === 0) return;
  await tx.execute(sql`
    insert into ${lessonVersions} (lesson_id, version, written, replaced_at, replaced_by)
    select live.id, kept.version, kept.written, kept.replaced_at, kept.replaced_by
    from ${lessonVersions} kept
    join ${lessons} draft on draft.id = kept.lesson_id
    join ${lessons} live on live.id = draft.draft_of
    where ${inArray(sql`draft.id`, [...draftIds])} and kept.version >= live.version
    on conflict do nothing`);
}

/** Removes lessons with what learners did in them. */
export async function deleteLessons(tx: Tx, ids: readonly number[]): Promise<{ id: number }[]> {
  if (ids.length === 0) return [];
  const waiting = await tx.execute<{ id: number }>(sql`
    select draft.id from ${lessons} draft join ${lessons} live on live.id = draft.draft_of
    where ${inArray(sql`draft.id`, [...ids])} and draft.version > live.version`);
  const drafts = waiting.map(({ id }) => id);
  for (const id of drafts) await keepVersion(tx, id, null);
  await handOverVersions(tx, drafts);
  if (drafts.length > 0) {
    await tx.execute(sql`
      update ${lessons} set version = draft.version + 1 from ${lessons} draft
      where ${inArray(sql`draft.id`, drafts)} and ${lessons.id} = draft.draft_of`);
  }
  return tx
    .delete(lessons)
    .where(inArray(lessons.id, [...ids]))
    .returning({ id: lessons.id });
}

export interface Place {
  id: number;
  section: string;
}

export function placesOf(
  courseId: number,
  executor: Executor,
): Promise<(Place & { draftOf: number | null })[]> {
  return executor
    .select({ id: lessons.id, section: lessons.section, draftOf: lessons.draftOf })
    .from(lessons)
    .where(eq(lessons.courseId, courseId))
    .orderBy(asc(lessons.order), asc(lessons.id));
}

export async function placeLessons(tx: Tx, courseId: number, places: readonly Place[]): Promise<void> {
  await tx.execute(sql`
    update ${lessons} set "order" = placed.position, section = placed.section
    from (
      select (place->>'id')::int as id, place->>'section' as section, position::int
      from jsonb_array_elements(${JSON.stringify(places.map(({ id, section }) => ({ id, section })))}::jsonb) with ordinality as given (place, position)
    ) placed
    where ${lessons.id} = placed.id and ${lessons.courseId} = ${courseId}
      and (${lessons.order} <> placed.position or ${lessons.section} <> placed.section)`);
}

/** Writes when lessons open, where that follows from something else: no version of its own. */
export async function setOpenings(
  tx: Tx,
  given: readonly { id: number; opening: LessonRow['opening'] }[],
): Promise<void> {
  for (const { id, opening } of given) await tx.update(lessons).set({ opening }).where(eq(lessons.id, id));
}

/** Notes whether lessons are proven to work as they are now. */
export async function setProven(tx: Tx, ids: readonly number[], isProven: boolean): Promise<void> {
  await tx
    .update(lessons)
    .set({ provenRevision: isProven ? sql`${lessons.revision}` : null })
    .where(inArray(lessons.id, [...ids]));
}

/** Notes the best way through a version of a scenario, unless it has another one by now. */
export async function setSolution(
  executor: Executor,
  scenarioId: number,
  solution: NonNullable<(typeof scenarios.$inferSelect)['solution']>,
): Promise<void> {
  await executor
    .update(scenarios)
    .set({ solution })
    .where(and(eq(scenarios.id, scenarioId), eq(scenarios.version, solution.version)));
}

export const bodyColumns = {
  ...pick(lessons, ['type', 'content', 'instructions', ...(Object.keys(TYPE_COLUMNS) as TypeColumn[])]),
  questions: sql<unknown[]>`array(select 1 from ${quizQuestions} where lesson_id = lessons.id limit 1)`,
  scenario: sql<object | null>`(select '{}'::json from ${scenarios} where lesson_id = lessons.id)`,
};

/** What of a lesson is in tables of its own. */
export async function partsOf(
  { id, type }: { id: number; type: LessonType },
  executor: Executor,
): Promise<{
  questions: (Question & { id: number })[];
  scenario: Record<string, unknown> | null;
}> {
  const questions = has(type, 'questions') ? await questionsOf(id, executor) : [];
  const [scenario] = has(type, 'scenario')
    ? await executor
        .select({ definition: scenarios.definition })
        .from(scenarios)
        .where(eq(scenarios.lessonId, id))
    : [];
  return { questions, scenario: scenario?.definition ?? null };
}

/** The questions of a quiz in their order. */
export async function questionsOf(
  lessonId: number,
  executor: Executor,
): Promise<(Question & { id: number })[]> {
  const rows = await executor
    .select()
    .from(quizQuestions)
    .where(eq(quizQuestions.lessonId, lessonId))
    .orderBy(asc(quizQuestions.order), asc(quizQuestions.id));
  return rows.map((row) => ({ ...questionOfRow(row), id: row.draftOf ?? row.id }));
}

async function writeParts(tx: Tx, lessonId: number, { type, title, questions, scenario }: LessonToWrite) {
  if (questions && has(type, 'questions')) await writeQuestions(tx, lessonId, title, questions);
  if (scenario && has(type, 'scenario')) await writeScenario(tx, lessonId, scenario);
}

async function writeQuestions(tx: Tx, lessonId: number, title: string, questions: readonly Question[]) {
  const html = await renderQuestions(title, questions);
  const lesson = (column: typeof lessons.id | typeof lessons.draftOf, where: SQL) =>
    inArray(quizQuestions.lessonId, tx.select({ id: column }).from(lessons).where(where));
  const ofLearners = lesson(lessons.draftOf, and(eq(lessons.id, lessonId), isNotNull(lessons.draftOf))!);
  const waits = and(isNull(quizQuestions.draftOf), lesson(lessons.id, eq(lessons.draftOf, lessonId)));
  const present = await tx
    .select({ id: quizQuestions.id, draftOf: quizQuestions.draftOf, isLearned: sql<boolean>`${ofLearners}` })
    .from(quizQuestions)
    .where(or(eq(quizQuestions.lessonId, lessonId), waits, ofLearners));
  // One that learners have, and that was taken out of what waits, comes back as what it was.
  const rowOf = new Map<number, number | null>();
  for (const { id, isLearned } of present) if (isLearned) rowOf.set(id, null);
  for (const { id, draftOf, isLearned } of present) if (!isLearned) rowOf.set(draftOf ?? id, id);
  const given = questions.flatMap(({ id }) => (id ? [id] : []));
  if (!given.every((id) => rowOf.has(id)) || new Set(given).size !== given.length) {
    const message = 'A question is not of this quiz, or is there twice.';
    throw new AppError('invalid_input', message, { fields: { questions: message } });
  }
  const kept = given.flatMap((id) => rowOf.get(id) ?? []);
  await tx
    .delete(quizQuestions)
    .where(
      and(
        eq(quizQuestions.lessonId, lessonId),
        kept.length > 0 ? notInArray(quizQuestions.id, kept) : undefined,
      ),
    );
  const fresh: (typeof quizQuestions.$inferInsert)[] = [];
  const known: (typeof quizQuestions.$inferInsert & { id: number })[] = [];
  for (const [index, question] of questions.entries()) {
    const { id } = question;
    const row = id ? rowOf.get(id) : null;
    const values = { ...rowOfQuestion(question), lessonId, order: index + 1, html: html[index]! };
    if (row) known.push({ ...values, id: row });
    else fresh.push({ ...values, draftOf: id || null });
  }
  if (known.length > 0) await updateQuestions(tx, known);
  if (fresh.length > 0) await tx.insert(quizQuestions).values(fresh);
}

async function updateQuestions(
  tx: Tx,
  rows: readonly (typeof quizQuestions.$inferInsert & { id: number })[],
) {
  const written = Object.keys(omit(rows[0]!, ['id'])).map((name) => sql.identifier(toSnakeCase(name)));
  const given = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [toSnakeCase(name), value])),
  );
  await tx.execute(sql`
    update ${quizQuestions} set ${sql.join(
      written.map((name) => sql`${name} = given.${name}`),
      sql`, `,
    )}
    from jsonb_populate_recordset(null::${quizQuestions}, ${JSON.stringify(given)}::jsonb) given
    where ${quizQuestions.id} = given.id`);
}

/** A new version for a changed scenario: results about the old one no longer apply. */
async function writeScenario(tx: Tx, lessonId: number, scenario: ScenarioToWrite) {
  const { title, description, type: scenarioType, state, goals, resources, timeLimit, difficulty } = scenario;
  const columns = {
    title,
    description,
    scenarioType,
    initialState: state,
    goals,
    resources,
    definition: { ...scenario },
    timeLimit,
    difficulty,
  };
  await tx
    .insert(scenarios)
    .values({ ...columns, lessonId })
    .onConflictDoUpdate({
      target: scenarios.lessonId,
      set: { ...columns, version: sql`${scenarios.version} + 1` },
      setWhere: sql`${scenarios.definition} <> ${JSON.stringify(scenario)}::jsonb`,
    });
}
