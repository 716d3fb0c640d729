import { and, desc, eq, getTableColumns, gte, or } from 'drizzle-orm';
import { structuredPatch } from 'diff';
import { stringify } from 'yaml';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { lessons, lessonVersions } from '#db/schema/catalogue.ts';
import { type LessonRow, partsOf, questionsOf } from '#src/features/lessons/lesson-store.server.ts';
import { workingId } from '#src/features/lessons/working-copy.server.ts';
import { fieldsOfRow, type LessonFields, lessonFieldLabel, toldFields } from '../lesson-fields.ts';
import type { FieldDifference } from '#src/features/authoring/changes/changes.ts';
import { changedFields, shownParts } from '../lessons.server.ts';

// Restoring a version saves it in the lesson's form, so that it meets the usual checks.

export interface LessonVersion {
  version: number;
  state: 'now' | 'waits' | 'learned' | null;
  fields: LessonFields;
  savedAt: Date;
  savedBy: string | null;
  changed: string[] | null;
}

function keptFields(now: LessonRow, version: number, written: Record<string, unknown>): LessonFields {
  const { questions, scenario, ...columns } = written as unknown as LessonRow &
    Awaited<ReturnType<typeof partsOf>>;
  const row = { ...now, ...columns, version };
  return fieldsOfRow(row, shownParts({ questions, scenario }), 0);
}

/** The versions of a lesson, the author's present one first; null without such a lesson. */
export async function findLessonVersions(
  courseId: number,
  lessonId: number,
): Promise<LessonVersion[] | null> {
  const rows = await db()
    .select()
    .from(lessons)
    .where(
      and(
        or(eq(lessons.id, lessonId), eq(lessons.draftOf, lessonId)),
        or(eq(lessons.courseId, courseId), eq(lessons.courseId, workingId(courseId))),
      ),
    );
  const known = rows.find(({ id, draftOf }) => id === lessonId && draftOf === null);
  if (!known) return null;
  const draft = rows.find(({ draftOf, version }) => draftOf === lessonId && version > known.version);
  const now = draft ?? known;
  const kept = await db()
    .select({ ...getTableColumns(lessonVersions), username: users.username })
    .from(lessonVersions)
    .leftJoin(users, eq(users.id, lessonVersions.replacedBy))
    .where(
      or(
        eq(lessonVersions.lessonId, lessonId),
        draft && and(eq(lessonVersions.lessonId, draft.id), gte(lessonVersions.version, known.version)),
      ),
    )
    .orderBy(desc(lessonVersions.version));
  const states = [
    { version: now.version, fields: fieldsOfRow(now, shownParts(await partsOf(now, db())), 0) },
    ...kept.map(({ version, written }) => ({ version, fields: keptFields(now, version, written) })),
  ];
  return states.map(({ version, fields }, index) => {
    const before = kept[index];
    const earlier = states[index + 1];
    return {
      version,
      state: index === 0 ? (draft ? 'waits' : 'now') : draft && version === known.version ? 'learned' : null,
      fields,
      savedAt: before?.replacedAt ?? now.createdAt,
      savedBy: before?.username ?? null,
      changed: earlier ? changedFields(earlier.fields, fields).map(lessonFieldLabel) : null,
    };
  });
}

/** An earlier version for the form; place and ids of existing questions stay. Null where it is missing. */
export async function findVersionFields(
  lessonId: number,
  now: LessonFields,
  version: number,
): Promise<LessonFields | null> {
  const [row] = await db()
    .select({ lesson: lessons, written: lessonVersions.written })
    .from(lessonVersions)
    .innerJoin(lessons, eq(lessons.id, lessonVersions.lessonId))
    .where(
      and(or(eq(lessons.id, lessonId), eq(lessons.draftOf, lessonId)), eq(lessonVersions.version, version)),
    )
    .orderBy(desc(lessons.id))
    .limit(1);
  if (!row) return null;
  const fields = keptFields(row.lesson, version, row.written);
  // Learners still have questions that a waiting change removes.
  const learned = await questionsOf(lessonId, db());
  const present = new Set([...now.questions, ...learned].map(({ id }) => id));
  return {
    ...fields,
    order: now.order,
    section: now.section,
    version: now.version,
    questions: fields.questions.map((one) => ({ ...one, id: present.has(one.id) ? one.id : null })),
  };
}

/** Changed lines beyond which a comparison says nothing; its time is quadratic, 0.1 s here. */
const LINES_MAX = 800;

/** @param titles of the course's lessons, by the ids that authors know */
export function differencesOf(
  before: LessonFields,
  after: LessonFields,
  titles: ReadonlyMap<number, string> = new Map(),
): FieldDifference[] {
  const [old, now] = [toldFields(before, titles), toldFields(after, titles)];
  return changedFields(before, after).map((field) => {
    const [from, to] = [fieldText(old[field]), fieldText(now[field])];
    const patch = structuredPatch('', '', `${from}\n`, `${to}\n`, undefined, undefined, {
      context: 2,
      maxEditLength: LINES_MAX,
    });
    const hunks = patch?.hunks.map(({ lines }) => ({ lines })) ?? null;
    return { label: lessonFieldLabel(field), hunks, after: to };
  });
}

function fieldText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'object' ? stringify(value).trimEnd() : String(value);
}
