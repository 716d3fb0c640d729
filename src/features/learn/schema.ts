import { z } from 'zod';
import { LEVELS } from '#src/features/catalogue/catalogue.ts';
import { lessonModel } from '#src/features/catalogue/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';

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
    /** When this lesson was done first. */
    completedAt: z.string(),
    /** Percent of the course. */
    progress: z.number(),
    /** Points given by this call; 0 when they had been given before. */
    pointsAwarded: z.number(),
    totalPoints: z.number(),
    skillLevel: z.enum(LEVELS),
    /** When the course was completed first; null until then. */
    courseCompletedAt: z.string().nullable(),
  }),
});
export type LessonCompletion = z.output<typeof completeLessonCall.output>;

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
