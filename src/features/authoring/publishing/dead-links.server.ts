import { setTimeout as pause } from 'node:timers/promises';
import { and, asc, eq, isNotNull, isNull, lt, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import {
  courses,
  failingLinks,
  findingOverrides,
  lessons,
  linkChecks,
  type PublishFinding,
} from '#db/schema/catalogue.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { type Mail, queueMail } from '#src/server/mail/mail.ts';
import { env } from '#src/server/start/env.ts';
import { counted } from '#src/shared/counted.ts';
import { isForeign, linkFinding, type Place, placesOf, proveAddress } from './check-lessons.server.ts';
import type { OutsideNetwork } from '#src/server/http/outside.ts';
import type { LinkAnswer } from './check-links.server.ts';
import { type CheckedLesson, readLesson } from './lesson-check.server.ts';
import { publishHref } from './publish-check.ts';

const DAYS_BETWEEN = 7;
/** Milliseconds before a job leaves the rest to the next. */
const JOB_MS = 60_000;
/** Milliseconds for one lesson's links in a night. */
const LESSON_MS = 600_000;
const LESSONS_AT_A_TIME = 200;
/** Milliseconds between two requests, to spare servers. */
const PAUSE_MS = 100;
const MAILED_MAX = 40;

const today = sql`(now() at time zone 'utc')::date`;

/** Lessons in the store: weekly, and daily while a link fails. */
const isDue = and(
  courses.isActive,
  or(
    isNull(linkChecks.triedAt),
    // A little less, so that the weekday stays.
    lt(linkChecks.triedAt, sql`now() - make_interval(hours => ${DAYS_BETWEEN * 24 - 6})`),
    and(
      sql`(${linkChecks.triedAt} at time zone 'utc')::date < ${today}`,
      sql`exists (select from ${failingLinks} where ${failingLinks.lessonId} = ${lessons.id})`,
    ),
  ),
);

/**
 * Tries the links of due lessons one by one and records each lesson: a killed process loses one lesson's
 * answers. Nothing is unpublished.
 * @returns whether lessons are left
 */
export async function tryLinks(network?: OutsideNetwork, lessonMs = LESSON_MS): Promise<boolean> {
  const end = performance.now() + JOB_MS;
  const due = await db()
    .select({ id: lessons.id })
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .leftJoin(linkChecks, eq(linkChecks.lessonId, lessons.id))
    .where(isDue)
    .orderBy(asc(lessons.id))
    .limit(LESSONS_AT_A_TIME);
  const answers = new Map<string, LinkAnswer>();
  for (const { id } of due) {
    if (performance.now() > end) return true;
    const found = await readLesson(id);
    if (found)
      await keepFailures(id, await failuresOf(found, answers, performance.now() + lessonMs, network));
  }
  return due.length === LESSONS_AT_A_TIME;
}

interface Tried {
  failures: PublishFinding[];
  unasked: string[];
}

async function failuresOf(
  found: CheckedLesson,
  answers: Map<string, LinkAnswer>,
  end: number,
  network: OutsideNetwork | undefined,
): Promise<Tried> {
  const { id, courseId } = found.lesson;
  const foreign = placesOf(found).filter(({ address }) => isForeign(address, courseId));
  if (foreign.length === 0) return { failures: [], unasked: [] };
  const passed = await db()
    .select({ key: findingOverrides.findingKey })
    .from(findingOverrides)
    .where(and(eq(findingOverrides.lessonId, id), isNull(findingOverrides.withdrawnAt)));
  const failures = new Map<string, PublishFinding>();
  const unasked: string[] = [];
  for (const place of foreign) {
    const key = `${place.expected} ${place.address}`;
    let answer = answers.get(key);
    if (!answer && performance.now() >= end) {
      unasked.push(keyOf(place));
      continue;
    }
    if (!answer) {
      answer = await proveAddress(place.address, place.expected, courseId, network ? { network } : {});
      answers.set(key, answer);
      await pause(PAUSE_MS);
    }
    // Servers that refuse programs or limit us are alive.
    if (answer.kind === 'fine' || (answer.kind === 'unsure' && answer.answers)) continue;
    const failure = linkFinding(place, answer);
    failures.set(failure.key, failure);
  }
  for (const { key } of passed) failures.delete(key);
  if (unasked.length > 0) {
    log.warn({ lessonId: id, links: unasked.length }, 'there was no time for all links of a lesson');
  }
  return { failures: [...failures.values()], unasked };
}

/** The key of a place's finding, whatever its address answers. */
export const keyOf = (place: Place) => linkFinding(place, { kind: 'broken', why: '' }).key;

async function keepFailures(lessonId: number, { failures, unasked }: Tried): Promise<void> {
  await db().transaction(async (tx) => {
    const [lesson] = await tx
      .select({ id: lessons.id })
      .from(lessons)
      .where(eq(lessons.id, lessonId))
      .for('key share');
    if (!lesson) return;
    await forgetMendedLinks(tx, lessonId, [...failures, ...unasked.map((key) => ({ key }))]);
    for (const { key: findingKey, field, message } of failures) {
      await tx
        .insert(failingLinks)
        .values({ lessonId, findingKey, field, message, failedOn: today })
        .onConflictDoUpdate({
          target: [failingLinks.lessonId, failingLinks.findingKey],
          set: {
            message,
            deadAt: sql`case when ${failingLinks.failedOn} < ${today} then coalesce(${failingLinks.deadAt}, now()) end`,
          },
        });
    }
    await tx
      .insert(linkChecks)
      .values({ lessonId })
      .onConflictDoUpdate({ target: linkChecks.lessonId, set: { triedAt: sql`now()` } });
  });
}

/** Forgets failing links that now work or are gone; a later failure is news again. */
export async function forgetMendedLinks(
  tx: Tx,
  lessonId: number,
  found: readonly Pick<PublishFinding, 'key'>[],
): Promise<void> {
  const keys = found.map(({ key }) => key);
  await tx
    .delete(failingLinks)
    .where(
      and(
        eq(failingLinks.lessonId, lessonId),
        keys.length > 0 ? notInArray(failingLinks.findingKey, keys) : undefined,
      ),
    );
}

/** Failed on two days. */
export interface DeadLink {
  lessonId: number;
  key: string;
  field: string;
  message: string;
  since: string;
}

/** The dead links that a course's lessons still name. */
export async function deadLinksOf(courseId: number): Promise<DeadLink[]> {
  const rows = await db()
    .select({
      lessonId: failingLinks.lessonId,
      key: failingLinks.findingKey,
      field: failingLinks.field,
      message: failingLinks.message,
      since: failingLinks.failedOn,
    })
    .from(failingLinks)
    .innerJoin(lessons, eq(lessons.id, failingLinks.lessonId))
    .where(and(eq(lessons.courseId, courseId), isNotNull(failingLinks.deadAt)))
    .orderBy(asc(failingLinks.lessonId), asc(failingLinks.failedOn), asc(failingLinks.findingKey));
  const named = new Map<number, Set<string>>();
  for (const { lessonId } of rows) {
    if (named.has(lessonId)) continue;
    const found = await readLesson(lessonId);
    const keys = found ? placesOf(found).map(keyOf) : [];
    named.set(lessonId, new Set(keys));
  }
  return rows.filter(({ lessonId, key }) => named.get(lessonId)!.has(key));
}

export const hasDeadLink: SQL = sql`exists (select from ${failingLinks}
  join ${lessons} on ${lessons.id} = ${failingLinks.lessonId}
  where ${lessons.courseId} = ${courses.id} and ${failingLinks.deadAt} is not null)`;

/**
 * Queues one mail with new dead links for each author who still runs the site; of other courses the admin
 * page tells.
 */
export async function mailDeadLinks(): Promise<void> {
  const isUntold = and(isNotNull(failingLinks.deadAt), isNull(failingLinks.mailedAt), courses.isActive);
  const authors = await db()
    .selectDistinct({ id: users.id, username: users.username, email: users.email })
    .from(failingLinks)
    .innerJoin(lessons, eq(lessons.id, failingLinks.lessonId))
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .innerJoin(users, and(eq(users.id, courses.createdBy), eq(users.role, 'admin')))
    .where(isUntold);
  for (const author of authors) {
    await db().transaction(async (tx) => {
      const told = await tx
        .update(failingLinks)
        .set({ mailedAt: sql`now()` })
        .from(lessons)
        .innerJoin(courses, eq(courses.id, lessons.courseId))
        .where(and(eq(lessons.id, failingLinks.lessonId), eq(courses.createdBy, author.id), isUntold))
        .returning({
          message: failingLinks.message,
          field: failingLinks.field,
          lessonId: lessons.id,
          lesson: lessons.title,
          courseId: courses.id,
          course: courses.title,
        });
      if (told.length > 0) await queueMail(tx, deadLinksMail(author, told));
    });
  }
}

interface ToldLink {
  message: string;
  field: string;
  lessonId: number;
  lesson: string;
  courseId: number;
  course: string;
}

function deadLinksMail({ username, email }: { username: string; email: string }, told: ToldLink[]): Mail {
  const { siteUrl } = env();
  const links = told.toSorted((a, b) => a.courseId - b.courseId || a.lessonId - b.lessonId);
  const names = [...new Set(links.map(({ course }) => course))];
  const where = names.length === 1 ? `“${names[0]}”` : counted(names.length, 'course');
  const more = links.length - MAILED_MAX;
  const content = {
    title: links.length === 1 ? 'A link does not work any more' : 'Links do not work any more',
    paragraphs: [
      `Hello ${username},`,
      `${counted(links.length, 'link')} of ${where} failed on two different days. Learners who open these lessons see a gap, or reach nothing.`,
    ],
    items: links.slice(0, MAILED_MAX).map(({ course, lesson, courseId, lessonId, field, message }) => ({
      label: `${lesson} (${course})`,
      url: `${siteUrl}/admin/courses/${courseId}/content/${lessonId}#${field}`,
      note: message,
    })),
    after: more > 0 ? [`${more} more are shown on the pages of your courses.`] : [],
    action: { label: 'Look at the course', url: siteUrl + publishHref(links[0]!.courseId) },
    notes: [
      'The courses stay in the store as they are. You get no second mail about the same link unless it has worked in between.',
    ],
  };

  return {
    template: 'dead-links',
    to: email,
    subject: `${counted(links.length, 'link')} of ${where} ${links.length === 1 ? 'does' : 'do'} not work`,
    content,
  };
}

/** Nightly: tries due links in successive jobs, then mails the authors. */
export const linksJob: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'publish-check.links',
  data: z.unknown().optional(),
  retries: 3,
  retryDelaySeconds: 60,
  // One lesson's full time, and the job's time before it.
  leaseSeconds: 900,
  cron: '40 3 * * *',
  run: async () => {
    if (await tryLinks()) await sendJob(db(), linksJob, {});
    else await mailDeadLinks();
  },
};
