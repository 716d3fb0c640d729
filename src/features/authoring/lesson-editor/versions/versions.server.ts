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

// Where a lesson was changed, the version before is kept beside it. Bringing one back is saving it anew in its form, so
// that it meets the same checks as whatever else is saved.

/** A version of a lesson. */
export interface LessonVersion {
  version: number;
  /** The lesson as it is; as it waits to be published; as learners have it meanwhile. */
  state: 'now' | 'waits' | 'learned' | null;
  /** What its form showed. */
  fields: LessonFields;
  savedAt: Date;
  /** Null where nobody is known to have saved it. */
  savedBy: string | null;
  /** The fields in which it differs from the version before it; null where that one is not kept. */
  changed: string[] | null;
}

/** A kept version as the form would show it; a column that came later is as it is now. */
function keptFields(now: LessonRow, version: number, written: Record<string, unknown>): LessonFields {
  const { questions, scenario, ...columns } = written as unknown as LessonRow &
    Awaited<ReturnType<typeof partsOf>>;
  const row = { ...now, ...columns, version };
  return fieldsOfRow(row, shownParts({ questions, scenario }), 0);
}

/**
 * The versions of a lesson of this course, the one that its author works on first; null where there is no such lesson.
 * Those that wait to be published are among them.
 */
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
    // It was saved when the one before it was replaced.
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

/**
 * An earlier version of a lesson for its form, to be saved as the next one; null where it is not kept. What is not the
 * author's text stays: its place, and the ids of the questions that are still there.
 *
 * @param now the lesson as its form shows it
 */
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
  // Also those that learners have and that are only taken out of what waits.
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

/** Lines that may be gone or new before comparing them tells nothing; the time grows with their square, 0.1 s here. */
const LINES_MAX = 800;

/**
 * Field by field, what the second version of a lesson says otherwise than the first.
 *
 * @param titles of the lessons of its course, by the ids that authors know
 */
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
