import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath, rawText, text } from '#src/shared/fields.ts';
import { API_PAGE_SIZE_MAX, LEVELS, parseLevel, parseSort } from './catalogue.ts';
import { LESSON_TYPES } from '#src/features/lessons/registry.ts';
import type { Chapter } from '#src/features/lessons/types/video/chapters.ts';
import {
  answersInput,
  markedAnswer,
  type ShownQuestion,
} from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { cleanSearch, parseCount } from '#src/shared/list-query.ts';
import { ANSWER_MAX, HIDE_REASON_MAX, RATING_TEXT_MAX } from './ratings/ratings.ts';

const categoryModel = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  icon: z.string(),
});

const testCaseModel = z.object({
  /** Absent for hidden tests (decision 44). */
  input: z.string().optional(),
  expectedOutput: z.string().optional(),
  description: z.string().optional(),
  hidden: z.boolean().optional(),
  mode: z.enum(['call', 'stdin']).optional(),
});

/** Spec 3; from `content` on only for entitled readers (decision 32), never with answers (fault I2). */
export const lessonModel = z.object({
  id: z.number(),
  courseId: z.number(),
  title: z.string(),
  section: z.string(),
  type: z.enum(LESSON_TYPES),
  duration: z.string(),
  order: z.number(),
  difficulty: z.enum(LEVELS),
  isPreview: z.boolean(),
  requiredToComplete: z.boolean(),
  points: z.number(),
  content: z.string().optional(),
  fileUrl: z.string().nullable().optional(),
  fileSize: z.number().nullable().optional(),
  mimeType: z.string().nullable().optional(),
  captionsUrl: z.string().nullable().optional(),
  captionsLanguage: z.string().optional(),
  moreCaptions: z.array(z.object({ language: z.string(), url: z.string() })).optional(),
  codingLanguage: z.string().nullable().optional(),
  starterCode: z.string().nullable().optional(),
  expectedOutput: z.string().nullable().optional(),
  instructions: z.string().nullable().optional(),
  hints: z.array(z.string()).optional(),
  testCases: z.array(testCaseModel).optional(),
});
export type LessonModel = z.output<typeof lessonModel>;

export type LessonPreview = Pick<
  LessonModel,
  | ('id' | 'title' | 'type' | 'content' | 'fileUrl' | 'fileSize' | 'mimeType' | 'instructions')
  | ('captionsUrl' | 'captionsLanguage' | 'moreCaptions')
> & {
  questions: ShownQuestion[];
  chapters: Chapter[];
  scenarioId: number | null;
};

const unprovenReason = z.object({
  code: z.enum(['no_lessons', 'not_checked', 'finding']),
  message: z.string(),
  lessonId: z.number().optional(),
});
export type Unproven = z.output<typeof unprovenReason>;

/** For administrators; absent where all is proven. */
export const standing = { unproven: z.array(unprovenReason).optional() };

/** Spec 3: decimal prices, lessons in `content`. */
export const courseModel = z.object({
  id: z.number(),
  title: z.string(),
  description: z.string(),
  thumbnail: z.string(),
  price: z.string(),
  originalPrice: z.string().nullable(),
  duration: z.string(),
  level: z.enum(LEVELS),
  rating: z.number(),
  studentsCount: z.number(),
  createdBy: z.number().nullable(),
  categoryId: z.number(),
  isActive: z.boolean(),
  ...standing,
  createdAt: z.string(),
  category: z.object({ id: z.number(), name: z.string() }),
  createdByUser: z.object({ username: z.string() }).nullable(),
  content: z.array(lessonModel),
});
export type CourseModel = z.output<typeof courseModel>;

export const listCategories = contract({
  method: 'GET',
  path: '/api/categories',
  output: z.array(categoryModel),
});

const choice = <T>(parse: (value: string | undefined) => T) =>
  rawText('The parameter', { max: Number.POSITIVE_INFINITY }).optional().transform(parse);

/**
 * Decision 43: unknown filters count as absent, long searches are cut; only unstorable characters are refused (fault
 * N2).
 */
export const listCoursesCall = contract({
  method: 'GET',
  path: '/api/courses',
  query: z.object({
    search: rawText('Search', { max: Number.POSITIVE_INFINITY }).default('').transform(cleanSearch),
    category: choice((value) => parseCount(value)),
    level: choice(parseLevel),
    sort: choice(parseSort),
    page: choice(parseCount),
    pageSize: choice((value) => {
      const size = parseCount(value);
      return size && Math.min(size, API_PAGE_SIZE_MAX);
    }),
    includeHidden: choice((value) => value === 'true'),
  }),
  output: z.array(courseModel),
});

export const getCourseCall = contract({
  method: 'GET',
  path: '/api/courses/{id}',
  params: z.object({ id: idInPath('Course id') }),
  output: courseModel,
});

export const countViewCall = contract({
  method: 'POST',
  path: '/api/courses/{id}/view',
  params: z.object({ id: idInPath('Course id') }),
  output: z.undefined(),
});

export const suggestCall = contract({
  method: 'GET',
  path: '/api/suggestions',
  query: z.object({
    search: rawText('Search', { max: Number.POSITIVE_INFINITY }).default('').transform(cleanSearch),
  }),
  output: z.object({
    courses: z.array(z.object({ id: z.number(), title: z.string() })),
    categories: z.array(z.object({ id: z.number(), name: z.string(), courses: z.number() })),
  }),
});

const courseInPath = z.object({ id: idInPath('Course id') });

const ratingModel = z.object({
  id: z.number(),
  rating: z.number(),
  review: z.string(),
  username: z.string(),
  createdAt: z.string(),
  isEdited: z.boolean(),
  answer: z
    .object({
      body: z.string(),
      name: z.string().nullable(),
      createdAt: z.string(),
      isEdited: z.boolean(),
      hiddenReason: z.string().nullable(),
    })
    .nullable(),
});

export const listRatingsCall = contract({
  method: 'GET',
  path: '/api/courses/{id}/reviews',
  params: courseInPath,
  query: z.object({ page: choice((value) => parseCount(value) ?? 1) }),
  output: z.object({
    summary: z.object({
      rating: z.number(),
      count: z.number(),
      distribution: z.array(z.object({ stars: z.number(), count: z.number() })),
    }),
    reviews: z.array(ratingModel),
  }),
});

const stars = 'Choose one to five stars';

/** Decision 38. */
export const saveRatingCall = contract({
  method: 'PUT',
  path: '/api/courses/{id}/review',
  params: courseInPath,
  input: z.object({
    rating: z.number({ error: stars }).int(stars).min(1, stars).max(5, stars),
    review: text('Review', { min: 0, max: RATING_TEXT_MAX }).default(''),
  }),
  output: ratingModel.extend({ hiddenReason: z.string().nullable() }),
});

export const deleteRatingCall = contract({
  method: 'DELETE',
  path: '/api/courses/{id}/review',
  params: courseInPath,
  output: z.undefined(),
});

export const tryQuizCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/quiz-preview',
  params: z.object({ id: idInPath('Lesson id') }),
  input: z.object({
    answers: answersInput,
  }),
  output: z.object({
    right: z.number(),
    answers: z.array(markedAnswer.partial({ chosen: true })),
  }),
});

const ratingInPath = z.object({ id: idInPath('Review id') });

export const hideRatingCall = contract({
  method: 'POST',
  path: '/api/admin/reviews/{id}/hide',
  params: ratingInPath,
  input: z.object({ reason: text('Reason', { max: HIDE_REASON_MAX }) }),
  output: z.undefined(),
});

export const showRatingCall = contract({
  method: 'POST',
  path: '/api/admin/reviews/{id}/show',
  params: ratingInPath,
  output: z.undefined(),
});

export const answerRatingCall = contract({
  method: 'PUT',
  path: '/api/course-reviews/{id}/answer',
  params: ratingInPath,
  input: z.object({ body: text('Answer', { max: ANSWER_MAX }) }),
  output: z.undefined(),
});

export const removeAnswerCall = contract({
  method: 'DELETE',
  path: '/api/course-reviews/{id}/answer',
  params: ratingInPath,
  output: z.undefined(),
});

export const hideAnswerCall = contract({
  method: 'POST',
  path: '/api/admin/reviews/{id}/answer/hide',
  params: ratingInPath,
  input: z.object({ reason: text('Reason', { max: HIDE_REASON_MAX }) }),
  output: z.undefined(),
});

export const showAnswerCall = contract({
  method: 'POST',
  path: '/api/admin/reviews/{id}/answer/show',
  params: ratingInPath,
  output: z.undefined(),
});
