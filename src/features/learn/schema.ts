import { RUBRIC_MAX } from '#src/features/lessons/types/assignment/settings.ts';
import { z } from 'zod';
import { LEVELS } from '#src/features/catalogue/catalogue.ts';
import { lessonModel } from '#src/features/catalogue/schema.ts';
import { answersInput, markedAnswer, shownQuestion } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { contract } from '#src/shared/contract.ts';
import { idInPath, line, rawText } from '#src/shared/fields.ts';
import { FEEDBACK_MAX, NOTES_MAX, SUBMISSION_MAX } from './progress/learn.ts';

const enrollmentFields = {
  id: z.number(),
  userId: z.number(),
  courseId: z.number(),
  enrolledAt: z.string(),
  progress: z.number(),
  completedAt: z.string().nullable(),
  certificateIssued: z.boolean(),
  currentLessonId: z.number().nullable(),
  /** Seconds. */
  totalTimeSpent: z.number(),
  lastAccessedAt: z.string().nullable(),
  totalPoints: z.number(),
  skillLevel: z.enum(LEVELS),
};

const courseOfEnrollment = z.object({
  id: z.number(),
  title: z.string(),
  thumbnail: z.string(),
  duration: z.string(),
  level: z.enum(LEVELS),
});

export const learnedLesson = lessonModel.extend({ completed: z.boolean() });

export const enrollmentModel = z.object({ ...enrollmentFields, course: courseOfEnrollment });
export const enrollmentWithContentModel = z.object({
  ...enrollmentFields,
  course: courseOfEnrollment.extend({ content: z.array(learnedLesson) }),
});
export type EnrollmentModel = z.output<typeof enrollmentModel>;
export type EnrollmentWithContentModel = z.output<typeof enrollmentWithContentModel>;

export const listEnrollmentsCall = contract({
  method: 'GET',
  path: '/api/enrollments',
  output: z.array(enrollmentModel),
});

/** `content` is the outline, without bodies. */
export const listMyEnrollmentsCall = contract({
  method: 'GET',
  path: '/api/my-enrollments',
  output: z.array(enrollmentWithContentModel),
});

/** `content` has bodies, in order. */
export const getMyEnrollmentCall = contract({
  method: 'GET',
  path: '/api/my-enrollments/{courseId}',
  params: z.object({ courseId: idInPath('Course id') }),
  output: enrollmentWithContentModel,
});

const lessonCompletion = z.object({
  courseId: z.number(),
  lessonId: z.number(),
  completed: z.literal(true),
  completedAt: z.string(),
  /** Percent of the course. */
  progress: z.number(),
  /** 0 when given before. */
  pointsAwarded: z.number(),
  totalPoints: z.number(),
  skillLevel: z.enum(LEVELS),
  /** Of the first time. */
  courseCompletedAt: z.string().nullable(),
  certificateNumber: z.string().nullable(),
});
export type LessonCompletion = z.output<typeof lessonCompletion>;

/** The route calls the first parameter `id`. */
export const completeLessonCall = contract({
  method: 'POST',
  path: '/api/courses/{id}/content/{lessonId}/complete',
  params: z.object({ id: idInPath('Course id'), lessonId: idInPath('Lesson id') }),
  output: lessonCompletion,
});

const lessonInPath = z.object({ id: idInPath('Lesson id') });

/** Cut to what has passed (fault J10). */
const seconds = (label: string) =>
  z.number({ error: `${label} must be a number of seconds` }).min(0, `${label} must not be negative`);

/** Seconds since the last call, the player's place, and the parts played since the page opened. */
export const recordActivityCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/activity',
  params: lessonInPath,
  input: z.object({
    seconds: seconds('Seconds'),
    video: z
      .object({
        position: seconds('Position'),
        watched: z.array(z.tuple([seconds('From'), seconds('To')])).max(500, 'Too many parts of the video'),
      })
      .optional(),
  }),
  output: z.object({
    /** Seconds spent on this lesson, and in the course. */
    timeSpent: z.number(),
    totalTimeSpent: z.number(),
    /** Null without a video of known length. */
    watchedPercent: z.number().nullable(),
  }),
});

/** `version` of the changed notes; 0 before the first save. */
export const saveNotesCall = contract({
  method: 'PUT',
  path: '/api/lessons/{id}/notes',
  params: lessonInPath,
  input: z.object({
    notes: rawText('Notes', { max: NOTES_MAX }),
    version: z.int({ error: 'Version must be a whole number' }).min(0, 'Version must not be negative'),
  }),
  output: z.object({ version: z.number(), savedAt: z.string() }),
});

const quizAttempt = z.object({
  id: z.number(),
  /** Percent. */
  score: z.number(),
  passed: z.boolean(),
  submittedAt: z.string(),
});

/** Answers come only with an attempt (decision 36). */
export const quizResult = z.object({
  attempt: quizAttempt,
  answers: z.array(markedAnswer),
  /** Where attempts differ. */
  questions: z.array(shownQuestion).optional(),
});
export type QuizResult = z.output<typeof quizResult>;

export const quizModel = z.object({
  lessonId: z.number(),
  title: z.string(),
  passPercent: z.number(),
  questions: z.array(shownQuestion),
  /** Where each attempt is handed in once. */
  attempt: z.number().optional(),
  /** Where attempts are limited. */
  attemptsLeft: z.number().optional(),
  waitsUntil: z.string().optional(),
  attempts: z.array(quizAttempt),
  bestScore: z.number().nullable(),
  passed: z.boolean(),
  lastResult: quizResult.nullable(),
  /** Left out for feedback at the end. */
  feedback: z.literal('each').optional(),
  /** Questions of the running attempt with feedback: their answers are fixed. */
  checked: z.array(markedAnswer).optional(),
});
export type QuizModel = z.output<typeof quizModel>;

export const getQuizCall = contract({
  method: 'GET',
  path: '/api/lessons/{id}/quiz',
  params: lessonInPath,
  output: quizModel,
});

const attemptNumber = z
  .int({ error: 'Attempt must be a whole number' })
  .min(1, 'Attempt must be at least 1')
  .optional();

/**
 * Answers by question id; of a single choice the option's number from 0. Repeats of an `attempt`, or of the client's UUID
 * `requestId`, give the first result.
 */
export const submitQuizCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/quiz',
  params: lessonInPath,
  input: z.object({
    answers: answersInput,
    attempt: attemptNumber,
    requestId: z.uuid({ error: 'Request id must be a UUID' }).optional(),
  }),
  output: quizResult.extend({
    bestScore: z.number(),
    /** Null for a failed attempt. */
    completion: lessonCompletion.nullable(),
  }),
});

/** Feedback to one question; the first answer counts. `practice` marks one of the last attempt again and stores nothing. */
export const checkQuizCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/quiz-check',
  params: lessonInPath,
  input: z.object({
    answers: answersInput.refine(
      (answers) => Object.keys(answers).length === 1,
      'Give the answer to one question',
    ),
    attempt: attemptNumber,
    practice: z.boolean({ error: 'Practice must be true or false' }).optional(),
  }),
  output: markedAnswer,
});

export const assignmentModel = z.object({
  lessonId: z.number(),
  submission: z.string(),
  file: z.object({ url: z.string(), name: z.string(), size: z.number() }).nullable(),
  submittedAt: z.string(),
  dueAt: z.string().nullable(),
  late: z.boolean(),
  /** 0 to 100; null before. */
  grade: z.number().nullable(),
  /** Markdown; of the submission before, while `gradedAt` is null. */
  feedback: z.string(),
  feedbackHtml: z.string(),
  /** By criterion of the rubric. */
  marks: z.array(z.object({ name: z.string(), points: z.number(), of: z.number() })).nullable(),
  gradedAt: z.string().nullable(),
  /** May be handed in again after the grade. */
  again: z.boolean(),
});
/** With the completion that it led to. */
const handedInModel = assignmentModel.extend({ completion: lessonCompletion.nullable() });
export type HandedIn = z.output<typeof handedInModel>;
export type AssignmentModel = z.output<typeof assignmentModel>;

/** Null before the first submission. */
export const getAssignmentCall = contract({
  method: 'GET',
  path: '/api/lessons/{id}/assignment',
  params: lessonInPath,
  output: assignmentModel.nullable(),
});

/** Replaces an earlier one (decision 37). */
export const submitAssignmentCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/assignment',
  params: lessonInPath,
  input: z.object({
    submission: rawText('Submission', { max: SUBMISSION_MAX }).refine(
      (value) => value.trim() !== '',
      'Write something before you hand it in',
    ),
  }),
  output: handedInModel,
});

/** A form with `file` (decision 37). */
export const submitAssignmentFileCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/assignment/files',
  params: lessonInPath,
  output: handedInModel,
});

/** A grade, or points by criterion of the rubric. */
export const gradeInput = z.object({
  grade: z
    .int({ error: 'Grade must be a whole number from 0 to 100' })
    .min(0, 'Grade must be from 0 to 100')
    .max(100, 'Grade must be from 0 to 100')
    .optional(),
  points: z
    .array(z.int({ error: 'Points must be a whole number' }).min(0, 'Points must be at least 0'), {
      error: 'Points must be a list',
    })
    .max(RUBRIC_MAX.criteria, `A rubric has at most ${RUBRIC_MAX.criteria} criteria`)
    .optional(),
  feedback: rawText('Feedback', { max: FEEDBACK_MAX }).transform((value) => value.trim()),
});

/** A form with `file`; the answer goes into the lesson. */
export const uploadLessonFileCall = contract({
  method: 'POST',
  path: '/api/admin/files',
  output: z.object({ fileUrl: z.string(), name: z.string(), fileSize: z.number(), mimeType: z.string() }),
});

/** For each page's header. */
export const countWaitingCall = contract({
  method: 'GET',
  path: '/api/my-learning',
  output: z.object({
    reviewsDue: z.number(),
    answersWaiting: z.number(),
    teaches: z.boolean(),
    inOrganisation: z.boolean(),
  }),
});

/** Decision 40. */
export const getProgressCall = contract({
  method: 'GET',
  path: '/api/progress',
  output: z.array(
    z.object({
      courseId: z.number(),
      progress: z.number(),
      totalPoints: z.number(),
      skillLevel: z.enum(LEVELS),
      certificateNumber: z.string().nullable(),
      lessons: z.array(
        z.object({
          lessonId: z.number(),
          completed: z.boolean(),
          /** Seconds. */
          timeSpent: z.number(),
          completedAt: z.string().nullable(),
          score: z.number().nullable(),
          attempts: z.number(),
          notes: z.string(),
          points: z.number(),
        }),
      ),
    }),
  ),
});

export type CourseProgress = z.output<typeof getProgressCall.output>[number];

const certificateInPath = z.object({ number: z.string().max(60) });
const revocation = z.object({
  state: z.enum(['valid', 'expired', 'revoked']),
  revokedAt: z.string().nullable(),
});

/** Only administrators see the reason. */
export const revokeCertificateCall = contract({
  method: 'POST',
  path: '/api/admin/certificates/{number}/revocation',
  params: certificateInPath,
  input: z.object({ reason: line('Reason', { min: 3, max: 500 }) }),
  output: revocation,
});

export const restoreCertificateCall = contract({
  method: 'DELETE',
  path: '/api/admin/certificates/{number}/revocation',
  params: certificateInPath,
  output: revocation,
});

export const setWeeklyGoalCall = contract({
  method: 'PUT',
  path: '/api/weekly-goal',
  input: z.object({
    days: z
      .int({ error: 'Days must be a whole number from 1 to 7' })
      .min(1, 'Days must be from 1 to 7')
      .max(7, 'Days must be from 1 to 7'),
  }),
  output: z.object({ days: z.number() }),
});
