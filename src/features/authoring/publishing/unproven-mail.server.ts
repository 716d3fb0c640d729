import { and, eq, inArray } from 'drizzle-orm';
import type { Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { unprovenReasons } from '#src/features/catalogue/unproven.server.ts';
import { type Mail, queueMail } from '#src/server/mail/mail.ts';
import { env } from '#src/server/start/env.ts';
import { counted } from '#src/shared/counted.ts';
import { publishHref } from './publish-check.ts';

const NAMED_MAX = 20;

interface Told {
  courseId: number;
  title: string;
  isActive: boolean;
  findings: { message: string; lessonId?: number | undefined }[];
}

/**
 * Mails a check's findings to its starter and the course's author, where they run the site and the course is
 * to be sold unproven.
 */
export async function mailUnproven(
  tx: Tx,
  { courseId, startedBy }: { courseId: number; startedBy: number | null },
): Promise<void> {
  const [course] = await tx
    .select({
      title: courses.title,
      isActive: courses.isActive,
      waits: courses.activateWhenProven,
      createdBy: courses.createdBy,
    })
    .from(courses)
    .where(eq(courses.id, courseId));
  if (!course || !(course.isActive || course.waits)) return;
  const findings = ((await unprovenReasons([courseId])).get(courseId) ?? []).filter(
    ({ code }) => code === 'finding',
  );
  const ids = [startedBy, course.createdBy].filter((id) => id !== null);
  if (findings.length === 0 || ids.length === 0) return;
  const people = await tx
    .select({ username: users.username, email: users.email })
    .from(users)
    .where(and(inArray(users.id, ids), eq(users.role, 'admin')));
  for (const person of people) await queueMail(tx, unprovenMail(person, { courseId, ...course, findings }));
}

export function unprovenMail(
  { username, email }: { username: string; email: string },
  { courseId, title, isActive, findings }: Told,
): Mail {
  const { siteUrl } = env();
  const things = counted(findings.length, 'thing');
  const more = findings.length - NAMED_MAX;
  return {
    template: 'course-unproven',
    to: email,
    subject: `${things} of “${title}” ${findings.length === 1 ? 'is' : 'are'} not proven to work`,
    content: {
      title: `“${title}” has been checked`,
      paragraphs: [
        `Hello ${username},`,
        isActive
          ? `The course is in the store, and ${things} in it did not pass the check.`
          : `The course comes into the store once all of it is proven. ${things} did not pass the check.`,
      ],
      items: findings.slice(0, NAMED_MAX).map(({ message, lessonId }) => ({
        label: message,
        note: 'Open the lesson',
        url: `${siteUrl}/admin/courses/${courseId}/content/${lessonId}`,
      })),
      after: more > 0 ? [`${more} more are on the page of the check.`] : [],
      action: { label: 'See the check', url: siteUrl + publishHref(courseId) },
    },
  };
}
