import { and, asc, desc, eq, isNotNull, isNull, ne, notInArray, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { codeSubmissions, groupHintOffers, mistakeGroups } from '#db/schema/practice.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import type { VerdictKind } from '../practice.ts';
import type { TestResult } from '../schema.ts';
import { differenceFrom, hashed, shapeOf, type Token } from './program-shape.server.ts';

const GROUPS_MAX = 200;
const FOLDED = 50;
export const REST = 'rest';
const ACCEPTED_MAX = 8;
const FAILURES_BEFORE_OFFER = 2;

export interface WrongProgram {
  code: string;
  verdict: VerdictKind;
  tests: readonly TestResult[];
}

interface GroupedLesson {
  id: number;
  language: CodingLanguage;
  solution: string | null;
}

const data = z.object({ submissionId: z.number() });

export const groupingJob: JobDefinition<typeof data> = {
  name: 'practice.group',
  data,
  retries: 3,
  retryDelaySeconds: 5,
  leaseSeconds: 60,
  run: ({ submissionId }) => groupSubmission(submissionId),
};

/** Puts a wrong program into its group, and offers the group's hint after enough failures. */
export async function groupSubmission(submissionId: number): Promise<void> {
  const [found] = await db()
    .select({
      userId: codeSubmissions.userId,
      attempt: codeSubmissions.attempts,
      code: codeSubmissions.submittedCode,
      verdict: codeSubmissions.verdict,
      tests: codeSubmissions.results,
      lesson: { id: lessons.id, language: codeSubmissions.language, solution: lessons.solution },
    })
    .from(codeSubmissions)
    .innerJoin(lessons, eq(lessons.id, codeSubmissions.lessonId))
    .where(
      and(
        eq(codeSubmissions.id, submissionId),
        eq(codeSubmissions.isCorrect, false),
        isNull(codeSubmissions.mistakeGroupId),
        isPerson(codeSubmissions.userId),
      ),
    );
  if (!found) return;
  const { lesson, userId, attempt, code, verdict } = found;
  const marks = await marksOf(lesson, { code, verdict, tests: found.tests as TestResult[] });
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      await lockGroups(tx, lesson.id);
      const [open] = await tx
        .select({ id: codeSubmissions.id })
        .from(codeSubmissions)
        .where(and(eq(codeSubmissions.id, submissionId), isNull(codeSubmissions.mistakeGroupId)))
        .for('no key update');
      if (!open) return;
      const groupId =
        (await findGroup(tx, lesson.id, marks)) ?? (await makeGroup(tx, { lessonId: lesson.id, ...marks }));
      await tx
        .update(mistakeGroups)
        .set({ failures: sql`${mistakeGroups.failures} + 1`, lastAt: sql`now()` })
        .where(eq(mistakeGroups.id, groupId));
      await tx
        .update(codeSubmissions)
        .set({ mistakeGroupId: groupId })
        .where(eq(codeSubmissions.id, submissionId));
      await foldSmallGroups(tx, lesson.id, groupId);
      await offerHint(tx, { groupId, userId, lessonId: lesson.id, attempt });
    }),
  );
}

/**
 * Makes the first groups from the publish check's wrong programs, so that hints can be written before anybody
 * learns.
 */
export async function seedGroups(lesson: GroupedLesson, programs: readonly WrongProgram[]): Promise<void> {
  const seeds: { code: string; marks: Marks }[] = [];
  for (const program of programs) seeds.push({ code: program.code, marks: await marksOf(lesson, program) });
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      await lockGroups(tx, lesson.id);
      const kept: number[] = [];
      for (const { code, marks } of seeds) {
        const known = await findGroup(tx, lesson.id, marks);
        const id = known ?? (await makeGroup(tx, { lessonId: lesson.id, ...marks }));
        // The first of those that fall together stays: the starter, then the most telling changes.
        if (!kept.includes(id)) {
          await tx.update(mistakeGroups).set({ seed: code }).where(eq(mistakeGroups.id, id));
        }
        kept.push(id);
      }
      const stale = [
        eq(mistakeGroups.lessonId, lesson.id),
        isNotNull(mistakeGroups.seed),
        isNull(mistakeGroups.hint),
        eq(mistakeGroups.failures, 0),
      ];
      if (kept.length > 0) stale.push(notInArray(mistakeGroups.id, kept));
      await tx.delete(mistakeGroups).where(and(...stale));
    }),
  );
}

interface Marks {
  key: string;
  difference: string | null;
}

async function marksOf(lesson: GroupedLesson, { code, verdict, tests }: WrongProgram): Promise<Marks> {
  const { hash, tokens } = await shapeOf(lesson.language, code);
  const failed = tests.map(({ passed, verdict: kind, error }) => [passed, kind, error?.name ?? null]);
  const gave = tests.map(({ got }) => got ?? null);
  const key = hashed(JSON.stringify([verdict, failed, gave, hash]));
  if (!tokens) return { key, difference: null };
  const difference = differenceFrom(tokens, await acceptedTokens(lesson));
  return {
    key,
    difference: difference === null ? null : hashed(JSON.stringify([verdict, failed, difference])),
  };
}

async function acceptedTokens({ id, language, solution }: GroupedLesson): Promise<(readonly Token[])[]> {
  const passed = await db()
    .select({ code: codeSubmissions.submittedCode })
    .from(codeSubmissions)
    .where(
      and(
        eq(codeSubmissions.lessonId, id),
        eq(codeSubmissions.isCorrect, true),
        eq(codeSubmissions.language, language),
      ),
    )
    .orderBy(desc(codeSubmissions.submittedAt))
    .limit(ACCEPTED_MAX);
  const shapes = new Map<string, readonly Token[]>();
  for (const code of [solution ?? '', ...passed.map(({ code }) => code)]) {
    const { hash, tokens } = await shapeOf(language, code);
    if (tokens && tokens.length > 0 && !shapes.has(hash)) shapes.set(hash, tokens);
  }
  return [...shapes.values()];
}

/** Two programs that arrive together make one group. */
async function lockGroups(tx: Tx, lessonId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`mistake groups:${lessonId}`}, 0))`);
}

async function findGroup(tx: Tx, lessonId: number, { key, difference }: Marks): Promise<number | null> {
  const [found] = await tx
    .select({ id: mistakeGroups.id })
    .from(mistakeGroups)
    .where(
      and(
        eq(mistakeGroups.lessonId, lessonId),
        or(
          eq(mistakeGroups.key, key),
          ...(difference === null ? [] : [eq(mistakeGroups.difference, difference)]),
        ),
      ),
    )
    .orderBy(desc(eq(mistakeGroups.key, key)), asc(mistakeGroups.id))
    .limit(1);
  return found?.id ?? null;
}

async function makeGroup(tx: Tx, values: Marks & { lessonId: number }): Promise<number> {
  const [made] = await tx.insert(mistakeGroups).values(values).returning({ id: mistakeGroups.id });
  return made!.id;
}

async function foldSmallGroups(tx: Tx, lessonId: number, current: number): Promise<void> {
  if ((await tx.$count(mistakeGroups, eq(mistakeGroups.lessonId, lessonId))) <= GROUPS_MAX) return;
  const small = await tx
    .select({ id: mistakeGroups.id, failures: mistakeGroups.failures })
    .from(mistakeGroups)
    .where(
      and(
        eq(mistakeGroups.lessonId, lessonId),
        isNull(mistakeGroups.hint),
        isNull(mistakeGroups.seed),
        ne(mistakeGroups.key, REST),
        ne(mistakeGroups.id, current),
      ),
    )
    .orderBy(asc(mistakeGroups.failures), asc(mistakeGroups.lastAt), asc(mistakeGroups.id))
    .limit(FOLDED);
  if (small.length === 0) return;
  const failures = small.reduce((sum, one) => sum + one.failures, 0);
  const [rest] = await tx
    .insert(mistakeGroups)
    .values({ lessonId, key: REST, failures })
    .onConflictDoUpdate({
      target: [mistakeGroups.lessonId, mistakeGroups.key],
      set: { failures: sql`${mistakeGroups.failures} + excluded.failures` },
    })
    .returning({ id: mistakeGroups.id });
  const ids = sql.join(
    small.map(({ id }) => sql`${id}`),
    sql`, `,
  );
  await tx
    .update(codeSubmissions)
    .set({ mistakeGroupId: rest!.id })
    .where(sql`${codeSubmissions.mistakeGroupId} in (${ids})`);
  await tx.delete(mistakeGroups).where(sql`${mistakeGroups.id} in (${ids})`);
}

async function offerHint(
  tx: Tx,
  {
    groupId,
    userId,
    lessonId,
    attempt,
  }: { groupId: number; userId: number; lessonId: number; attempt: number },
): Promise<void> {
  const [hinted] = await tx
    .select({ id: mistakeGroups.id })
    .from(mistakeGroups)
    .where(and(eq(mistakeGroups.id, groupId), isNotNull(mistakeGroups.hint)));
  if (!hinted) return;
  const own = and(eq(codeSubmissions.userId, userId), eq(codeSubmissions.lessonId, lessonId));
  const [runs] = await tx
    .select({
      failures: sql<number>`count(*) filter (where not ${codeSubmissions.isCorrect})::int`,
      hasPassed: sql<boolean>`coalesce(bool_or(${codeSubmissions.isCorrect}), false)`,
    })
    .from(codeSubmissions)
    .where(own);
  if (runs!.failures < FAILURES_BEFORE_OFFER || runs!.hasPassed) return;
  await tx.insert(groupHintOffers).values({ groupId, userId, attempt }).onConflictDoNothing();
}
