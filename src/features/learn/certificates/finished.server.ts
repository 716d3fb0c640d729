import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { certificates, enrollments } from '#db/schema/learn.ts';
import { givesAccess } from '#src/features/catalogue/access.server.ts';
import type { CourseCard } from '#src/features/catalogue/catalogue.ts';
import { relatedCards } from '#src/features/catalogue/course-page/related.server.ts';
import { certificateState } from './certificates.ts';

export interface FinishedCourse {
  title: string;
  completedAt: Date;
  lessonCount: number;
  points: number;
  /** Seconds. */
  timeSpent: number;
  /** Null for a revoked one too. */
  certificate: { number: string; recipientName: string; issuedAt: Date; url: string } | null;
  next: CourseCard[];
}

/** `unfinished` before completion, null without access. */
export async function findFinishedCourse(
  userId: number,
  courseId: number,
): Promise<FinishedCourse | 'unfinished' | null> {
  const [row] = await db()
    .select({
      title: courses.title,
      completedAt: enrollments.completedAt,
      lessonCount: sql<number>`(select count(*)::int from ${lessons} where ${lessons.courseId} = ${courses.id})`,
      points: enrollments.totalPoints,
      timeSpent: enrollments.totalTimeSpent,
      certificate: {
        number: certificates.certificateNumber,
        recipientName: certificates.recipientName,
        issuedAt: certificates.issuedAt,
        validUntil: certificates.validUntil,
        revokedAt: certificates.revokedAt,
        url: certificates.verificationUrl,
      },
    })
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .leftJoin(
      certificates,
      and(
        eq(certificates.userId, enrollments.userId),
        eq(certificates.courseId, enrollments.courseId),
        isNotNull(certificates.certificateNumber),
      ),
    )
    .where(givesAccess(userId, courseId));
  if (!row) return null;
  const { completedAt, certificate, ...facts } = row;
  if (!completedAt) return 'unfinished';
  const isShown = certificate && certificateState(certificate, new Date()) !== 'revoked';
  return {
    ...facts,
    completedAt,
    certificate: isShown ? certificate : null,
    next: await relatedCards(courseId, userId),
  };
}
