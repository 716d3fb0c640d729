import { and, asc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses, courseStaff, lessons } from '#db/schema/catalogue.ts';
import { lessonQuestions } from '#db/schema/questions.ts';
import { hasAccess, isPerson } from '#src/features/catalogue/access.server.ts';
import { getsMail } from '#src/server/mail/mail-choices.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { plainParagraphs } from '#src/server/markdown.ts';
import { env } from '#src/server/start/env.ts';
import { counted } from '#src/shared/counted.ts';

/** Minutes that gather a course's questions into one mail. */
const GATHER_MINUTES = 5;
const MAILED_MAX = 10;
/** Characters. */
const EXCERPT_MAX = 300;

export function tellTeam(tx: Tx, courseId: number): Promise<void> {
  const startAfter = new Date(Date.now() + GATHER_MINUTES * 60_000);
  return sendJob(tx, questionMailJob, { courseId }, { startAfter });
}

const excerpt = (markdown: string): string => {
  const text = plainParagraphs(markdown, 'user').join(' ');
  return text.length > EXCERPT_MAX ? `${text.slice(0, EXCERPT_MAX - 1).toWellFormed()}…` : text;
};

/** One mail of all waiting questions, to the course's author and staff, or to all administrators where none of those wants it. */
export async function mailTeam(courseId: number): Promise<void> {
  const isStaff = sql<boolean>`exists (select from ${courseStaff}
    where ${courseStaff.userId} = ${users.id} and ${courseStaff.courseId} = ${courseId})`;
  const team = await db()
    .select({ id: users.id, email: users.email, isStaff })
    .from(users)
    .where(and(or(eq(users.role, 'admin'), isStaff), getsMail('teaching')))
    .orderBy(asc(users.id));
  await db().transaction(async (tx) => {
    const told = await tx
      .update(lessonQuestions)
      .set({ mailedAt: sql`now()` })
      .from(lessons)
      .innerJoin(courses, eq(courses.id, lessons.courseId))
      .where(
        and(
          eq(lessons.id, lessonQuestions.lessonId),
          eq(lessons.courseId, courseId),
          isNull(lessonQuestions.mailedAt),
          isNotNull(lessonQuestions.waitingSince),
          isNull(lessonQuestions.hiddenAt),
          isPerson(lessonQuestions.userId),
        ),
      )
      .returning({
        id: lessonQuestions.id,
        body: lessonQuestions.body,
        lesson: lessons.title,
        course: courses.title,
        createdBy: courses.createdBy,
      });
    if (told.length === 0) return;
    const author = team.filter(({ id, isStaff }) => isStaff || id === told[0]!.createdBy);
    const { siteUrl } = env();
    const { course } = told[0]!;
    const questions = told.toSorted((a, b) => a.id - b.id);
    const more = questions.length - MAILED_MAX;
    for (const member of author.length > 0 ? author : team) {
      await queueMail(tx, {
        template: 'lesson-questions',
        to: member.email,
        subject: `${counted(told.length, 'question')} of learners (${course})`,
        content: {
          title: told.length === 1 ? 'A learner asks' : 'Learners ask',
          paragraphs: [
            `In “${course}” ${counted(told.length, 'question waits', 'questions wait')} for an answer.`,
          ],
          items: questions.slice(0, MAILED_MAX).map(({ id, lesson, body }) => ({
            label: lesson,
            url: `${siteUrl}/admin/questions?question=${id}`,
            note: excerpt(body),
          })),
          after: more > 0 ? [`${more} more are in the list.`] : [],
          action: { label: 'Answer them', url: `${siteUrl}/admin/questions` },
        },
      });
    }
  });
}

export const questionMailJob: JobDefinition<z.ZodObject<{ courseId: z.ZodNumber }>> = {
  name: 'learn.question-mail',
  data: z.object({ courseId: z.number().int() }),
  retries: 5,
  retryDelaySeconds: 60,
  leaseSeconds: 60,
  run: ({ courseId }) => mailTeam(courseId),
};

/** Where the asker has the course and wants mails. */
export async function mailAnswer(
  tx: Tx,
  answer: { replyId: number; questionId: number; body: string },
): Promise<void> {
  const [asker] = await tx
    .select({
      email: users.email,
      question: lessonQuestions.body,
      lessonId: lessons.id,
      lesson: lessons.title,
      courseId: lessons.courseId,
    })
    .from(lessonQuestions)
    .innerJoin(users, eq(users.id, lessonQuestions.userId))
    .innerJoin(lessons, eq(lessons.id, lessonQuestions.lessonId))
    .where(
      and(
        eq(lessonQuestions.id, answer.questionId),
        isPerson(users.id),
        hasAccess(users.id, lessons.courseId),
      ),
    );
  if (!asker) return;
  await queueMail(tx, {
    template: 'question-answered',
    to: asker.email,
    subject: `Your question has an answer (${asker.lesson})`,
    content: {
      title: 'Your question has an answer',
      paragraphs: [
        `You asked about “${asker.lesson}”: ${excerpt(asker.question)}`,
        ...plainParagraphs(answer.body, 'user'),
      ],
      action: {
        label: 'Read it in the lesson',
        url: `${env().siteUrl}/learn/${asker.courseId}?lesson=${asker.lessonId}&view=course#question-${answer.questionId}`,
      },
      notes: ['Answers to this mail are not read. Write below your question in the lesson.'],
    },
    dedupeKey: `question-answered:${answer.replyId}`,
  });
}
