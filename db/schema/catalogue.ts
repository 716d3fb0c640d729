import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { byUser, counter, flag, identity, moment, momentNow, ofUser } from './account.ts';
import { oneOf } from './one-of.ts';

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** Ids 1 to 5 are fixed by the footer (decision 28). */
export const categories = pgTable('categories', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull().unique(),
  description: text().notNull().default(''),
  icon: text().notNull().default(''),
});

export const COURSE_LEVELS = ['beginner', 'intermediate', 'advanced'] as const;

export const ofCourse = () =>
  integer()
    .notNull()
    .references(() => courses.id, { onDelete: 'cascade' });
export const ofLesson = () =>
  integer()
    .notNull()
    .references(() => lessons.id, { onDelete: 'cascade' });

/** Cents (decision 14). */
export const courses = pgTable(
  'courses',
  {
    id: identity(),
    slug: text().unique(),
    title: text().notNull(),
    description: text().notNull(),
    thumbnail: text().notNull().default(''),
    priceCents: bigint({ mode: 'number' }).notNull(),
    originalPriceCents: bigint({ mode: 'number' }),
    duration: text().notNull().default(''),
    level: text({ enum: COURSE_LEVELS }).notNull(),
    rating: numeric({ precision: 3, scale: 2 }).notNull().default('0'),
    reviewCount: counter(),
    studentsCount: counter(),
    createdBy: byUser(),
    categoryId: integer()
      .notNull()
      .references(() => categories.id),
    /** Decision 54. */
    isActive: boolean().notNull().default(true),
    activateWhenProven: flag(),
    archivedAt: moment(),
    /** Set by a trigger; later lesson changes wait to be published. */
    publishedAt: moment(),
    /** The unpublished state of this course's lessons. */
    draftOf: integer()
      .unique()
      .references((): AnyPgColumn => courses.id, { onDelete: 'cascade' }),
    builderDraft: uuid().unique(),
    /** SHA-256 of what the builder sent. */
    builderDigest: text(),
    /** Null for never (decision 39). */
    certificateMonths: smallint(),
    outcomes: text().notNull().default(''),
    audience: text().notNull().default(''),
    emptySections: jsonb().$type<{ title: string; before: number | null }[]>().notNull().default([]),
    version: integer().notNull().default(1),
    createdAt: momentNow(),
    updatedAt: momentNow(),
    searchText: tsvector().notNull().default(sql`''`),
  },
  (t) => [
    check('courses_price_range', sql`${t.priceCents} = 0 or ${t.priceCents} between 50 and 9999999999`),
    check('courses_original_price_range', sql`${t.originalPriceCents} between 0 and 9999999999`),
    check('courses_waits_or_is_active', sql`not (${t.isActive} and ${t.activateWhenProven})`),
    check(
      'courses_archived_is_hidden',
      sql`${t.archivedAt} is null or not (${t.isActive} or ${t.activateWhenProven})`,
    ),
    check('courses_draft_is_archived', sql`${t.draftOf} is null or ${t.archivedAt} is not null`),
    check('courses_rating_range', sql`${t.rating} between 0 and 5`),
    check('courses_counts', sql`${t.studentsCount} >= 0 and ${t.reviewCount} >= 0`),
    check('courses_certificate_months', sql`${t.certificateMonths} between 1 and 600`),
    // Category and level last: far pages need the index alone.
    index('courses_popular_idx')
      .on(t.studentsCount.desc().nullsFirst(), t.id.desc().nullsFirst(), t.categoryId, t.level)
      .where(sql`${t.isActive}`),
    index('courses_rating_idx')
      .on(
        t.rating.desc().nullsFirst(),
        t.reviewCount.desc().nullsFirst(),
        t.id.desc().nullsFirst(),
        t.categoryId,
        t.level,
      )
      .where(sql`${t.isActive}`),
    index('courses_newest_idx').on(t.id.desc().nullsFirst(), t.categoryId, t.level).where(sql`${t.isActive}`),
    index('courses_price_idx').on(t.priceCents, t.id, t.categoryId, t.level).where(sql`${t.isActive}`),
    index('courses_category_idx')
      .on(t.categoryId, t.studentsCount.desc().nullsFirst(), t.id.desc().nullsFirst(), t.level)
      .where(sql`${t.isActive}`),
    index('courses_search_idx').using('gin', t.searchText),
    oneOf('courses_level_value', t.level),
  ],
);

/** Decision 128. */
export const courseStaff = pgTable(
  'course_staff',
  {
    courseId: ofCourse(),
    userId: ofUser(),
    role: text({ enum: ['author', 'grader'] }).notNull(),
    addedBy: byUser(),
    createdAt: momentNow(),
  },
  // Each signed-in request asks by person.
  (t) => [
    primaryKey({ columns: [t.userId, t.courseId] }),
    index('course_staff_course_idx').on(t.courseId),
    index('course_staff_added_by_idx').on(t.addedBy),
    oneOf('course_staff_role_value', t.role),
  ],
);

export const courseCounts = pgTable(
  'course_counts',
  {
    categoryId: integer()
      .notNull()
      .references(() => categories.id, { onDelete: 'cascade' }),
    level: text({ enum: COURSE_LEVELS }).notNull(),
    courses: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.categoryId, t.level] }),
    check('course_counts_range', sql`${t.courses} >= 0`),
    oneOf('course_counts_level_value', t.level),
  ],
);

/** Grows, at commit, with every change of a list of courses. */
export const catalogueVersion = pgTable('catalogue_version', {
  id: smallint().primaryKey().default(1),
  version: bigint({ mode: 'number' }).notNull().default(1),
});

const wordInByteOrder = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

export const searchWords = pgTable(
  'search_words',
  { word: wordInByteOrder().primaryKey(), stem: wordInByteOrder().notNull().default('') },
  (t) => [index('search_words_stem_idx').on(t.stem)],
);

export const searchSynonyms = pgTable('search_synonyms', {
  id: identity(),
  typed: text().notNull().unique(),
  means: text().notNull(),
  createdByName: text().notNull(),
  createdAt: momentNow(),
});

/** By UTC day, without any person. */
export const missedSearches = pgTable(
  'missed_searches',
  {
    day: date({ mode: 'string' }).notNull(),
    typed: text().notNull(),
    searches: integer().notNull().default(1),
    closest: counter(),
  },
  (t) => [primaryKey({ columns: [t.day, t.typed] }), check('missed_searches_counts', sql`${t.searches} > 0`)],
);

export const CODING_LANGUAGES = [
  'javascript',
  'python',
  'html',
  'css',
  'react',
  'typescript',
  'sql',
] as const;

/** Spec 3, decision 44. */
export type TestCase = {
  input: string;
  expectedOutput: string;
  description?: string;
  expectsEmpty?: boolean;
  hidden?: boolean;
  mode?: 'call' | 'stdin';
  /** Decision 65. */
  strict?: boolean;
};

/** Without defaults (decision 70). */
export type QuizSettings = {
  passPercent?: number;
  attempts?: number;
  waitMinutes?: number;
  shuffleQuestions?: boolean;
  feedback?: 'each';
  shuffleOptions?: boolean;
  draw?: { tag: string; count: number; from?: 'course' }[];
};

/** Processor time. */
export type CodeLimits = { seconds?: number; memoryMb?: number };

export type ExpectedMistake = {
  say: string;
  code?: string | undefined;
  lacks?: string | undefined;
  result?: string | undefined;
  program: string;
};

/** `language` is a BCP 47 tag. */
export type MoreCaptions = { language: string; url: string };

export type AssignmentSettings = {
  rubric?: { name: string; description?: string; points: number }[];
  /** Calendar days after the start; or YYYY-MM-DD. */
  dueDays?: number;
  dueDay?: string;
  dueNote?: string;
  /** Absent: handing in completes it (decision 59). */
  completeFrom?: number;
};

export type LessonOpening = {
  afterDays?: number | undefined;
  /** YYYY-MM-DD. */
  on?: string | undefined;
  afterEarlier?: boolean | undefined;
  after?: number[] | undefined;
};

export const lessons = pgTable(
  'lessons',
  {
    id: identity(),
    courseId: ofCourse(),
    title: text().notNull(),
    section: text().notNull().default(''),
    type: text({
      enum: ['video', 'text', 'quiz', 'document', 'interactive_coding', 'scenario', 'assignment'],
    }).notNull(),
    content: text().notNull().default(''),
    fileUrl: text(),
    fileSize: integer(),
    mimeType: text(),
    captionsUrl: text(),
    /** A BCP 47 tag. */
    captionsLanguage: text().notNull().default('en'),
    moreCaptions: jsonb().$type<MoreCaptions[]>().notNull().default([]),
    chapters: text().notNull().default(''),
    duration: text().notNull().default(''),
    /** Of a video (decision 33). */
    durationSeconds: integer(),
    order: integer().notNull(),
    codingLanguage: text({ enum: CODING_LANGUAGES }),
    starterCode: text(),
    solution: text(),
    expectedOutput: text(),
    instructions: text(),
    hints: jsonb().$type<string[]>().notNull().default([]),
    testCases: jsonb().$type<TestCase[]>().notNull().default([]),
    codeLimits: jsonb().$type<CodeLimits>().notNull().default({}),
    expectedMistakes: jsonb().$type<ExpectedMistake[]>().notNull().default([]),
    solutionNotes: text(),
    showsPrograms: flag(),
    /** Set by a trigger: learners of earlier programs had no notice. */
    programsShownSince: moment(),
    quizSettings: jsonb().$type<QuizSettings>().notNull().default({}),
    assignmentSettings: jsonb().$type<AssignmentSettings>().notNull().default({}),
    difficulty: text({ enum: COURSE_LEVELS }).notNull().default('beginner'),
    isPreview: flag(),
    requiredToComplete: boolean().notNull().default(true),
    opening: jsonb().$type<LessonOpening>().notNull().default({}),
    /** 90 % (decision 33). */
    watchRequired: flag(),
    points: counter(),
    version: integer().notNull().default(1),
    /** By triggers, with all that the publish check reads. */
    revision: integer().notNull().default(1),
    /** Proven only while it equals `revision`. */
    provenRevision: integer(),
    changedAt: moment(),
    draftOf: integer().references((): AnyPgColumn => lessons.id, { onDelete: 'cascade' }),
    createdAt: momentNow(),
    updatedAt: momentNow(),
  },
  (t) => [
    uniqueIndex('lessons_draft_of_key').on(t.draftOf).where(sql`${t.draftOf} is not null`),
    index('lessons_unproven_idx')
      .on(t.courseId)
      .where(sql`${t.provenRevision} is distinct from ${t.revision}`),
    index('lessons_course_order_idx').on(t.courseId, t.order, t.id),
    index('lessons_file_url_idx').on(t.fileUrl).where(sql`${t.fileUrl} is not null`),
    index('lessons_captions_url_idx').on(t.captionsUrl).where(sql`${t.captionsUrl} is not null`),
    index('lessons_more_captions_idx').using('gin', t.moreCaptions.op('jsonb_path_ops')),
    check('lessons_order_range', sql`${t.order} between 0 and 100000`),
    check('lessons_points_range', sql`${t.points} between 0 and 10000`),
    check('lessons_file_size', sql`${t.fileSize} >= 0`),
    check('lessons_duration_seconds', sql`${t.durationSeconds} between 0 and 1000000`),
    check(
      'lessons_coding_language',
      sql`${t.type} <> 'interactive_coding' or ${t.codingLanguage} is not null`,
    ),
    oneOf('lessons_type_value', t.type),
    oneOf('lessons_coding_language_value', t.codingLanguage),
    oneOf('lessons_difficulty_value', t.difficulty),
  ],
);

export type Cue = { /** In seconds. */ start: number; text: string };

export const lessonTexts = pgTable(
  'lesson_texts',
  {
    lessonId: ofLesson(),
    kind: text().$type<'text' | 'questions' | 'captions'>().notNull(),
    /** With `@` and the course's number, so that a search reads only allowed courses. */
    words: tsvector().notNull(),
    captionsUrl: text(),
    cues: jsonb().$type<Cue[]>().notNull().default([]),
  },
  (t) => [
    primaryKey({ columns: [t.lessonId, t.kind] }),
    index('lesson_texts_words_idx').using('gin', t.words),
    check('lesson_texts_kind', sql`${t.kind} in ('text', 'questions', 'captions')`),
  ],
);

export const lessonVersions = pgTable(
  'lesson_versions',
  {
    lessonId: ofLesson(),
    version: integer().notNull(),
    written: jsonb().$type<Record<string, unknown>>().notNull(),
    replacedAt: momentNow(),
    replacedBy: byUser(),
  },
  (t) => [
    primaryKey({ columns: [t.lessonId, t.version] }),
    index('lesson_versions_replaced_by_idx').on(t.replacedBy),
  ],
);

export const pictures = pgTable(
  'pictures',
  {
    id: identity(),
    courseId: ofCourse(),
    path: text().notNull().unique(),
    name: text().notNull(),
    alt: text().notNull().default(''),
    /** Of the uploaded file: equal files are one picture. */
    sourceSha256: text().notNull(),
    createdAt: momentNow(),
  },
  (t) => [uniqueIndex('pictures_course_source_key').on(t.courseId, t.sourceSha256)],
);

export type VideoSize = { path: string; height: number };

export const videos = pgTable(
  'videos',
  {
    id: text().primaryKey(),
    courseId: ofCourse(),
    createdBy: byUser(),
    name: text().notNull(),
    size: integer().notNull(),
    status: text({ enum: ['arriving', 'checking', 'converting', 'ready', 'failed'] })
      .notNull()
      .default('arriving'),
    percent: smallint().notNull().default(0),
    message: text().notNull().default(''),
    path: text().unique(),
    isPlayable: flag(),
    posterPath: text(),
    sizes: jsonb().$type<VideoSize[]>().notNull().default([]),
    /** Seconds. */
    duration: integer(),
    height: integer(),
    worker: uuid(),
    movedAt: momentNow(),
    createdAt: momentNow(),
  },
  (t) => [
    index('videos_course_idx').on(t.courseId, t.createdAt),
    index('videos_moving_idx')
      .on(t.movedAt)
      .where(sql`${t.status} in ('arriving', 'checking', 'converting')`),
    check('videos_size', sql`${t.size} > 0`),
    check('videos_percent', sql`${t.percent} between 0 and 100`),
    oneOf('videos_status_value', t.status),
  ],
);

/** Decision 38. */
export const courseRatings = pgTable(
  'course_reviews',
  {
    id: identity(),
    userId: ofUser(),
    courseId: ofCourse(),
    rating: smallint().notNull(),
    review: text().notNull().default(''),
    hiddenAt: moment(),
    hiddenBy: byUser(),
    hiddenReason: text(),
    answerMailedAt: moment(),
    createdAt: momentNow(),
    updatedAt: momentNow(),
  },
  (t) => [
    uniqueIndex('course_reviews_user_course_key').on(t.userId, t.courseId),
    index('course_reviews_course_idx').on(t.courseId, t.createdAt, t.id),
    index('course_reviews_shown_idx').on(t.courseId, t.rating).where(sql`${t.hiddenAt} is null`),
    index('course_reviews_newest_idx').on(t.createdAt, t.id),
    check('course_reviews_rating', sql`${t.rating} between 1 and 5`),
  ],
);

export const courseRatingAnswers = pgTable(
  'course_review_answers',
  {
    reviewId: integer()
      .primaryKey()
      .references(() => courseRatings.id, { onDelete: 'cascade' }),
    courseId: ofCourse(),
    writtenBy: byUser(),
    body: text().notNull(),
    hiddenAt: moment(),
    hiddenBy: byUser(),
    hiddenReason: text(),
    createdAt: momentNow(),
    updatedAt: momentNow(),
  },
  (t) => [
    index('course_review_answers_written_by_idx').on(t.writtenBy),
    index('course_review_answers_course_idx').on(t.courseId),
    check('course_review_answers_length', sql`length(${t.body}) between 1 and 2000`),
  ],
);

export const courseDays = pgTable(
  'course_days',
  {
    courseId: ofCourse(),
    day: date({ mode: 'string' }).notNull(),
    views: counter(),
    carts: counter(),
  },
  (t) => [
    primaryKey({ columns: [t.courseId, t.day] }),
    index('course_days_day_idx').on(t.day),
    check('course_days_counts', sql`${t.views} >= 0 and ${t.carts} >= 0`),
  ],
);

export type PublishWish = {
  seen: string;
  newVersions: number[];
  /** Answers are marked again also where that is worse for the learner. */
  bothWays?: boolean | undefined;
};
type PublishOutcome = 'published' | 'faulty' | 'changed';

export const publishRuns = pgTable(
  'publish_runs',
  {
    id: identity(),
    courseId: ofCourse(),
    status: text({ enum: ['running', 'finished', 'abandoned'] })
      .notNull()
      .default('running'),
    startedBy: byUser(),
    startedByName: text().notNull(),
    startedAt: momentNow(),
    movedAt: momentNow(),
    finishedAt: moment(),
    isTold: flag(),
    publishes: jsonb().$type<PublishWish>(),
    outcome: text().$type<PublishOutcome>(),
    findings: jsonb().$type<PublishFinding[]>().notNull().default([]),
  },
  (t) => [
    index('publish_runs_course_idx').on(t.courseId, t.id.desc()),
    uniqueIndex('publish_runs_one_running').on(t.courseId).where(sql`${t.status} = 'running'`),
    oneOf('publish_runs_status_value', t.status),
  ],
);

export type PublishFinding = {
  key: string;
  severity: 'error' | 'warning';
  field: string;
  message: string;
  mutation?: { line: number; original: string; mutated: string };
};

export type CheckFacts = {
  runs?: number;
  mutations?: number;
  caught?: number;
  links?: number;
  states?: number;
};

export const publishChecks = pgTable(
  'publish_checks',
  {
    runId: integer()
      .notNull()
      .references(() => publishRuns.id, { onDelete: 'cascade' }),
    lessonId: ofLesson(),
    status: text({ enum: ['waiting', 'running', 'done'] })
      .notNull()
      .default('waiting'),
    revision: integer().notNull(),
    findings: jsonb().$type<PublishFinding[]>().notNull().default([]),
    facts: jsonb().$type<CheckFacts>().notNull().default({}),
    startedAt: moment(),
    finishedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.lessonId] }),
    index('publish_checks_lesson_idx').on(t.lessonId),
    oneOf('publish_checks_status_value', t.status),
  ],
);

export const linkChecks = pgTable('link_checks', {
  lessonId: integer()
    .primaryKey()
    .references(() => lessons.id, { onDelete: 'cascade' }),
  triedAt: momentNow(),
});

export const failingLinks = pgTable(
  'failing_links',
  {
    lessonId: ofLesson(),
    findingKey: text().notNull(),
    field: text().notNull(),
    message: text().notNull(),
    failedOn: date({ mode: 'string' }).notNull(),
    deadAt: moment(),
    mailedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.lessonId, t.findingKey] }),
    index('failing_links_unmailed_idx')
      .on(t.lessonId)
      .where(sql`${t.deadAt} is not null and ${t.mailedAt} is null`),
  ],
);

export const findingOverrides = pgTable(
  'publish_overrides',
  {
    id: identity(),
    lessonId: ofLesson(),
    revision: integer().notNull(),
    findingKey: text().notNull(),
    message: text().notNull(),
    reason: text().notNull(),
    userId: byUser(),
    userName: text().notNull(),
    createdAt: momentNow(),
    withdrawnAt: moment(),
  },
  (t) => [
    index('publish_overrides_lesson_idx').on(t.lessonId, t.id),
    uniqueIndex('publish_overrides_one_each')
      .on(t.lessonId, t.revision, t.findingKey)
      .where(sql`${t.withdrawnAt} is null`),
  ],
);
