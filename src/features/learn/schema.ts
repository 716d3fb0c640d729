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

/** A lesson and whether its learner has done it. */
export const learnedLesson = lessonModel.extend({ completed: z.boolean() });

export const enrollmentModel = z.object({ ...enrollmentFields, course: courseOfEnrollment });
export const enrollmentWithContentModel = z.object({
  ...enrollmentFields,
  course: courseOfEnrollment.extend({ content: z.array(learnedLesson) }),
});
export type EnrollmentModel = z.output<typeof enrollmentModel>;
export type EnrollmentWithContentModel = z.output<typeof enrollmentWithContentModel>;

/** `GET /api/enrollments` */
export const listEnrollmentsCall = contract({
  method: 'GET',
  path: '/api/enrollments',
  output: z.array(enrollmentModel),
});

/** `GET /api/my-enrollments`; `content` is the outline, without bodies. */
export const listMyEnrollmentsCall = contract({
  method: 'GET',
  path: '/api/my-enrollments',
  output: z.array(enrollmentWithContentModel),
});

/** `GET /api/my-enrollments/{courseId}`; `content` with bodies, sorted by order. */
export const getMyEnrollmentCall = contract({
  method: 'GET',
  path: '/api/my-enrollments/{courseId}',
  params: z.object({ courseId: idInPath('Course id') }),
  output: enrollmentWithContentModel,
});

/** `POST /api/courses/{courseId}/content/{lessonId}/complete`; the first parameter is called `id` in the route. */
export const completeLessonCall = contract({
  method: 'POST',
  path: '/api/courses/{id}/content/{lessonId}/complete',
  params: z.object({ id: idInPath('Course id'), lessonId: idInPath('Lesson id') }),
  output: z.object({
    courseId: z.number(),
    lessonId: z.number(),
    completed: z.literal(true),
    completedAt: z.string(),
    /** Percent of the course. */
    progress: z.number(),
    /** Points given by this call; 0 when they had been given before. */
    pointsAwarded: z.number(),
    totalPoints: z.number(),
    skillLevel: z.enum(LEVELS),
    /** When the course was completed first; null until then. */
    courseCompletedAt: z.string().nullable(),
    certificateNumber: z.string().nullable(),
  }),
});
export type LessonCompletion = z.output<typeof completeLessonCall.output>;

const lessonInPath = z.object({ id: idInPath('Lesson id') });

/** A span of time as a browser measures it; what is too much is cut to what has passed (fault J10). */
const seconds = (label: string) =>
  z.number({ error: `${label} must be a number of seconds` }).min(0, `${label} must not be negative`);

/**
 * `POST /api/lessons/{id}/activity`: sent while somebody studies. `seconds` were spent on the lesson since the last
 * call; `video` says where the player is and which parts it has played since the page was opened.
 */
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
    /** Of a video whose length is known, else null. */
    watchedPercent: z.number().nullable(),
  }),
});

/** `PUT /api/lessons/{id}/notes`: `version` is that of the notes which were changed; 0 before the first save. */
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

/** A submitted quiz with its answers: only ever made from an attempt (decision 36). */
export const quizResult = z.object({
  attempt: quizAttempt,
  answers: z.array(markedAnswer),
  /** As this attempt asked them; left out where every attempt asks the same ones. */
  questions: z.array(shownQuestion).optional(),
});
export type QuizResult = z.output<typeof quizResult>;

export const quizModel = z.object({
  lessonId: z.number(),
  title: z.string(),
  passPercent: z.number(),
  questions: z.array(shownQuestion),
  /** Number of the attempt that these questions are for; where each attempt may be handed in once. */
  attempt: z.number().optional(),
  /** How often it may still be handed in, where that is limited. */
  attemptsLeft: z.number().optional(),
  /** Until when the next attempt has to wait. */
  waitsUntil: z.string().optional(),
  attempts: z.array(quizAttempt),
  bestScore: z.number().nullable(),
  passed: z.boolean(),
  lastResult: quizResult.nullable(),
  /** Where it is told after each question what was right; left out where that is told at the end. */
  feedback: z.literal('each').optional(),
  /** Of the running attempt, the questions whose feedback was told: their answers stay. Left out for none. */
  checked: z.array(markedAnswer).optional(),
});
export type QuizModel = z.output<typeof quizModel>;

/** `GET /api/lessons/{id}/quiz` */
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
 * `POST /api/lessons/{id}/quiz`: `answers` by question id: of a single choice the number of the option, counted from 0.
 * `attempt` is that of the quiz as it was read: a repeated request gives the result that is there already. `requestId` does
 * the same for every quiz: it is a UUID that the client makes for what it hands in, and keeps for sending it again.
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
    /** What passing led to; null for an attempt that did not pass. */
    completion: completeLessonCall.output.nullable(),
  }),
});

/**
 * `POST /api/lessons/{id}/quiz-check`: the answer to one question, of a quiz that gives feedback after each. The first
 * answer is the one that counts: any later one gets the feedback to the first. For `practice`, a question of the attempt
 * that was handed in last is marked once more, and nothing is kept.
 */
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
  /** 0 to 100; null until it is graded. */
  grade: z.number().nullable(),
  /** Markdown; of what was handed in before, while `gradedAt` is null. */
  feedback: z.string(),
  feedbackHtml: z.string(),
  /** What was given for each criterion, where the grade was made of a rubric. */
  marks: z.array(z.object({ name: z.string(), points: z.number(), of: z.number() })).nullable(),
  gradedAt: z.string().nullable(),
  /** Whether it may be handed in once more although it is graded. */
  again: z.boolean(),
});
/** What a hand-in answers: with what it led to, where it completes the lesson. */
const handedInModel = assignmentModel.extend({ completion: completeLessonCall.output.nullable() });
export type HandedIn = z.output<typeof handedInModel>;
export type AssignmentModel = z.output<typeof assignmentModel>;

/** `GET /api/lessons/{id}/assignment`: null before the first submission. */
export const getAssignmentCall = contract({
  method: 'GET',
  path: '/api/lessons/{id}/assignment',
  params: lessonInPath,
  output: assignmentModel.nullable(),
});

/** `POST /api/lessons/{id}/assignment`: hands in a text, in place of what was handed in before (decision 37). */
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

/** `POST /api/lessons/{id}/assignment/files`: hands in a file, sent as `file` in a form (decision 37). */
export const submitAssignmentFileCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/assignment/files',
  params: lessonInPath,
  output: handedInModel,
});

/** What an administrator gives a submission: a grade, or the points of each criterion where there is a rubric. */
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

/** `POST /api/admin/files`: keeps a lesson's file, sent as `file` in a form; the answer goes into the lesson. */
export const uploadLessonFileCall = contract({
  method: 'POST',
  path: '/api/admin/files',
  output: z.object({ fileUrl: z.string(), name: z.string(), fileSize: z.number(), mimeType: z.string() }),
});

/** `GET /api/my-learning`: what waits for the caller, for the header of every page. */
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

/** `GET /api/progress` (decision 40): the caller's own, by course. */
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

/** `POST /api/admin/certificates/{number}/revocation`: the reason is kept for administrators and not shown to others. */
export const revokeCertificateCall = contract({
  method: 'POST',
  path: '/api/admin/certificates/{number}/revocation',
  params: certificateInPath,
  input: z.object({ reason: line('Reason', { min: 3, max: 500 }) }),
  output: revocation,
});

/** `DELETE /api/admin/certificates/{number}/revocation`: takes it back. */
export const restoreCertificateCall = contract({
  method: 'DELETE',
  path: '/api/admin/certificates/{number}/revocation',
  params: certificateInPath,
  output: revocation,
});

/** `PUT /api/weekly-goal`: on how many days of a week the caller wants to study. */
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
