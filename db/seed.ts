import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { count, eq, sql } from 'drizzle-orm';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { db, type Tx } from './client.ts';
import { FIXED_CATEGORIES, makeAdmin, makeUser } from './factories.ts';
import { categories, codingLanguage, courses, lessons } from './schema/catalogue.ts';
import { enrollments, lessonProgress, pointsLedger, quizQuestions, studyDays } from './schema/learn.ts';
import { scenarios, scenarioType } from './schema/scenario.ts';
import { type FileStore, localFileStore } from './file-store.ts';
import { storeFile } from './stored-files.ts';

/** The published password of the demo accounts (architecture 7). */
export const DEMO_PASSWORD = 'learn-demo';
export const DEMO_ADMIN_EMAIL = 'admin@example.com';
export const DEMO_STUDENT_EMAIL = 'student@example.com';

/** What the demo student owns, so that the first look at the dashboard shows something. */
const DEMO_ENROLLMENT = { slug: 'javascript-fundamentals', lessonsDone: 3 };

const COURSES_FOLDER = fileURLToPath(new URL('./seed/courses', import.meta.url));
const CATEGORIES_FILE = fileURLToPath(new URL('./seed/categories.yaml', import.meta.url));
const PROJECT_FOLDER = fileURLToPath(new URL('..', import.meta.url));
const SEED_LOCK = 727_106_003;

/** How the files in `code/` end. */
const CODE_EXTENSIONS = { javascript: 'js', python: 'py', html: 'html', css: 'css', react: 'jsx' } as const;

/** A mistake in the demo content; the message names the file and the field. */
export class SeedError extends Error {
  override name = 'SeedError';
}

const line = z
  .string('must be text')
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'is longer than 200 characters');

const dollars = z
  .string('must be an amount in quotes, such as "49.00"')
  .regex(/^\d{1,6}\.\d{2}$/, 'must be an amount in quotes, such as "49.00"')
  .transform((value) => Number(value.replace('.', '')));

const fileName = z
  .string('must be a file name')
  .regex(/^[\w-]+(\.[\w-]+)+$/, 'must be a plain file name, without folders');

const level = z.enum(['beginner', 'intermediate', 'advanced'], 'must be beginner, intermediate or advanced');

const courseFile = z
  .strictObject({
    title: line,
    description: z.string('must be text').trim().min(40, 'is too short to describe a course'),
    category: z.int('must be a category id').min(1).max(FIXED_CATEGORIES.length),
    level,
    price: dollars,
    originalPrice: dollars.optional(),
    duration: line,
    thumbnail: fileName,
    createdBy: z.literal('admin', 'must be admin'),
    isActive: z.boolean('must be true or false'),
    lessons: z
      .array(z.strictObject({ section: line, items: z.array(z.string().regex(/^[\w-]+$/)).min(1) }))
      .min(1, 'needs at least one section'),
  })
  .refine((course) => course.price === 0 || course.price >= 50, {
    path: ['price'],
    error: 'must be "0.00" or at least "0.50"',
  });

const code = z
  .string('must be text: put it in quotes or in a | block')
  .max(5000, 'is longer than 5000 characters')
  .refine((value) => value.trim() !== '', 'must not be empty');

const testCase = z.strictObject({
  description: line.optional(),
  input: code,
  expectedOutput: code,
  hidden: z.boolean('must be true or false').optional(),
  mode: z.enum(['call', 'stdin'], 'must be call or stdin').optional(),
});

const lessonFields = {
  title: line,
  section: line,
  duration: line,
  isPreview: z.boolean('must be true or false'),
  requiredToComplete: z.boolean('must be true or false'),
  points: z.int('must be a whole number').min(0).max(1000),
};

const readingFile = z
  .strictObject({
    ...lessonFields,
    type: z.enum(['text', 'video', 'document']),
    file: fileName.optional(),
    captions: fileName.optional(),
    seconds: z.int('must be a whole number').min(1).max(1_000_000).optional(),
    watchRequired: z.boolean('must be true or false').default(false),
    acceptsSubmission: z.boolean('must be true or false').default(false),
  })
  .refine((lesson) => (lesson.file !== undefined) === (lesson.type !== 'text'), {
    path: ['file'],
    error: 'belongs to video and document lessons, and those need it',
  })
  .refine((lesson) => lesson.captions !== undefined || lesson.type !== 'video', {
    path: ['captions'],
    error: 'is missing: every video needs captions',
  })
  .refine((lesson) => lesson.seconds === undefined || lesson.type === 'video', {
    path: ['seconds'],
    error: 'belongs to video lessons',
  })
  .refine((lesson) => !lesson.watchRequired || lesson.seconds !== undefined, {
    path: ['watchRequired'],
    error: 'needs seconds: the share that was watched is computed from it',
  })
  .refine((lesson) => !lesson.acceptsSubmission || lesson.type !== 'video', {
    path: ['acceptsSubmission'],
    error: 'belongs to text and document lessons',
  });

const quizFile = z.strictObject({
  ...lessonFields,
  type: z.literal('quiz'),
  questions: z
    .array(
      z
        .strictObject({
          question: z.string('must be text').trim().min(1, 'must not be empty').max(1000),
          options: z.array(line).min(2, 'needs at least two').max(8, 'has more than eight'),
          correctAnswer: z.int('must be the number of an option').min(0),
          explanation: z.string('must be text').trim().min(1, 'must not be empty').max(2000),
        })
        .refine(({ options, correctAnswer }) => correctAnswer < options.length, {
          path: ['correctAnswer'],
          error: 'must be the number of an option, counted from 0',
        }),
    )
    .min(1, 'needs at least one'),
});

const codingFile = z
  .strictObject({
    ...lessonFields,
    type: z.literal('interactive_coding'),
    language: z.enum(codingLanguage.enumValues, `must be one of ${codingLanguage.enumValues.join(', ')}`),
    difficulty: level.optional(),
    expectedOutput: code.optional(),
    hints: z.array(z.string('must be text').trim().min(1, 'must not be empty').max(1000)).default([]),
    tests: z.array(testCase).max(50).default([]),
  })
  .refine((lesson) => lesson.tests.length > 0 || lesson.expectedOutput !== undefined, {
    path: ['tests'],
    error: 'are missing: a coding lesson needs tests or an expectedOutput',
  })
  .refine((lesson) => lesson.tests.every(({ hidden, description }) => !hidden || description), {
    path: ['tests'],
    error: 'a hidden test needs a description: it is all that the learner sees of it',
  })
  .refine(
    (lesson) =>
      ['javascript', 'python'].includes(lesson.language) ||
      lesson.tests.every(({ mode }) => mode !== 'stdin'),
    { path: ['tests'], error: 'mode stdin is for javascript and python' },
  );

const scenarioLessonFile = z.strictObject({
  ...lessonFields,
  type: z.literal('scenario'),
  /** A file inside `scenarios/`. */
  scenario: fileName,
});

/** What the table needs of a scenario; the scenario feature's own check reads the rest of it. */
const scenarioFile = z.looseObject({
  title: line,
  description: z.string('must be text').trim().min(1, 'must not be empty'),
  type: z.enum(scenarioType.enumValues, `must be one of ${scenarioType.enumValues.join(', ')}`),
  difficulty: level.default('intermediate'),
  timeLimit: z.int('must be a whole number of minutes').min(1).max(1440),
  state: z.record(z.string(), z.unknown(), 'must be a mapping'),
  goals: z.array(z.record(z.string(), z.unknown()), 'must be a list'),
  resources: z.array(z.record(z.string(), z.unknown())).default([]),
});

const lessonFile = z.discriminatedUnion('type', [readingFile, quizFile, codingFile, scenarioLessonFile], {
  error: 'must be text, video, document, quiz, interactive_coding or scenario',
});

type Found<S extends z.ZodType> = z.output<S>;
type Coding = Found<typeof codingFile> & { starterCode: string; solution: string; instructions: string };
type Simulation = Found<typeof scenarioLessonFile> & { definition: Found<typeof scenarioFile> };
type DemoLesson = (Found<typeof readingFile> | Found<typeof quizFile> | Coding | Simulation) & {
  content: string;
};
type DemoCourse = Found<typeof courseFile> & { slug: string; folder: string; content: DemoLesson[] };

function checked<S extends z.ZodType>(schema: S, value: unknown, path: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue!.path.join('.') || 'the file';
  throw new SeedError(`${relative(PROJECT_FOLDER, path)}: ${field}: ${issue!.message}`);
}

function yaml(source: string, path: string): unknown {
  try {
    return parseYaml(source);
  } catch (error) {
    throw new SeedError(`${relative(PROJECT_FOLDER, path)}: ${(error as Error).message.split('\n')[0]}`);
  }
}

async function readText(path: string): Promise<string> {
  if (!existsSync(path)) throw new SeedError(`${relative(PROJECT_FOLDER, path)}: is missing`);
  return readFile(path, 'utf8');
}

async function readLesson(folder: string, name: string, section: string): Promise<DemoLesson> {
  const path = join(folder, 'lessons', `${name}.md`);
  const match = /^---\r?\n(.*?)\r?\n---\r?\n(.*)$/s.exec(await readText(path));
  if (!match) throw new SeedError(`${relative(PROJECT_FOLDER, path)}: does not begin with a --- block`);
  const lesson = checked(lessonFile, yaml(match[1]!, path), path);
  if (lesson.section !== section) {
    throw new SeedError(
      `${relative(PROJECT_FOLDER, path)}: section: is "${lesson.section}", but course.yaml lists the lesson under "${section}"`,
    );
  }
  const body = match[2]!.trim();
  if (lesson.type === 'scenario') {
    const file = join(folder, 'scenarios', lesson.scenario);
    const definition = checked(scenarioFile, yaml(await readText(file), file), file);
    return { ...lesson, definition, content: body };
  }
  if (lesson.type !== 'interactive_coding') return { ...lesson, content: body };
  const part = (kind: string) => readText(join(folder, 'code', `${name}.${kind}`));
  const extension = CODE_EXTENSIONS[lesson.language];
  return {
    ...lesson,
    instructions: body,
    starterCode: await part(`starter.${extension}`),
    solution: await part(`solution.${extension}`),
    content: lesson.language === 'css' ? await part('fixture.html') : '',
  };
}

/**
 * Reads the demo courses: one folder each, in the format of db/seed/README.md.
 *
 * @throws {SeedError} for the first mistake, with its file and field
 */
export async function readDemoCourses(coursesFolder = COURSES_FOLDER): Promise<DemoCourse[]> {
  const entries = await readdir(coursesFolder, { withFileTypes: true });
  const found: DemoCourse[] = [];
  for (const entry of entries.filter((candidate) => candidate.isDirectory()).sort(byName)) {
    const folder = join(coursesFolder, entry.name);
    const path = join(folder, 'course.yaml');
    const course = checked(courseFile, yaml(await readText(path), path), path);
    const content: DemoLesson[] = [];
    for (const { section, items } of course.lessons) {
      for (const item of items) content.push(await readLesson(folder, item, section));
    }
    found.push({ ...course, slug: entry.name, folder, content });
  }
  return found;
}

const categoryFile = z
  .array(
    z.strictObject({
      id: z.int('must be a whole number').positive(),
      name: line,
      description: line,
      icon: z.string().regex(/^[a-z-]+$/, 'must be a CSS class'),
    }),
  )
  .refine(
    (found) =>
      FIXED_CATEGORIES.every(({ id, name }) => found.some((one) => one.id === id && one.name === name)),
    {
      error: 'must have the five categories that the footer links to, under their ids',
    },
  );

async function readCategories() {
  return checked(categoryFile, yaml(await readText(CATEGORIES_FILE), CATEGORIES_FILE), CATEGORIES_FILE);
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

const MIME_TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
  '.vtt': 'text/vtt',
  '.pdf': 'application/pdf',
};

async function keepFile(tx: Tx, store: FileStore, area: 'media' | 'files', path: string) {
  const mimeType = MIME_TYPES[extname(path)];
  if (!mimeType)
    throw new SeedError(`${relative(PROJECT_FOLDER, path)}: is of a kind that the demo does not use`);
  if (!existsSync(path)) throw new SeedError(`${relative(PROJECT_FOLDER, path)}: is missing`);
  return storeFile(tx, store, {
    area,
    originalName: basename(path),
    mimeType,
    bytes: await readFile(path),
  });
}

/**
 * Fills a database that has no courses with the demo catalogue and the two demo accounts. Gives false, and changes
 * nothing, where there are courses already.
 *
 * @param dataDir the folder of the site's own files; the courses' files are copied there
 * @param store where they are kept instead, such as an object store
 * @throws {SeedError} for a mistake in the content; nothing is kept then
 */
export async function seedDemo({
  dataDir,
  store = localFileStore(dataDir),
}: {
  dataDir: string;
  store?: FileStore;
}): Promise<boolean> {
  return db().transaction(async (tx) => {
    // Filling the database may take longer than a request may: neither the one that does it nor the one that waits for
    // the lock must fail for that.
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    // Two instances that start together must not both see an empty catalogue.
    await tx.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`);
    const [present] = await tx.select({ courses: count() }).from(courses);
    if (present!.courses > 0) return false;
    // Ties in popularity go to the highest id: the courses with most to study lead the lists.
    const demo = (await readDemoCourses()).sort((a, b) => a.content.length - b.content.length);
    await seedCategories(tx);
    const admin = await makeAdmin(
      { username: 'Demo Admin', email: DEMO_ADMIN_EMAIL, password: DEMO_PASSWORD },
      tx,
    );
    for (const course of demo) await seedCourse(tx, store, course, admin.id);
    const student = await makeUser(
      {
        username: 'Demo Student',
        email: DEMO_STUDENT_EMAIL,
        password: DEMO_PASSWORD,
        emailVerifiedAt: new Date(),
      },
      tx,
    );
    await seedEnrollment(tx, student.id);
    return true;
  });
}

async function seedCategories(tx: Tx): Promise<void> {
  for (const { id, ...details } of await readCategories()) {
    await tx
      .insert(categories)
      .values({ id, ...details })
      .onConflictDoUpdate({ target: categories.id, set: details });
  }
  await tx.execute(
    sql`select setval(pg_get_serial_sequence('categories', 'id'), (select max(id) from categories))`,
  );
}

async function seedCourse(tx: Tx, store: FileStore, demo: DemoCourse, adminId: number): Promise<void> {
  const thumbnail = await keepFile(tx, store, 'media', join(demo.folder, demo.thumbnail));
  const [course] = await tx
    .insert(courses)
    .values({
      slug: demo.slug,
      title: demo.title,
      description: demo.description,
      thumbnail: thumbnail.path,
      priceCents: demo.price,
      originalPriceCents: demo.originalPrice ?? null,
      duration: demo.duration,
      level: demo.level,
      createdBy: adminId,
      categoryId: demo.category,
      isActive: demo.isActive,
    })
    .returning({ id: courses.id });
  for (const [index, lesson] of demo.content.entries()) {
    const kept = async (name: string | undefined) =>
      name === undefined ? null : keepFile(tx, store, 'files', join(demo.folder, 'files', name));
    const reading = 'watchRequired' in lesson ? lesson : null;
    const file = await kept(reading?.file);
    const captions = await kept(reading?.captions);
    const values = {
      courseId: course!.id,
      title: lesson.title,
      section: lesson.section,
      type: lesson.type,
      content: lesson.content,
      fileUrl: file?.path ?? null,
      fileSize: file?.size ?? null,
      mimeType: file?.mimeType ?? null,
      captionsUrl: captions?.path ?? null,
      duration: lesson.duration,
      order: index + 1,
      difficulty: demo.level,
      isPreview: lesson.isPreview,
      requiredToComplete: lesson.requiredToComplete,
      points: lesson.points,
      durationSeconds: reading?.seconds ?? null,
      watchRequired: reading?.watchRequired ?? false,
      acceptsSubmission: reading?.acceptsSubmission ?? false,
      ...(lesson.type === 'interactive_coding' && codingColumns(lesson, demo.level)),
    };
    const [row] = await tx.insert(lessons).values(values).returning({ id: lessons.id });
    if (lesson.type === 'scenario') {
      const { definition } = lesson;
      await tx.insert(scenarios).values({
        lessonId: row!.id,
        title: definition.title,
        description: definition.description,
        scenarioType: definition.type,
        initialState: definition.state,
        goals: definition.goals,
        resources: definition.resources,
        definition,
        timeLimit: definition.timeLimit,
        difficulty: definition.difficulty,
      });
    }
    if (lesson.type === 'quiz') {
      await tx
        .insert(quizQuestions)
        .values(
          lesson.questions.map((question, order) => ({ ...question, lessonId: row!.id, order: order + 1 })),
        );
    }
  }
}

function codingColumns(lesson: Coding, courseLevel: DemoCourse['level']) {
  const { language, starterCode, solution, instructions, hints, tests, expectedOutput, difficulty } = lesson;
  return {
    codingLanguage: language,
    starterCode,
    solution,
    instructions,
    hints,
    testCases: tests,
    expectedOutput: expectedOutput ?? null,
    difficulty: difficulty ?? courseLevel,
  };
}

/** The demo student's course, with the numbers that completing its first lessons leads to (decisions 34, 35). */
async function seedEnrollment(tx: Tx, userId: number): Promise<void> {
  const [course] = await tx
    .select({ id: courses.id })
    .from(courses)
    .where(eq(courses.slug, DEMO_ENROLLMENT.slug));
  if (!course) return;
  const outline = await tx
    .select()
    .from(lessons)
    .where(eq(lessons.courseId, course.id))
    .orderBy(lessons.order);
  const done = outline.slice(0, DEMO_ENROLLMENT.lessonsDone);
  const required = outline.filter((lesson) => lesson.requiredToComplete);
  const totalPoints = done.reduce((sum, lesson) => sum + lesson.points, 0);
  const share =
    totalPoints /
    Math.max(
      1,
      outline.reduce((sum, lesson) => sum + lesson.points, 0),
    );
  await tx.insert(enrollments).values({
    userId,
    courseId: course.id,
    progress: Math.floor((100 * done.filter((lesson) => lesson.requiredToComplete).length) / required.length),
    totalPoints,
    skillLevel: share < 0.4 ? 'beginner' : share < 0.8 ? 'intermediate' : 'advanced',
    currentLessonId: done.at(-1)?.id ?? null,
    lastAccessedAt: new Date(),
  });
  for (const lesson of done) {
    const row = { userId, courseId: course.id, lessonId: lesson.id };
    await tx.insert(lessonProgress).values({ ...row, completed: true, completedAt: new Date() });
    await tx.insert(pointsLedger).values({ ...row, points: lesson.points });
  }
  const day = new Date().toISOString().slice(0, 10);
  await tx.insert(studyDays).values({ userId, day, lessonsCompleted: done.length });
  await tx.update(courses).set({ studentsCount: 1 }).where(eq(courses.id, course.id));
}
