import { type SQL, sql } from 'drizzle-orm';
import {
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  numeric,
  pgEnum,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { moment, users } from './account.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** Spec 3 `category`; ids 1 to 5 are fixed by the footer (decision 28). */
export const categories = pgTable('categories', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull().unique(),
  description: text().notNull().default(''),
  icon: text().notNull().default(''),
});

export const courseLevel = pgEnum('course_level', ['beginner', 'intermediate', 'advanced']);

/** Spec 3 `course`. Prices are integer cents here and decimal strings outside (decision 14). */
export const courses = pgTable(
  'courses',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Names the course in files and exports; null for courses made by hand that were never exported. */
    slug: text().unique(),
    title: text().notNull(),
    description: text().notNull(),
    thumbnail: text().notNull().default(''),
    priceCents: integer().notNull(),
    originalPriceCents: integer(),
    duration: text().notNull().default(''),
    level: courseLevel().notNull(),
    rating: numeric({ precision: 3, scale: 2 }).notNull().default('0'),
    reviewCount: integer().notNull().default(0),
    studentsCount: integer().notNull().default(0),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    categoryId: integer()
      .notNull()
      .references(() => categories.id),
    isActive: boolean().notNull().default(true),
    /** Certificates of this course expire after so many months; null for never (decision 39). */
    certificateMonths: smallint(),
    /** Raised by each write of the editor, so that a save can tell that a colleague was faster. */
    version: integer().notNull().default(1),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
    searchText: tsvector().generatedAlwaysAs(
      (): SQL =>
        sql`setweight(to_tsvector('english', ${courses.title}), 'A') || setweight(to_tsvector('english', ${courses.description}), 'C')`,
    ),
  },
  (t) => [
    check('courses_price_range', sql`${t.priceCents} = 0 or ${t.priceCents} between 50 and 99999999`),
    check('courses_original_price_range', sql`${t.originalPriceCents} between 0 and 999999999`),
    check('courses_rating_range', sql`${t.rating} between 0 and 5`),
    check('courses_counts', sql`${t.studentsCount} >= 0 and ${t.reviewCount} >= 0`),
    check('courses_certificate_months', sql`${t.certificateMonths} between 1 and 600`),
    index('courses_popular_idx').on(t.isActive, t.studentsCount.desc(), t.id.desc()),
    index('courses_rating_idx').on(t.isActive, t.rating.desc(), t.id.desc()),
    index('courses_newest_idx').on(t.isActive, t.id.desc()),
    index('courses_price_idx').on(t.isActive, t.priceCents, t.id),
    index('courses_category_idx').on(t.categoryId, t.isActive, t.studentsCount.desc(), t.id.desc()),
    index('courses_level_idx').on(t.level, t.isActive, t.studentsCount.desc(), t.id.desc()),
    index('courses_search_idx').using('gin', t.searchText),
  ],
);

export const lessonType = pgEnum('lesson_type', [
  'video',
  'text',
  'quiz',
  'document',
  'interactive_coding',
  'scenario',
]);

export const codingLanguage = pgEnum('coding_language', ['javascript', 'python', 'html', 'css', 'react']);

/** One authored test of a coding lesson (spec 3, decision 44). */
export type TestCase = {
  input: string;
  expectedOutput: string;
  description?: string;
  hidden?: boolean;
  mode?: 'call' | 'stdin';
};

/** Spec 3 `course content (lesson)`. */
export const lessons = pgTable(
  'lessons',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    section: text().notNull().default(''),
    type: lessonType().notNull(),
    content: text().notNull().default(''),
    fileUrl: text(),
    fileSize: integer(),
    mimeType: text(),
    captionsUrl: text(),
    duration: text().notNull().default(''),
    /** Length of a video in seconds, for the watched share (decision 33). */
    durationSeconds: integer(),
    order: integer().notNull(),
    codingLanguage: codingLanguage(),
    starterCode: text(),
    solution: text(),
    expectedOutput: text(),
    instructions: text(),
    hints: jsonb().$type<string[]>().notNull().default([]),
    testCases: jsonb().$type<TestCase[]>().notNull().default([]),
    difficulty: courseLevel().notNull().default('beginner'),
    isPreview: boolean().notNull().default(false),
    requiredToComplete: boolean().notNull().default(true),
    /** A video with this set counts only when 90 % of it was watched (decision 33). */
    watchRequired: boolean().notNull().default(false),
    /** A text or document lesson that takes a submission (decision 37). */
    acceptsSubmission: boolean().notNull().default(false),
    points: integer().notNull().default(0),
    version: integer().notNull().default(1),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index('lessons_course_order_idx').on(t.courseId, t.order, t.id),
    index('lessons_file_url_idx').on(t.fileUrl).where(sql`${t.fileUrl} is not null`),
    index('lessons_captions_url_idx').on(t.captionsUrl).where(sql`${t.captionsUrl} is not null`),
    check('lessons_order_range', sql`${t.order} between 0 and 100000`),
    check('lessons_points_range', sql`${t.points} between 0 and 10000`),
    check('lessons_file_size', sql`${t.fileSize} >= 0`),
    check('lessons_duration_seconds', sql`${t.durationSeconds} between 0 and 1000000`),
    check(
      'lessons_coding_language',
      sql`${t.type} <> 'interactive_coding' or ${t.codingLanguage} is not null`,
    ),
  ],
);

/** Spec 3 `course review`; one per user and course (decision 38). */
export const courseReviews = pgTable(
  'course_reviews',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    rating: smallint().notNull(),
    review: text().notNull().default(''),
    hiddenAt: moment(),
    hiddenBy: integer().references(() => users.id, { onDelete: 'set null' }),
    hiddenReason: text(),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('course_reviews_user_course_key').on(t.userId, t.courseId),
    index('course_reviews_course_idx').on(t.courseId, t.createdAt),
    check('course_reviews_rating', sql`${t.rating} between 1 and 5`),
  ],
);
