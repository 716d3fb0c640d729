import { randomBytes } from 'node:crypto';
import { givesAccess, isPerson } from '#src/features/catalogue/access.server.ts';
import { and, asc, between, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { certificates, enrollments } from '#db/schema/learn.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { env } from '#src/server/start/env.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import { recordLearners } from '#src/server/webhooks/events.ts';
import { AppError } from '#src/shared/errors.ts';
import {
  type CertificateState,
  certificateNumber,
  certificateState,
  monthsLater,
  oneLine,
  readCertificateNumber,
} from './certificates.ts';
import {
  isGenuine,
  type JsonLd,
  STATUS_LIST_SIZE,
  signCredential,
  signedStatusList,
} from './open-badge.server.ts';

const CATCH_UP_BATCH = 200;
/** Milliseconds. */
const STATUS_LIST_KEEP_MS = 30_000;

/** Name and title are those of the day of issue. */
export interface Certificate {
  id: number;
  userId: number;
  courseId: number;
  number: string;
  recipientName: string;
  courseTitle: string;
  issuedAt: Date;
  validUntil: Date | null;
  revokedAt: Date | null;
  revokedReason: string | null;
  verificationUrl: string;
}

const columns = {
  id: certificates.id,
  userId: certificates.userId,
  courseId: certificates.courseId,
  number: certificates.certificateNumber,
  recipientName: certificates.recipientName,
  courseTitle: certificates.courseTitle,
  issuedAt: certificates.issuedAt,
  validUntil: certificates.validUntil,
  revokedAt: certificates.revokedAt,
  revokedReason: certificates.revokedReason,
  verificationUrl: certificates.verificationUrl,
};

/**
 * Issues certificates in the transaction that completes the course: one per user and course, however often called (decision 39,
 * fault I6). Later lessons (fault S6) and refunds change nothing (decision 21).
 * @param userIds those without `completedAt` are skipped
 * @returns numbers by user
 */
export async function issueCertificates(
  tx: Tx,
  courseId: number,
  userIds: readonly number[],
): Promise<Map<number, string>> {
  if (userIds.length === 0) return new Map();
  const numbers = await certificateNumbers(tx, courseId, userIds);
  const missing = userIds.filter((userId) => !numbers.has(userId));
  if (missing.length > 0) {
    for (const [userId, number] of await issue(tx, courseId, missing)) numbers.set(userId, number);
  }
  const marking = tx
    .update(enrollments)
    .set({ certificateIssued: true })
    .where(
      and(
        eq(enrollments.courseId, courseId),
        inArray(enrollments.userId, [...numbers.keys()]),
        eq(enrollments.certificateIssued, false),
      ),
    );
  // The number of values is part of the statement's text.
  await (numbers.size === 1 ? marking.prepare('certificate_issued').execute() : marking);
  return numbers;
}

/** PostgreSQL takes 65,534 parameters a statement; a certificate takes eight. */
const ROWS_AT_ONCE = 1000;

async function issue(tx: Tx, courseId: number, userIds: readonly number[]): Promise<Map<number, string>> {
  const learners = await tx
    .select({
      userId: enrollments.userId,
      name: users.username,
      title: courses.title,
      months: courses.certificateMonths,
      completedAt: enrollments.completedAt,
    })
    .from(enrollments)
    .innerJoin(users, eq(users.id, enrollments.userId))
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .where(
      and(
        eq(enrollments.courseId, courseId),
        inArray(enrollments.userId, [...userIds]),
        isNotNull(enrollments.completedAt),
        isPerson(enrollments.userId),
      ),
    );
  if (learners.length === 0) return new Map();
  const rows = learners.map(({ userId, name, title, months, completedAt }) => {
    const number = certificateNumber(randomBytes(15));
    return {
      userId,
      courseId,
      certificateNumber: number,
      recipientName: oneLine(name),
      courseTitle: oneLine(title),
      issuedAt: completedAt!,
      validUntil: months ? monthsLater(completedAt!, months) : null,
      verificationUrl: `${env().siteUrl}/certificates/${number}`,
    };
  });
  const issued: { userId: number; number: string }[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const written = await tx
      .insert(certificates)
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflictDoNothing({ target: [certificates.userId, certificates.courseId] })
      .returning({ userId: certificates.userId, number: certificates.certificateNumber });
    issued.push(...written);
  }
  const told = issued.map(({ userId, number }) => ({ userId, more: { certificateNumber: number } }));
  await recordLearners(tx, 'certificate', courseId, told);
  // The loser of a race has waited for the winner's commit.
  return certificateNumbers(tx, courseId, userIds);
}

export async function certificateNumbers(
  tx: Tx,
  courseId: number,
  userIds: readonly number[],
): Promise<Map<number, string>> {
  const query = tx
    .select({ userId: certificates.userId, number: certificates.certificateNumber })
    .from(certificates)
    .where(and(eq(certificates.courseId, courseId), inArray(certificates.userId, [...userIds])));
  const rows = await (userIds.length === 1 ? query.prepare('certificate_of_user').execute() : query);
  return new Map(rows.map(({ userId, number }) => [userId, number]));
}

/** Also for courses completed while the access was suspended, or before the site issued certificates. */
export async function issueMissingCertificates(): Promise<number> {
  let count = 0;
  for (;;) {
    const issued = await db().transaction(async (tx) => {
      const due = await tx
        .select({ userId: enrollments.userId, courseId: enrollments.courseId })
        .from(enrollments)
        .where(
          and(
            isNotNull(enrollments.completedAt),
            eq(enrollments.certificateIssued, false),
            givesAccess(),
            isPerson(enrollments.userId),
          ),
        )
        .orderBy(asc(enrollments.id))
        .limit(CATCH_UP_BATCH)
        .for('update', { skipLocked: true });
      const byCourse = Map.groupBy(due, ({ courseId }) => courseId);
      for (const [courseId, rows] of byCourse) {
        await issueCertificates(
          tx,
          courseId,
          rows.map(({ userId }) => userId),
        );
      }
      return due.length;
    });
    count += issued;
    if (issued < CATCH_UP_BATCH) return count;
  }
}

export const certificateCatchUp: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'learn.certificates',
  data: z.unknown().optional(),
  retries: 2,
  retryDelaySeconds: 60,
  leaseSeconds: 300,
  cron: '20 * * * *',
  atStart: true,
  run: async () => {
    await issueMissingCertificates();
  },
};

export async function findCertificate(number: string): Promise<Certificate | null> {
  const [row] = await db()
    .select(columns)
    .from(certificates)
    .where(eq(certificates.certificateNumber, number));
  return row ?? null;
}

/** @throws {AppError} not_found */
async function getCertificate(typed: string): Promise<Certificate> {
  const number = readCertificateNumber(typed);
  const found = number && number !== 'mistyped' ? await findCertificate(number) : null;
  if (!found) throw new AppError('not_found', 'There is no certificate with this number.');
  return found;
}

/** @throws {AppError} not_found for another user's (fault I6) */
export async function getOwnCertificate(userId: number, typed: string): Promise<Certificate> {
  const found = await getCertificate(typed);
  if (found.userId !== userId) throw new AppError('not_found', 'There is no certificate with this number.');
  return found;
}

/** Signed at first use, outside the transaction that issues; of concurrent signatures the first one stays. */
export async function credentialFor(certificate: Certificate): Promise<JsonLd> {
  const read = async () => {
    const [row] = await db()
      .select({ credential: certificates.credential })
      .from(certificates)
      .where(eq(certificates.id, certificate.id));
    return row?.credential ?? null;
  };
  const kept = await read();
  if (kept) return kept;
  const signed = await signCredential(certificate);
  await db()
    .update(certificates)
    .set({ credential: signed })
    .where(and(eq(certificates.id, certificate.id), isNull(certificates.credential)));
  return (await read()) ?? signed;
}

/** @throws {AppError} not_found */
export async function getCredential(typed: string): Promise<{ number: string; credential: JsonLd }> {
  const certificate = await getCertificate(typed);
  return { number: certificate.number, credential: await credentialFor(certificate) };
}

export interface VerifiedCertificate {
  certificate: Certificate;
  state: CertificateState;
  isGenuine: boolean;
  checkedAt: Date;
}

export async function verifyCertificate(number: string): Promise<VerifiedCertificate | null> {
  const certificate = await findCertificate(number);
  if (!certificate) return null;
  const checkedAt = new Date();
  return {
    certificate,
    state: certificateState(certificate, checkedAt),
    isGenuine: await isGenuine(await credentialFor(certificate), certificate),
    checkedAt,
  };
}

/**
 * Revokes, or restores without a reason; audited and idempotent.
 * @throws {AppError} not_found
 */
export async function setRevocation(
  actor: Actor,
  typed: string,
  reason: string | null,
): Promise<{ state: CertificateState; revokedAt: string | null }> {
  const { id, number } = await getCertificate(typed);
  return db().transaction(async (tx) => {
    const [before] = await tx
      .select({ revokedAt: certificates.revokedAt, validUntil: certificates.validUntil })
      .from(certificates)
      .where(eq(certificates.id, id))
      .for('update');
    let { revokedAt } = before!;
    if ((revokedAt === null) === (reason !== null)) {
      revokedAt = reason === null ? null : new Date();
      await tx.update(certificates).set({ revokedAt, revokedReason: reason }).where(eq(certificates.id, id));
      await recordAudit(tx, actor, {
        action: reason === null ? 'certificate.restored' : 'certificate.revoked',
        subjectType: 'certificate',
        subjectId: id,
        ...(reason === null ? {} : { reason }),
        details: { number },
      });
      statusLists.clear();
    }
    return {
      state: certificateState({ validUntil: before!.validUntil, revokedAt }, new Date()),
      revokedAt: revokedAt?.toISOString() ?? null,
    };
  });
}

const statusLists = new LRUCache<number, Promise<JsonLd | null>>({ max: 8, ttl: STATUS_LIST_KEEP_MS });

/** @param list from 0; null where no certificate is in it */
export function statusList(list: number): Promise<JsonLd | null> {
  const known = statusLists.get(list);
  if (known) return known;
  const made = makeStatusList(list);
  statusLists.set(list, made);
  made.catch(() => statusLists.delete(list));
  return made;
}

async function makeStatusList(list: number): Promise<JsonLd | null> {
  const [from, to] = [list * STATUS_LIST_SIZE, (list + 1) * STATUS_LIST_SIZE - 1];
  const inList = between(certificates.id, from, to);
  const [[any], revoked] = await Promise.all([
    db().select({ one: sql`1` }).from(certificates).where(inList).limit(1),
    db()
      .select({ id: certificates.id })
      .from(certificates)
      .where(and(inList, isNotNull(certificates.revokedAt))),
  ]);
  if (!any) return null;
  return signedStatusList(
    list,
    revoked.map(({ id }) => id - from),
  );
}
