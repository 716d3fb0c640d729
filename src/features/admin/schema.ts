import { z } from 'zod';
import { isSafeAddress, LESSON_TYPES, parseLevel } from '#src/features/catalogue/catalogue.ts';
import { courseModel, listing } from '#src/features/catalogue/schema.ts';
import { assignmentModel, gradeInput } from '#src/features/learn/schema.ts';
import { scenarioDefinition } from '#src/features/scenario/scenario.ts';
import { ORDER_STATUSES } from '#src/features/store/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath, line, MAX_ID, text } from '#src/shared/fields.ts';
import { decimalToCents, PRICE_MAX_CENTS } from '#src/shared/money.ts';
import { exerciseFields, exerciseProblems } from './exercise.ts';
import { SANDBOX_ACTIONS } from './sandbox.ts';

/** `GET /api/analytics/courses`: every course, hidden ones too, by id. */
export const courseAnalyticsCall = contract({
  method: 'GET',
  path: '/api/analytics/courses',
  output: z.array(
    z.object({
      courseId: z.number(),
      title: z.string(),
      totalPurchases: z.number(),
      /** Decimal string of US dollars. */
      totalRevenue: z.string(),
    }),
  ),
});

const purchaseModel = z.object({
  orderId: z.number(),
  invoiceNumber: z.string().nullable(),
  purchasedAt: z.string(),
  buyer: z.object({ name: z.string(), email: z.string() }),
  courses: z.array(z.object({ courseId: z.number(), title: z.string(), price: z.string() })),
  /** Decimal strings of US dollars. */
  total: z.string(),
  refunded: z.string(),
  status: z.enum(ORDER_STATUSES),
});
export type Purchase = z.output<typeof purchaseModel>;

/** `GET /api/analytics/recent-purchases`: newest first. */
export const recentPurchasesCall = contract({
  method: 'GET',
  path: '/api/analytics/recent-purchases',
  output: z.array(purchaseModel),
});

const courseParams = z.object({ id: idInPath('Course id') });

/**
 * `PUT /api/courses/{id}/toggle`: flips whether the course is to be in the store, and says how it stands now. `version` is
 * the course's after it.
 */
export const toggleCourseCall = contract({
  method: 'PUT',
  path: '/api/courses/{id}/toggle',
  params: courseParams,
  output: z.object({ id: z.number(), isActive: z.boolean(), ...listing, version: z.number() }),
});

export type Toggled = z.output<typeof toggleCourseCall.output>;

/** Characters of a course's texts at most. */
export const COURSE_MAX = { title: 150, description: 20_000, thumbnail: 500, duration: 50 } as const;
/** The largest original price in cents: what the column of spec 9 holds. */
const ORIGINAL_PRICE_MAX_CENTS = 999_999_999;
/** The smallest price of a course that is not free: the provider's minimum (decision 23). */
export const PRICE_MIN_CENTS = 50;

const WRONG_PRICE = 'must be dollars and cents, such as 49.00';

/** Text or number → cents; null where it is not an exact amount (fault N8). Text keeps money out of floats. */
function exactCents(value: string | number): number | null {
  if (typeof value === 'string') return decimalToCents(value.trim());
  return Object.is(value, -0) ? null : decimalToCents(String(value));
}

/** '' and null count as not given. */
const given = (value: unknown) => (value === null || value === '' ? undefined : value);

export const price = z
  .preprocess(given, z.union([z.string(), z.number()], { error: 'Price is required' }))
  .transform((value, context) => {
    const cents = exactCents(value);
    const problem =
      cents === null
        ? `Price ${WRONG_PRICE}`
        : cents > PRICE_MAX_CENTS
          ? 'Price must be at most 999999.99'
          : cents > 0 && cents < PRICE_MIN_CENTS
            ? 'Price must be 0 for a free course, or at least 0.50'
            : null;
    if (problem === null) return cents!;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });

export const originalPrice = z
  .preprocess(given, z.union([z.string(), z.number()], { error: `Original price ${WRONG_PRICE}` }).optional())
  .transform((value, context) => {
    if (value === undefined) return null;
    const cents = exactCents(value);
    if (cents !== null && cents <= ORIGINAL_PRICE_MAX_CENTS) return cents;
    const message =
      cents === null ? `Original price ${WRONG_PRICE}` : 'Original price must be at most 9999999.99';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** An address that may stand in a page: https or a path of this site (fault U2). The server never opens it. */
export const safeAddress = (label: string, limits: { min?: number; max: number }) =>
  line(label, limits).refine(
    (value) => value === '' || isSafeAddress(value),
    `${label} must be an https:// address or a path of this site`,
  );

/** A field that is left out is as missing as one that is empty. */
export const filled = <S extends z.ZodType>(schema: S) => z.preprocess((value) => value ?? '', schema);

const WRONG_LEVEL = 'Choose Beginner, Intermediate or Advanced';

/** A level by its name, in any case (decision 28). */
export const level = z.string({ error: WRONG_LEVEL }).transform((value, context) => {
  const found = parseLevel(value);
  if (found) return found;
  context.addIssue({ code: 'custom', message: WRONG_LEVEL });
  return z.NEVER;
});

export const categoryId = z
  .preprocess(
    (value) => (typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : given(value)),
    z.number({ error: 'Category is required' }),
  )
  .refine((value) => Number.isInteger(value) && value >= 1 && value <= MAX_ID, 'There is no such category');

/** A row's version as its editor read it; a save of an older one is refused instead of overwriting. */
const version = z
  .int({ error: 'Version must be a whole number' })
  .min(1, 'Version must be positive')
  .max(MAX_ID, 'Version is out of range');

/**
 * What the course form holds (spec 5). Prices are decimal strings and cents after parsing; levels are taken in any
 * case. `createdBy`, `createdAt`, `studentsCount` and `rating` are not read, whoever sends them (decision 31).
 */
const courseFields = {
  title: filled(line('Title', { max: COURSE_MAX.title })),
  description: filled(text('Description', { max: COURSE_MAX.description })),
  thumbnail: filled(safeAddress('Thumbnail', { max: COURSE_MAX.thumbnail })),
  price,
  originalPrice,
  duration: filled(line('Duration', { max: COURSE_MAX.duration })),
  level,
  categoryId,
  isActive: z.boolean({ error: 'isActive must be true or false' }).optional(),
  /** Months after which the course's certificates expire; null or left out for never (decision 39). */
  certificateMonths: z
    .preprocess(given, z.number({ error: 'Certificate months must be a whole number' }).optional())
    .refine(
      (value) => value === undefined || (Number.isInteger(value) && value >= 1 && value <= 600),
      'Certificate months must be from 1 to 600',
    )
    .transform((value) => value ?? null),
};

/** The struck through price is the higher one: a lower one would promise a discount that is none. */
export function refuseLowOriginal(
  course: { price: number; originalPrice: number | null },
  context: z.RefinementCtx,
): void {
  if (course.originalPrice === null || course.originalPrice >= course.price) return;
  const message = 'Original price must not be below the price';
  context.addIssue({ code: 'custom', path: ['originalPrice'], message });
}

const courseInput = z.object(courseFields).superRefine(refuseLowOriginal);
export type CourseInput = z.output<typeof courseInput>;

/** A course as its editor gets it back. */
const editedCourse = courseModel.extend({ version: z.number() });

/** `POST /api/courses` */
export const createCourseCall = contract({
  method: 'POST',
  path: '/api/courses',
  input: courseInput,
  output: editedCourse,
});

/**
 * `PUT /api/courses/{id}`: the same body. With the `version` that was read, a colleague's newer change is refused with
 * 409 and named in `changed`; without it the last one wins.
 */
export const updateCourseCall = contract({
  method: 'PUT',
  path: '/api/courses/{id}',
  params: courseParams,
  input: z.object({ ...courseFields, version: version.optional() }).superRefine(refuseLowOriginal),
  output: editedCourse,
});

/** What a colleague changed since a form was opened, in the answer 409. */
export const changedFields = z.object({
  changed: z.array(z.object({ field: z.string(), label: z.string(), value: z.string() })),
  version: z.number(),
});
export type ChangedFields = z.output<typeof changedFields>;

/** Bytes of a thumbnail at most. */
export const THUMBNAIL_MAX_BYTES = 5_242_880;

/** `POST /api/admin/thumbnails`: keeps a picture for everyone, sent as `file` in a form. */
export const uploadThumbnailCall = contract({
  method: 'POST',
  path: '/api/admin/thumbnails',
  output: z.object({ thumbnail: z.string() }),
});

/** `DELETE /api/courses/{id}`: what became of the course (decision 30). */
export const deleteCourseCall = contract({
  method: 'DELETE',
  path: '/api/courses/{id}',
  params: courseParams,
  output: z.object({ outcome: z.enum(['removed', 'hidden']) }),
});

/** States of a message of the contact form (decision 5). */
export const MESSAGE_STATUSES = ['new', 'read', 'replied', 'spam'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** `PUT /api/admin/messages/{id}` */
export const setMessageStatusCall = contract({
  method: 'PUT',
  path: '/api/admin/messages/{id}',
  params: z.object({ id: idInPath('Message') }),
  input: z.object({ status: z.enum(MESSAGE_STATUSES, { error: 'Choose new, read, replied or spam' }) }),
  output: z.object({ id: z.number(), status: z.enum(MESSAGE_STATUSES) }),
});

/** Characters of a reason or note at most. */
export const REASON_MAX = 500;

const orderParams = z.object({ id: idInPath('Order') });
const told = z.object({ message: z.string() });

/** `POST /api/admin/orders/{id}/refund`: pays one line back (decision 21). */
export const refundLineCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/refund',
  params: orderParams,
  input: z.object({ itemId: id('itemId'), reason: line('Reason', { max: REASON_MAX }) }),
  output: told,
});

/** `POST /api/admin/orders/{id}/resend-refund`: sends a refund again that the provider does not know. */
export const resendRefundCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/resend-refund',
  params: orderParams,
  input: z.object({ refundId: id('refundId') }),
  output: told,
});

/** `POST /api/admin/orders/{id}/receipt`: mails the receipt again. */
export const resendReceiptCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/receipt',
  params: orderParams,
  output: told,
});

/** `POST /api/admin/orders/{id}/reconcile`: asks the provider and follows what it says (decision 18). */
export const reconcileOrderCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/reconcile',
  params: orderParams,
  output: told.extend({
    /** False where the money is not there or does not fit the order. */
    settled: z.boolean(),
    status: z.enum(ORDER_STATUSES),
  }),
});

/** `POST /api/admin/orders/{id}/settle-flag`: takes the mark for attention off. `flag` is what was read. */
export const settleFlagCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/settle-flag',
  params: orderParams,
  input: z.object({
    flag: text('Flag', { max: 10_000 }),
    note: line('Note', { max: REASON_MAX }),
  }),
  output: told,
});

/** `POST /api/admin/mail/{id}/retry`: has a mail that was given up sent again. */
export const retryMailCall = contract({
  method: 'POST',
  path: '/api/admin/mail/{id}/retry',
  params: z.object({ id: idInPath('Mail') }),
  output: told,
});

/** `POST /api/admin/sandbox/{intent}`: lets something happen to a payment of the built-in sandbox. */
export const playSandboxCall = contract({
  method: 'POST',
  path: '/api/admin/sandbox/{intent}',
  params: z.object({ intent: z.string().regex(/^pi_\w{1,100}$/, 'Payment not found') }),
  input: z.object({ action: z.enum(SANDBOX_ACTIONS, { error: 'Action must be one of the listed ones' }) }),
  output: told,
});

/** Characters of a synonym's texts at most. */
export const SYNONYM_MAX = 60;

const hasLetters = (value: string) => /[\p{L}\p{N}]/u.test(value);

/** `POST /api/admin/search-synonyms`: lets a text of a search mean something that courses teach. */
export const addSynonymCall = contract({
  method: 'POST',
  path: '/api/admin/search-synonyms',
  input: z.object({
    typed: line('What people type', { max: SYNONYM_MAX }).refine(
      hasLetters,
      'What people type needs a letter or a digit',
    ),
    means: line('What it means', { max: SYNONYM_MAX }).refine(
      hasLetters,
      'What it means needs a letter or a digit',
    ),
  }),
  output: told,
});

/** `DELETE /api/admin/search-synonyms/{id}`: takes a synonym back. */
export const removeSynonymCall = contract({
  method: 'DELETE',
  path: '/api/admin/search-synonyms/{id}',
  params: z.object({ id: idInPath('Synonym') }),
  output: told,
});

/** Characters of a lesson's texts at most. */
export const LESSON_MAX = {
  title: 150,
  section: 100,
  content: 100_000,
  fileUrl: 500,
  duration: 50,
  question: 1000,
  option: 500,
  explanation: 2000,
} as const;
/** Points of a lesson, seconds of a video, lessons of a course at most. */
export const POINTS_MAX = 10_000;
const SECONDS_MAX = 1_000_000;
export const LESSONS_MAX = 1000;
/** Questions of a quiz, options of a question. */
export const QUESTIONS_MAX = 100;
export const OPTIONS_MIN = 2;
export const OPTIONS_MAX = 8;

export const whole = (label: string, min: number, max: number) =>
  z
    .int({ error: `${label} must be a whole number` })
    .min(min, `${label} must be at least ${min}`)
    .max(max, `${label} must be at most ${max}`);
export const flag = (label: string) => z.boolean({ error: `${label} must be true or false` });

export const questionInput = z
  .object({
    /** Of a question that exists; null or left out for a new one. */
    id: id('Question').nullish(),
    question: filled(text('Question', { max: LESSON_MAX.question })),
    options: z
      .array(filled(line('Option', { max: LESSON_MAX.option })), { error: 'Options must be a list' })
      .min(OPTIONS_MIN, `A question needs at least ${OPTIONS_MIN} options`)
      .max(OPTIONS_MAX, `A question has at most ${OPTIONS_MAX} options`),
    correctAnswer: z.int({ error: 'Choose the correct option' }).min(0, 'Choose the correct option'),
    explanation: text('Explanation', { min: 0, max: LESSON_MAX.explanation }).default(''),
  })
  .refine(({ options, correctAnswer }) => correctAnswer < options.length, {
    message: 'Choose the correct option',
    path: ['correctAnswer'],
  })
  .refine(({ options }) => new Set(options).size === options.length, {
    message: 'Two options are the same',
    path: ['options'],
  });

const lessonFields = {
  title: filled(line('Title', { max: LESSON_MAX.title })),
  section: line('Section', { min: 0, max: LESSON_MAX.section }).default(''),
  /** Position in the course from 1; left out for the end of its section. */
  order: whole('Order', 1, LESSONS_MAX).nullish(),
  /** Markdown. */
  content: text('Content', { min: 0, max: LESSON_MAX.content }).default(''),
  /** Size and type of a file follow from what is stored here, whatever the request says. */
  fileUrl: safeAddress('File URL', { min: 0, max: LESSON_MAX.fileUrl }).default(''),
  captionsUrl: safeAddress('Captions URL', { min: 0, max: LESSON_MAX.fileUrl }).default(''),
  duration: line('Duration', { min: 0, max: LESSON_MAX.duration }).default(''),
  durationSeconds: whole('Length in seconds', 1, SECONDS_MAX).nullish(),
  difficulty: level.default('beginner'),
  isPreview: flag('isPreview').default(false),
  requiredToComplete: flag('requiredToComplete').default(true),
  watchRequired: flag('watchRequired').default(false),
  acceptsSubmission: flag('acceptsSubmission').default(false),
  points: whole('Points', 0, POINTS_MAX).default(0),
  questions: z
    .array(questionInput, { error: 'Questions must be a list' })
    .max(QUESTIONS_MAX, `A quiz has at most ${QUESTIONS_MAX} questions`)
    .default([]),
  ...exerciseFields,
  scenario: scenarioDefinition.nullish(),
};

/** What a lesson of each type cannot do without. */
function requireBody(
  lesson: Pick<
    z.output<z.ZodObject<typeof lessonFields>>,
    'content' | 'fileUrl' | 'questions' | 'instructions' | 'codingLanguage' | 'testCases' | 'scenario'
  > & { type: string },
  context: z.RefinementCtx,
): void {
  const missing = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (lesson.type === 'text' && !lesson.content) missing('content', 'Content is required');
  if ((lesson.type === 'video' || lesson.type === 'document') && !lesson.fileUrl) {
    missing('fileUrl', 'File URL is required');
  }
  if (lesson.type === 'quiz' && lesson.questions.length === 0) {
    missing('questions', 'A quiz needs at least one question');
  }
  if (lesson.type === 'scenario' && !lesson.scenario) missing('scenario', 'Scenario is required');
  if (lesson.type === 'interactive_coding') {
    if (!lesson.instructions) missing('instructions', 'Instructions are required');
    for (const problem of exerciseProblems(lesson)) context.addIssue({ code: 'custom', ...problem });
  }
}

const lessonParams = z.object({ id: idInPath('Lesson id') });

/** A lesson as its editor gets it back. */
const savedLesson = z.object({
  id: z.number(),
  courseId: z.number(),
  title: z.string(),
  type: z.enum(LESSON_TYPES),
  section: z.string(),
  order: z.number(),
  version: z.number(),
});
export type SavedLesson = z.output<typeof savedLesson>;

/** `POST /api/admin/courses/{id}/lessons`: adds a lesson. */
export const createLessonCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/lessons',
  params: courseParams,
  input: z
    .object({ ...lessonFields, type: z.enum(LESSON_TYPES, { error: 'There is no such type' }) })
    .superRefine(requireBody),
  output: savedLesson,
});
export type LessonInput = z.output<NonNullable<typeof createLessonCall.input>>;

/**
 * `PUT /api/admin/lessons/{id}`: changes a lesson; its type stays. A colleague's newer change is refused with 409 and
 * named in `changed`. `type` in the body is only compared with the lesson's.
 */
export const updateLessonCall = contract({
  method: 'PUT',
  path: '/api/admin/lessons/{id}',
  params: lessonParams,
  input: z
    .object({ ...lessonFields, type: z.enum(LESSON_TYPES, { error: 'There is no such type' }), version })
    .superRefine(requireBody),
  output: savedLesson,
});

/** `DELETE /api/admin/lessons/{id}` */
export const deleteLessonCall = contract({
  method: 'DELETE',
  path: '/api/admin/lessons/{id}',
  params: lessonParams,
  output: z.object({ deleted: z.literal(true) }),
});

/**
 * `PUT /api/admin/courses/{id}/lesson-order`: every lesson of the course in its new order, with its section. `before` is
 * the order that was seen; a colleague's newer one is refused with 409.
 */
export const orderLessonsCall = contract({
  method: 'PUT',
  path: '/api/admin/courses/{id}/lesson-order',
  params: courseParams,
  input: z.object({
    before: z.array(id('Lesson'), { error: 'before must be a list of lessons' }).max(LESSONS_MAX),
    lessons: z
      .array(
        z.object({
          id: id('Lesson'),
          section: line('Section', { min: 0, max: LESSON_MAX.section }),
        }),
        { error: 'lessons must be a list' },
      )
      .max(LESSONS_MAX),
  }),
  output: z.object({ lessons: z.array(z.object({ id: z.number(), section: z.string() })) }),
});

/** `POST /api/admin/preview`: Markdown as learners will see it. */
export const previewCall = contract({
  method: 'POST',
  path: '/api/admin/preview',
  input: z.object({ content: text('Content', { min: 0, max: LESSON_MAX.content }) }),
  output: z.object({ html: z.string() }),
});

/** `POST /api/admin/assignments/{id}/grade`: `submittedAt` is of the submission that was read (decision 37). */
export const gradeAssignmentCall = contract({
  method: 'POST',
  path: '/api/admin/assignments/{id}/grade',
  params: z.object({ id: idInPath('Submission') }),
  input: gradeInput.extend({
    submittedAt: z.iso.datetime({ error: 'submittedAt must be the moment of the submission' }),
  }),
  output: assignmentModel,
});

/** `POST /api/admin/scenario-check`: what the publish gate would say of a scenario that is not saved. */
export const checkScenarioCall = contract({
  method: 'POST',
  path: '/api/admin/scenario-check',
  input: z.object({
    /** As it was written: a wrong shape is a finding, not a refusal. */
    definition: z.unknown().refine((value) => value !== undefined, 'Scenario is required'),
  }),
  output: z.object({
    publishable: z.boolean(),
    findings: z.array(
      z.object({
        level: z.enum(['error', 'warning']),
        code: z.string(),
        /** Such as `rules.restart-web` or, where the shape is wrong, `rules.3.effects.0.path`. */
        at: z.string(),
        message: z.string(),
      }),
    ),
    /** Findings beyond those that are told. */
    moreFindings: z.number(),
    /** Different situations that were looked at. */
    states: z.number(),
    /** Titles of the actions of the shortest way; null where none was found. */
    solution: z.array(z.string()).nullable(),
    bestScore: z.number().nullable(),
    /** Of the shortest way, on the situation's clock. */
    minutes: z.number().nullable(),
  }),
});
export type ScenarioCheck = z.output<typeof checkScenarioCall.output>;

const userParams = z.object({ id: idInPath('User') });

/** `POST /api/admin/users/{id}/enroll`: gives access without a purchase. */
export const enrollUserCall = contract({
  method: 'POST',
  path: '/api/admin/users/{id}/enroll',
  params: userParams,
  input: z.object({ courseId: id('Course'), reason: filled(line('Reason', { max: REASON_MAX })) }),
  output: told,
});

/** `POST /api/admin/users/{id}/unenroll`: takes access that nobody paid for; the progress is kept. */
export const unenrollUserCall = contract({
  method: 'POST',
  path: '/api/admin/users/{id}/unenroll',
  params: userParams,
  input: z.object({ courseId: id('Course'), reason: filled(line('Reason', { max: REASON_MAX })) }),
  output: told,
});

/** `GET /api/admin/users/{id}/export`: everything the site holds about a person, as a file. */
export const exportUserCall = contract({
  method: 'GET',
  path: '/api/admin/users/{id}/export',
  params: userParams,
  output: z.record(z.string(), z.unknown()),
});

/** `POST /api/admin/users/{id}/delete`: deletes a person for good. `confirmation` is their email, typed out. */
export const deleteUserCall = contract({
  method: 'POST',
  path: '/api/admin/users/{id}/delete',
  params: userParams,
  input: z.object({
    confirmation: filled(line('Email', { max: 254 })),
    reason: filled(line('Reason', { max: REASON_MAX })),
  }),
  output: told,
});

/** Bytes and rows of a list of people at most. */
export const IMPORT_MAX_BYTES = 2_097_152;
export const IMPORT_ROWS_MAX = 2_000;

const importRow = z.object({
  /** Line of the file, the heading being 1. */
  line: z.number(),
  email: z.string(),
  name: z.string(),
  /** Title of the course, or what the file says where there is none. */
  course: z.string(),
  user: z.enum(['new', 'exists', 'none']),
  access: z.enum(['given', 'given-again', 'had-it', 'none']),
  errors: z.array(z.object({ column: z.string(), message: z.string() })),
});
export type ImportRow = z.output<typeof importRow>;

/**
 * `POST /api/admin/user-import/files`: a CSV file of people and their courses as `file`, and as fields `mode` (`check`
 * changes nothing), for `apply` also `sha256` of the file that was checked, `reason`, and `skipErrors` (`yes` leaves
 * wrong rows out). Applying the same file again changes nothing more.
 */
export const importPeopleCall = contract({
  method: 'POST',
  path: '/api/admin/user-import/files',
  output: z.object({
    mode: z.enum(['check', 'apply']),
    sha256: z.string(),
    counts: z.object({
      rows: z.number(),
      wrongRows: z.number(),
      newUsers: z.number(),
      existingUsers: z.number(),
      given: z.number(),
      alreadyThere: z.number(),
    }),
    /** Every wrong row, and the first of the right ones. */
    rows: z.array(importRow),
    rowsLeftOut: z.number(),
    message: z.string(),
  }),
});
export type ImportReport = z.output<typeof importPeopleCall.output>;
