import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Executor, Tx } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import {
  assignments,
  certificates,
  courseNews,
  enrollments,
  lessonProgress,
  pointsLedger,
  quizAttempts,
  regrades,
  studyDays,
} from '#db/schema/learn.ts';
import { reviewAnswers, reviewItems } from '#db/schema/review.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { lessonQuestionReplies, lessonQuestionReports, lessonQuestions } from '#db/schema/questions.ts';
import { forgetBytes } from '#src/server/files/files.ts';
import { sendJob } from '#src/server/jobs.ts';
import type { Person, PersonalDataPart } from '#src/server/personal-data.ts';
import { forgetPreviews } from './preview/preview.server.ts';
import { omit } from '#src/shared/pick.ts';

async function rows(tx: Executor, { id: userId }: Person) {
  const owned = await tx
    .select({ enrollment: enrollments, course: courses.title })
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .where(eq(enrollments.userId, userId))
    .orderBy(asc(enrollments.id));
  const progress = await tx
    .select({ progress: lessonProgress, lesson: lessons.title, points: pointsLedger.points })
    .from(lessonProgress)
    .innerJoin(lessons, eq(lessons.id, lessonProgress.lessonId))
    .leftJoin(
      pointsLedger,
      and(eq(pointsLedger.userId, lessonProgress.userId), eq(pointsLedger.lessonId, lessonProgress.lessonId)),
    )
    .where(eq(lessonProgress.userId, userId))
    .orderBy(asc(lessonProgress.startedAt));
  const quizzes = await tx
    .select({
      lesson: lessons.title,
      answers: quizAttempts.answers,
      score: quizAttempts.score,
      passed: quizAttempts.passed,
      creditsAfterCorrection: quizAttempts.credits,
      submittedAt: quizAttempts.submittedAt,
    })
    .from(quizAttempts)
    .innerJoin(lessons, eq(lessons.id, quizAttempts.lessonId))
    .where(eq(quizAttempts.userId, userId))
    .orderBy(asc(quizAttempts.id));
  const handedIn = await tx
    .select({
      lesson: lessons.title,
      submission: assignments.submission,
      file: assignments.fileUrl,
      submittedAt: assignments.submittedAt,
      grade: assignments.grade,
      feedback: assignments.feedback,
      marks: assignments.marks,
      gradedAt: assignments.gradedAt,
    })
    .from(assignments)
    .innerJoin(lessons, eq(lessons.id, assignments.lessonId))
    .where(eq(assignments.userId, userId))
    .orderBy(asc(assignments.id));
  const regraded = await tx
    .select({
      lesson: lessons.title,
      before: regrades.before,
      grade: regrades.grade,
      reason: regrades.reason,
      createdAt: regrades.createdAt,
    })
    .from(regrades)
    .innerJoin(lessons, eq(lessons.id, regrades.lessonId))
    .where(eq(regrades.userId, userId))
    .orderBy(asc(regrades.id));
  const earned = await tx
    .select({
      certificateNumber: certificates.certificateNumber,
      recipientName: certificates.recipientName,
      courseTitle: certificates.courseTitle,
      issuedAt: certificates.issuedAt,
      validUntil: certificates.validUntil,
      revokedAt: certificates.revokedAt,
      revokedReason: certificates.revokedReason,
    })
    .from(certificates)
    .where(eq(certificates.userId, userId))
    .orderBy(asc(certificates.id));
  const days = await tx
    .select({ day: studyDays.day, seconds: studyDays.seconds, lessonsCompleted: studyDays.lessonsCompleted })
    .from(studyDays)
    .where(eq(studyDays.userId, userId))
    .orderBy(asc(studyDays.day));
  const recalled = await tx
    .select({ lesson: lessons.title, item: reviewItems })
    .from(reviewItems)
    .innerJoin(lessons, eq(lessons.id, reviewItems.lessonId))
    .where(eq(reviewItems.userId, userId))
    .orderBy(asc(reviewItems.lessonId));
  const reviewed = await tx
    .select({
      lesson: lessons.title,
      rating: reviewAnswers.rating,
      predicted: reviewAnswers.predicted,
      recalled: reviewAnswers.recalled,
      answeredAt: reviewAnswers.answeredAt,
    })
    .from(reviewAnswers)
    .innerJoin(lessons, eq(lessons.id, reviewAnswers.lessonId))
    .where(eq(reviewAnswers.userId, userId))
    .orderBy(asc(reviewAnswers.answeredAt));
  const news = await tx
    .select({
      course: courses.title,
      title: courseNews.title,
      body: courseNews.body,
      createdAt: courseNews.createdAt,
      sentAt: courseNews.sentAt,
    })
    .from(courseNews)
    .innerJoin(courses, eq(courses.id, courseNews.courseId))
    .where(eq(courseNews.writtenBy, userId))
    .orderBy(asc(courseNews.id));
  const asked = await questionRows(tx, userId);
  return {
    enrollments: owned.map(({ enrollment, course }) => ({
      course,
      ...omit(enrollment, ['id', 'userId', 'orderItemId']),
    })),
    lessons: progress.map(({ progress: row, lesson, points }) => ({
      lesson,
      points: points ?? 0,
      ...omit(row, ['userId', 'notesVersion', 'notesWords', 'excusedBy']),
    })),
    quizAttempts: quizzes,
    assignments: handedIn,
    regrades: regraded,
    certificates: earned,
    studyDays: days,
    recall: recalled.map(({ lesson, item }) => ({ lesson, ...omit(item, ['userId', 'version']) })),
    recallAnswers: reviewed,
    newsWritten: news,
    ...asked,
  };
}

async function questionRows(tx: Executor, userId: number) {
  const questions = await tx
    .select({
      lesson: lessons.title,
      body: lessonQuestions.body,
      line: lessonQuestions.line,
      quote: lessonQuestions.quote,
      sharedByAsker: lessonQuestions.sharedByAsker,
      createdAt: lessonQuestions.createdAt,
      editedAt: lessonQuestions.editedAt,
      answerSeenAt: lessonQuestions.answerSeenAt,
      solvedAt: lessonQuestions.solvedAt,
      hiddenAt: lessonQuestions.hiddenAt,
      hiddenReason: lessonQuestions.hiddenReason,
    })
    .from(lessonQuestions)
    .innerJoin(lessons, eq(lessons.id, lessonQuestions.lessonId))
    .where(eq(lessonQuestions.userId, userId))
    .orderBy(asc(lessonQuestions.id));
  const replies = await tx
    .select({
      lesson: lessons.title,
      body: lessonQuestionReplies.body,
      asTeam: lessonQuestionReplies.byTeam,
      createdAt: lessonQuestionReplies.createdAt,
    })
    .from(lessonQuestionReplies)
    .innerJoin(lessonQuestions, eq(lessonQuestions.id, lessonQuestionReplies.questionId))
    .innerJoin(lessons, eq(lessons.id, lessonQuestions.lessonId))
    .where(eq(lessonQuestionReplies.writtenBy, userId))
    .orderBy(asc(lessonQuestionReplies.id));
  const reports = await tx
    .select({
      lesson: lessons.title,
      reason: lessonQuestionReports.reason,
      createdAt: lessonQuestionReports.createdAt,
    })
    .from(lessonQuestionReports)
    .innerJoin(lessonQuestions, eq(lessonQuestions.id, lessonQuestionReports.questionId))
    .innerJoin(lessons, eq(lessons.id, lessonQuestions.lessonId))
    .where(eq(lessonQuestionReports.userId, userId))
    .orderBy(asc(lessonQuestionReports.createdAt));
  return { lessonQuestions: questions, lessonQuestionReplies: replies, lessonQuestionReports: reports };
}

async function erase(tx: Tx, { id }: Person): Promise<void> {
  await forgetPreviews(tx, { adminId: id });
  const handedIn = await tx
    .delete(assignments)
    .where(eq(assignments.userId, id))
    .returning({ path: assignments.fileUrl });
  const paths = handedIn.flatMap(({ path }) => path ?? []);
  const gone = await tx
    .delete(storedFiles)
    .where(inArray(storedFiles.path, paths))
    .returning({ sha256: storedFiles.sha256 });
  for (const bytes of gone) await sendJob(tx, forgetBytes, bytes);
}

export const learnData: PersonalDataPart = { rows, erase };
