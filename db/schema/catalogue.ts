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
import { moment, users } from './account.ts';
import { oneOf } from './one-of.ts';

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** Spec 3 `category`; ids 1 to 5 are fixed by the footer (decision 28). */
export const categories = pgTable('categories', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull().unique(),
  description: text().notNull().default(''),
  icon: text().notNull().default(''),
});

export const COURSE_LEVELS = ['beginner', 'intermediate', 'advanced'] as const;

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
    level: text({ enum: COURSE_LEVELS }).notNull(),
    rating: numeric({ precision: 3, scale: 2 }).notNull().default('0'),
    reviewCount: integer().notNull().default(0),
    studentsCount: integer().notNull().default(0),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    categoryId: integer()
      .notNull()
      .references(() => categories.id),
    /** Whether the store has it; nothing else decides that (decision 54). */
    isActive: boolean().notNull().default(true),
    /** It is off the store until each of its lessons is proven, and is switched on by the check that proves the last. */
    activateWhenProven: boolean().notNull().default(false),
    /** When it was put out of the lists of those who run the site; it is off the store then. */
    archivedAt: moment(),
    /** When the store first had it, which a trigger notes: from then on changes of its lessons wait to be published. */
    publishedAt: moment(),
    /** It is no course of its own: it holds the lessons of this course as they will be once their changes are published. */
    draftOf: integer()
      .unique()
      .references((): AnyPgColumn => courses.id, { onDelete: 'cascade' }),
    /** The draft of the builder that this course was made of, so that a repeated request makes no second course. */
    builderDraft: uuid().unique(),
    /** SHA-256 of what the builder sent. */
    builderDigest: text(),
    /** Certificates of this course expire after so many months; null for never (decision 39). */
    certificateMonths: smallint(),
    /** What one can do afterwards, an outcome a line. */
    outcomes: text().notNull().default(''),
    /** Who it is for. */
    audience: text().notNull().default(''),
    /** Sections of its content page that have no lesson yet; learners see none of them. */
    emptySections: jsonb().$type<{ title: string; before: number | null }[]>().notNull().default([]),
    /** Raised by each write of the editor, so that a save can tell that a colleague was faster. */
    version: integer().notNull().default(1),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
    /** What the search reads of a course and its lessons; triggers write it whenever one of its parts changes. */
    searchText: tsvector().notNull().default(sql`''`),
  },
  (t) => [
    check('courses_price_range', sql`${t.priceCents} = 0 or ${t.priceCents} between 50 and 99999999`),
    check('courses_original_price_range', sql`${t.originalPriceCents} between 0 and 999999999`),
    check('courses_waits_or_is_active', sql`not (${t.isActive} and ${t.activateWhenProven})`),
    check(
      'courses_archived_is_hidden',
      sql`${t.archivedAt} is null or not (${t.isActive} or ${t.activateWhenProven})`,
    ),
    check('courses_draft_is_archived', sql`${t.draftOf} is null or ${t.archivedAt} is not null`),
    check('courses_rating_range', sql`${t.rating} between 0 and 5`),
    check('courses_counts', sql`${t.studentsCount} >= 0 and ${t.reviewCount} >= 0`),
    check('courses_certificate_months', sql`${t.certificateMonths} between 1 and 600`),
    // One for each order of the catalogue. Category and level stand at the end so that a page far down the list is found
    // in the index alone; "nulls first" is what a plain `desc` in a query means.
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

/** Who works on a course beside the administrators, and as what (decision 128). */
export const courseStaff = pgTable(
  'course_staff',
  {
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text({ enum: ['author', 'grader'] }).notNull(),
    addedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment().notNull().defaultNow(),
  },
  // By person first: each request of somebody signed in asks for theirs.
  (t) => [
    primaryKey({ columns: [t.userId, t.courseId] }),
    index('course_staff_course_idx').on(t.courseId),
    index('course_staff_added_by_idx').on(t.addedBy),
    oneOf('course_staff_role_value', t.role),
  ],
);

/**
 * How many active courses there are of a category and level, kept by triggers: totals and the counts beside the
 * filters cost the same with ten courses and with a million.
 */
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

/**
 * One row whose number grows, at commit, with every change that can alter which courses a list holds. What was worked
 * out under a number is good for as long as the number stands.
 */
export const catalogueVersion = pgTable('catalogue_version', {
  id: smallint().primaryKey().default(1),
  version: bigint({ mode: 'number' }).notNull().default(1),
});

const wordInByteOrder = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

/** The words that courses use, with their stems, among which a mistyped word's neighbours are looked for; kept by triggers. */
export const searchWords = pgTable(
  'search_words',
  { word: wordInByteOrder().primaryKey(), stem: wordInByteOrder().notNull().default('') },
  (t) => [index('search_words_stem_idx').on(t.stem)],
);

/** What administrators let a text of a search mean, beside `src/content/search-words.yaml`. */
export const searchSynonyms = pgTable('search_synonyms', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** In search form: small letters, no accents, one space between words. */
  typed: text().notNull().unique(),
  means: text().notNull(),
  createdByName: text().notNull(),
  createdAt: moment().notNull().defaultNow(),
});

/** Texts that were searched and not found on a day, in UTC, and how often: numbers without anybody's name or address. */
export const missedSearches = pgTable(
  'missed_searches',
  {
    day: date({ mode: 'string' }).notNull(),
    /** In search form. */
    typed: text().notNull(),
    searches: integer().notNull().default(1),
    /** Courses that were shown as the closest; 0 for nothing. */
    closest: integer().notNull().default(0),
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

/** One authored test of a coding lesson (spec 3, decision 44). */
export type TestCase = {
  input: string;
  expectedOutput: string;
  description?: string;
  /** `expectedOutput` is blank because nothing is what is asked for, and was not forgotten. */
  expectsEmpty?: boolean;
  hidden?: boolean;
  mode?: 'call' | 'stdin';
  /** What is returned is compared with its type, and printed text does not stand in for it (decision 65). */
  strict?: boolean;
};

/** How a quiz is asked, where it is not as usual (decision 70). */
export type QuizSettings = {
  passPercent?: number;
  attempts?: number;
  waitMinutes?: number;
  shuffleQuestions?: boolean;
  feedback?: 'each';
  shuffleOptions?: boolean;
  draw?: { tag: string; count: number; from?: 'course' }[];
};

/** What a test of a coding lesson's program may use, where its author says so: seconds of processor time, MB of memory. */
export type CodeLimits = { seconds?: number; memoryMb?: number };

/**
 * A mistake that the author of a coding lesson expects: a program that has `code` in it, or whose outcome is `result`, or
 * both where both are said, is answered with `say` before anything general. `program` makes the mistake, for the publish check.
 */
export type ExpectedMistake = {
  say: string;
  code?: string | undefined;
  result?: string | undefined;
  program: string;
};

/** Captions of a video beside its first ones; `language` is a BCP 47 tag. */
export type MoreCaptions = { language: string; url: string };

/** How an assignment is handed in and graded, where its author says more than its text does. */
export type AssignmentSettings = {
  /** What a grade is made of. */
  rubric?: { name: string; description?: string; points: number }[];
  /** When it is wanted, in the author's words. */
  dueNote?: string;
  /** The least grade that completes the lesson; handing in completes it where this is left out (decision 59). */
  completeFrom?: number;
};

/** When a lesson opens for those who are enrolled; see `openingInput`. */
export type LessonOpening = {
  afterDays?: number | undefined;
  /** YYYY-MM-DD. */
  on?: string | undefined;
  afterEarlier?: boolean | undefined;
  /** Ids of lessons as authors know them. */
  after?: number[] | undefined;
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
    /** Captions in other languages. */
    moreCaptions: jsonb().$type<MoreCaptions[]>().notNull().default([]),
    /** Of a video: lines such as `0:00 Title`. */
    chapters: text().notNull().default(''),
    duration: text().notNull().default(''),
    /** Length of a video in seconds, for the watched share (decision 33). */
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
    /** Markdown beside the solution, for learners who have passed. */
    solutionNotes: text(),
    /** Learners who have passed see the programs of others, without names. */
    showsPrograms: boolean().notNull().default(false),
    /** Since when, kept by a trigger: of what was handed in before, nobody was told that it would be seen. */
    programsShownSince: moment(),
    /** How a quiz is asked; what is left out is as usual. */
    quizSettings: jsonb().$type<QuizSettings>().notNull().default({}),
    assignmentSettings: jsonb().$type<AssignmentSettings>().notNull().default({}),
    difficulty: text({ enum: COURSE_LEVELS }).notNull().default('beginner'),
    isPreview: boolean().notNull().default(false),
    requiredToComplete: boolean().notNull().default(true),
    /** When it opens for those who are enrolled; at once where nothing is said. */
    opening: jsonb().$type<LessonOpening>().notNull().default({}),
    /** A video with this set counts only when 90 % of it was watched (decision 33). */
    watchRequired: boolean().notNull().default(false),
    points: integer().notNull().default(0),
    version: integer().notNull().default(1),
    /** Raised by triggers whenever something changes that the publish check looks at, in whatever table it lies. */
    revision: integer().notNull().default(1),
    /** The revision that was proven to work; a lesson whose `revision` is another one is not proven. */
    provenRevision: integer(),
    /** When its author last called a change a new version: whoever had completed it before is told. */
    changedAt: moment(),
    /** It is the lesson of this id as it will be once its changes are published; null for one that learners have, or a new one. */
    draftOf: integer().references((): AnyPgColumn => lessons.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
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

/** A line of a video's captions. */
export type Cue = { /** In seconds. */ start: number; text: string };

/**
 * What the search of learners reads of a lesson: its title and text, the questions of its quiz, the captions of its video.
 * Triggers write the first two, and take away captions that another file has replaced; a job reads the files.
 */
export const lessonTexts = pgTable(
  'lesson_texts',
  {
    lessonId: integer()
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    kind: text().$type<'text' | 'questions' | 'captions'>().notNull(),
    /** With `@` and the number of the course, so that a search among many courses reads only those it may. */
    words: tsvector().notNull(),
    /** Of captions: the file that they were read from, and its lines. */
    captionsUrl: text(),
    cues: jsonb().$type<Cue[]>().notNull().default([]),
  },
  (t) => [
    primaryKey({ columns: [t.lessonId, t.kind] }),
    index('lesson_texts_words_idx').using('gin', t.words),
    check('lesson_texts_kind', sql`${t.kind} in ('text', 'questions', 'captions')`),
  ],
);

/** A lesson as it was before a change, for its author to compare and to bring back (decision 80). */
export const lessonVersions = pgTable(
  'lesson_versions',
  {
    lessonId: integer()
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    /** Its columns, questions and scenario. */
    written: jsonb().$type<Record<string, unknown>>().notNull(),
    replacedAt: moment().notNull().defaultNow(),
    replacedBy: integer().references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    primaryKey({ columns: [t.lessonId, t.version] }),
    index('lesson_versions_replaced_by_idx').on(t.replacedBy),
  ],
);

/** A picture in the library of a course, for the texts of its lessons. Its sizes follow from its path. */
export const pictures = pgTable(
  'pictures',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    /** Of its largest size among the stored files; holds width and height. */
    path: text().notNull().unique(),
    /** As its author named the file. */
    name: text().notNull(),
    /** What it shows, for those who cannot see it; empty while nobody has written it. */
    alt: text().notNull().default(''),
    /** Of the file as it was uploaded: the same file twice is one picture. */
    sourceSha256: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('pictures_course_source_key').on(t.courseId, t.sourceSha256)],
);

/** One size of a video, converted for browsers. */
export type VideoSize = { path: string; height: number };

/** A video that an author uploads for the lessons of a course, from its first byte on. */
export const videos = pgTable(
  'videos',
  {
    /** As the upload protocol names it. */
    id: text().primaryKey(),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    /** As its author named the file. */
    name: text().notNull(),
    /** Bytes. */
    size: integer().notNull(),
    status: text({ enum: ['arriving', 'checking', 'converting', 'ready', 'failed'] })
      .notNull()
      .default('arriving'),
    /** How much of it is converted. */
    percent: smallint().notNull().default(0),
    /** For its author: why it failed, or what could not be done with it; empty where all went well. */
    message: text().notNull().default(''),
    /** Under which lessons name it; null until it is checked. */
    path: text().unique(),
    /** Browsers play it as it was uploaded. */
    isPlayable: boolean().notNull().default(false),
    posterPath: text(),
    sizes: jsonb().$type<VideoSize[]>().notNull().default([]),
    /** Seconds, where they are known. */
    duration: integer(),
    height: integer(),
    /** The run that works on it; another one takes it over where nothing has moved for long. */
    worker: uuid(),
    /** When a part of it last arrived, or was last worked on. */
    movedAt: moment().notNull().defaultNow(),
    createdAt: moment().notNull().defaultNow(),
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

/** Spec 3 `course review`; one per user and course (decision 38). */
export const courseRatings = pgTable(
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
    /** When its author was mailed that it has an answer, which happens once. */
    answerMailedAt: moment(),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('course_reviews_user_course_key').on(t.userId, t.courseId),
    index('course_reviews_course_idx').on(t.courseId, t.createdAt, t.id),
    index('course_reviews_shown_idx').on(t.courseId, t.rating).where(sql`${t.hiddenAt} is null`),
    index('course_reviews_newest_idx').on(t.createdAt, t.id),
    check('course_reviews_rating', sql`${t.rating} between 1 and 5`),
  ],
);

/** What the team of a course answers to a rating, below it; one for a rating. */
export const courseRatingAnswers = pgTable(
  'course_review_answers',
  {
    reviewId: integer()
      .primaryKey()
      .references(() => courseRatings.id, { onDelete: 'cascade' }),
    /** The rating's, for the triggers that tell which pages change. */
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    /** Null where the account is gone. */
    writtenBy: integer().references(() => users.id, { onDelete: 'set null' }),
    body: text().notNull(),
    hiddenAt: moment(),
    hiddenBy: integer().references(() => users.id, { onDelete: 'set null' }),
    hiddenReason: text(),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index('course_review_answers_written_by_idx').on(t.writtenBy),
    index('course_review_answers_course_idx').on(t.courseId),
    check('course_review_answers_length', sql`length(${t.body}) between 1 and 2000`),
  ],
);

/**
 * How often a course was looked at and put into carts on a day, in UTC: numbers without anybody's name, for the
 * administrators' funnel.
 */
export const courseDays = pgTable(
  'course_days',
  {
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    day: date({ mode: 'string' }).notNull(),
    views: integer().notNull().default(0),
    carts: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.courseId, t.day] }),
    index('course_days_day_idx').on(t.day),
    check('course_days_counts', sql`${t.views} >= 0 and ${t.carts} >= 0`),
  ],
);

/** The changes of a course that somebody wants published. */
export type PublishWish = {
  /** Of the changes as they were seen: others that came since are not published with them. */
  seen: string;
  /** Lessons, by the id that their editor has, that are another one from now on for those who have completed them. */
  newVersions: number[];
};
/** `faulty`: a change did not pass; `changed`: the changes are others by now. */
export type PublishOutcome = 'published' | 'faulty' | 'changed';

/** One run of the publish check over a course. */
export const publishRuns = pgTable(
  'publish_runs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    status: text({ enum: ['running', 'finished', 'abandoned'] })
      .notNull()
      .default('running'),
    startedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    startedByName: text().notNull(),
    startedAt: moment().notNull().defaultNow(),
    /** When a lesson was last begun or done: a run that stands still may be replaced. */
    movedAt: moment().notNull().defaultNow(),
    finishedAt: moment(),
    /** Nobody looks at it while it runs: what it finds is told by mail. */
    isTold: boolean().notNull().default(false),
    /** What it publishes where it finds no fault; null for a run that only looks. */
    publishes: jsonb().$type<PublishWish>(),
    /** What became of that; null while it runs. */
    outcome: text().$type<PublishOutcome>(),
    /** About the course itself, by the fields of its form. */
    findings: jsonb().$type<PublishFinding[]>().notNull().default([]),
  },
  (t) => [
    index('publish_runs_course_idx').on(t.courseId, t.id.desc()),
    uniqueIndex('publish_runs_one_running').on(t.courseId).where(sql`${t.status} = 'running'`),
    oneOf('publish_runs_status_value', t.status),
  ],
);

/** What the publish check has to say about one lesson. */
export type PublishFinding = {
  /** The same for the same fault of the same lesson in each run. */
  key: string;
  severity: 'error' | 'warning';
  /** Field of the lesson's form. */
  field: string;
  message: string;
  /** A change of the reference solution that no test noticed. */
  mutation?: { line: number; original: string; mutated: string };
};

/** What the publish check did for one lesson. */
export type CheckFacts = {
  runs?: number;
  mutations?: number;
  caught?: number;
  links?: number;
  states?: number;
};

/** One lesson in a run of the publish check, with its findings. */
export const publishChecks = pgTable(
  'publish_checks',
  {
    runId: integer()
      .notNull()
      .references(() => publishRuns.id, { onDelete: 'cascade' }),
    lessonId: integer()
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    status: text({ enum: ['waiting', 'running', 'done'] })
      .notNull()
      .default('waiting'),
    /** Of the lesson as it was looked at. */
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

/** When the addresses of other sites that a lesson names were last tried (decision 81). */
export const linkChecks = pgTable('link_checks', {
  lessonId: integer()
    .primaryKey()
    .references(() => lessons.id, { onDelete: 'cascade' }),
  triedAt: moment().notNull().defaultNow(),
});

/** An address of another site that failed when it was last tried. */
export const failingLinks = pgTable(
  'failing_links',
  {
    lessonId: integer()
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    /** Of the finding that the publish check makes of it. */
    findingKey: text().notNull(),
    field: text().notNull(),
    message: text().notNull(),
    /** The first day, in UTC, of those on which it failed. */
    failedOn: date({ mode: 'string' }).notNull(),
    /** When it failed on a second day; null until then. */
    deadAt: moment(),
    /** When its author got a mail about it. */
    mailedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.lessonId, t.findingKey] }),
    index('failing_links_unmailed_idx')
      .on(t.lessonId)
      .where(sql`${t.deadAt} is not null and ${t.mailedAt} is null`),
  ],
);

/** A finding that an administrator lets pass, with the reason; it counts for one revision of the lesson. */
export const findingOverrides = pgTable(
  'publish_overrides',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    lessonId: integer()
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    revision: integer().notNull(),
    findingKey: text().notNull(),
    message: text().notNull(),
    reason: text().notNull(),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    userName: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
    /** When it was taken back; null while it counts. */
    withdrawnAt: moment(),
  },
  (t) => [
    index('publish_overrides_lesson_idx').on(t.lessonId, t.id),
    uniqueIndex('publish_overrides_one_each')
      .on(t.lessonId, t.revision, t.findingKey)
      .where(sql`${t.withdrawnAt} is null`),
  ],
);
