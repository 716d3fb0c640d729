import { type Document, isMap, isScalar, Lexer, LineCounter, parseDocument, stringify, visit } from 'yaml';
import { z } from 'zod';
import { codingLanguage, type lessons } from '#db/schema/catalogue.ts';
import { scenarioType } from '#db/schema/scenario.ts';
import type { LessonToWrite } from '#src/features/lessons/lesson-store.server.ts';
import { coding, LESSON_TYPES } from '#src/features/lessons/registry.ts';
import {
  archiveKey,
  builtInputs,
  COURSE_FIELD_NAMES,
  type CourseField,
  courseInputs,
  type CourseValues,
  type WholeCourse,
  formPart,
  typedValue,
} from '#src/features/authoring/courses/course-fields.ts';
import { anyOf } from '#src/shared/any-of.ts';

// A course as a folder of files, as db/seed/README.md describes it. The demo catalogue, exports and imports all go
// through this reader and this writer.

/** A mistake in the files of a course. */
export interface CourseFault {
  /** Path inside the course's folder. */
  file: string;
  /** From 1; null for a file as a whole. */
  line: number | null;
  /** Such as `tests.0.input`; '' for a file as a whole. */
  field: string;
  message: string;
}

/** Files that are no course; holds every mistake that was found, and its message is the first. */
export class CourseFileError extends Error {
  override name = 'CourseFileError';
  readonly faults: readonly CourseFault[];

  constructor(faults: readonly CourseFault[]) {
    const { file, field, message } = faults[0]!;
    super(`${file}: ${field ? `${field}: ` : ''}${message}`);
    this.faults = faults;
  }
}

/** The files of one course, by their paths inside its folder. */
export interface CourseFolder {
  has(path: string): boolean;
  text(path: string): Promise<string>;
}

/** How the files in `code/` end. */
export const CODE_EXTENSIONS = {
  javascript: 'js',
  python: 'py',
  html: 'html',
  css: 'css',
  react: 'jsx',
} as const;

const text = (max: number) =>
  z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(max, `is longer than ${max} characters`)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), 'has characters that cannot be stored');

const line = (max: number) => text(max).regex(/^[^\r\n\u2028\u2029]*$/, 'must be a single line');

const optionalLine = (max: number) => z.union([z.literal(''), line(max)], 'must be text').default('');

/** An amount as it must stand in a file; one that may be left out is left to the field's own rules. */
const quoted = (digits: number) =>
  z
    .unknown()
    .optional()
    .refine(
      (value) =>
        value === undefined ||
        (typeof value === 'string' && new RegExp(`^\\d{1,${digits}}\\.\\d{2}$`).test(value)),
      'must be an amount in quotes, such as "49.00"',
    );

const PLAIN_NAME = /^[\w-]+(\.[\w-]+)*$/;

/** A file of the course, or where else it is: an https address or a path of the site. */
const fileReference = z
  .string('must be a file name')
  .max(500, 'is longer than 500 characters')
  .refine(
    (value) =>
      PLAIN_NAME.test(value) || /^https:\/\/[^\s<>"\\]+$/.test(value) || /^\/[^/\\\s<>"]/.test(value),
    'must be a plain file name without folders, or an https:// address',
  );

/** Whether a reference of a course names a file of its folder. */
export function isOwnFile(reference: string): boolean {
  return PLAIN_NAME.test(reference);
}

const level = z.enum(['beginner', 'intermediate', 'advanced'], 'must be beginner, intermediate or advanced');
const flag = z.boolean('must be true or false');

/** Fields of a course that a file writes in another way than the API takes them. */
const IN_FILES: { [F in CourseField]?: z.ZodType<CourseValues[F]> } = {
  level,
  price: quoted(6).pipe(courseInputs.price),
  originalPrice: quoted(7).pipe(courseInputs.originalPrice),
  duration: builtInputs.duration,
  // What the builder makes has none until an administrator gives it one.
  thumbnail: fileReference.default(''),
  isActive: flag.default(true),
};

const fieldsOfFile: Record<string, z.ZodType> = Object.fromEntries(
  COURSE_FIELD_NAMES.map((name) => [archiveKey(name), IN_FILES[name] ?? courseInputs[name]]),
);

const courseFile = z
  .strictObject({
    ...fieldsOfFile,
    createdBy: z.literal('admin', 'must be admin').default('admin'),
    lessons: z.array(
      z.strictObject({
        section: optionalLine(100),
        items: z
          .array(z.string('must be a file name').regex(/^[\w-]{1,120}$/, 'must be a file name without .md'))
          .min(1, 'needs at least one lesson'),
      }),
      'must be a list of sections',
    ),
  })
  .transform(({ lessons, createdBy: _, ...written }) => {
    const byKey: Record<string, unknown> = written;
    const fields = Object.fromEntries(COURSE_FIELD_NAMES.map((name) => [name, byKey[archiveKey(name)]]));
    return { ...(fields as WholeCourse), lessons };
  });

const code = (max: number) =>
  z
    .string('must be text: put it in quotes or in a | block')
    .max(max, `is longer than ${max} characters`)
    .refine((value) => value.trim() !== '', 'must not be empty')
    .refine((value) => !value.includes('\0'), 'has characters that cannot be stored');

const testCase = z.strictObject({
  description: line(200).optional(),
  input: code(5000),
  expectedOutput: code(5000),
  hidden: flag.optional(),
  mode: z.enum(['call', 'stdin'], 'must be call or stdin').optional(),
});

const lessonFields = {
  title: line(150),
  section: optionalLine(100),
  duration: optionalLine(50),
  isPreview: flag,
  requiredToComplete: flag,
  points: z.int('must be a whole number').min(0, 'must be at least 0').max(10_000, 'must be at most 10000'),
  difficulty: level.optional(),
};
/** Of lessons whose body is their content. */
const withInstructions = { ...lessonFields, instructions: text(20_000).optional() };

const readingFile = z
  .strictObject({
    ...withInstructions,
    type: z.enum(['text', 'video', 'document']),
    file: fileReference.optional(),
    captions: fileReference.optional(),
    seconds: z.int('must be a whole number').min(1, 'must be at least 1').max(1_000_000).optional(),
    watchRequired: flag.default(false),
    acceptsSubmission: flag.default(false),
  })
  .refine((lesson) => lesson.file === undefined || lesson.type !== 'text', {
    path: ['file'],
    error: 'belongs to video and document lessons, and those need it',
  })
  .refine((lesson) => lesson.captions === undefined || lesson.type === 'video', {
    path: ['captions'],
    error: 'belongs to video lessons',
  })
  .refine((lesson) => lesson.seconds === undefined || lesson.type === 'video', {
    path: ['seconds'],
    error: 'belongs to video lessons',
  })
  .refine((lesson) => !lesson.watchRequired || lesson.type === 'video', {
    path: ['watchRequired'],
    error: 'belongs to video lessons',
  })
  .refine((lesson) => !lesson.acceptsSubmission || lesson.type !== 'video', {
    path: ['acceptsSubmission'],
    error: 'belongs to text and document lessons',
  });

const quizFile = z.strictObject({
  ...withInstructions,
  type: z.literal('quiz'),
  questions: z
    .array(
      z
        .strictObject({
          question: text(1000),
          options: z.array(line(500)).min(2, 'needs at least two').max(8, 'has more than eight'),
          correctAnswer: z.int('must be the number of an option').min(0, 'must be the number of an option'),
          explanation: z.union([z.literal(''), text(2000)], 'must be text').default(''),
        })
        .refine(({ options, correctAnswer }) => correctAnswer < options.length, {
          path: ['correctAnswer'],
          error: 'must be the number of an option, counted from 0',
        }),
      'must be a list',
    )
    .max(100, 'has more than 100'),
});

const codingFile = z
  .strictObject({
    ...lessonFields,
    type: z.literal(coding.name),
    language: z.enum(codingLanguage.enumValues, `must be one of ${codingLanguage.enumValues.join(', ')}`),
    /** Further text in Markdown; a css lesson has its markup in a file instead. */
    content: text(100_000).optional(),
    expectedOutput: code(5000).optional(),
    hints: z.array(text(1000), 'must be a list').max(20, 'has more than 20').default([]),
    tests: z.array(testCase, 'must be a list').max(50, 'has more than 50').default([]),
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
  ...withInstructions,
  type: z.literal('scenario'),
  /** A file inside `scenarios/`. */
  scenario: z
    .string('must be a file name')
    .regex(/^[\w-]{1,120}\.yaml$/, 'must be a plain file name, without folders'),
});

/** What the table needs of a scenario; the scenario feature's own check reads the rest of it. */
const scenarioFile = z.looseObject({
  title: line(200),
  description: text(20_000),
  type: z.enum(scenarioType.enumValues, `must be one of ${scenarioType.enumValues.join(', ')}`),
  difficulty: level.default('intermediate'),
  timeLimit: z.int('must be a whole number of minutes').min(1).max(1440),
  state: z.record(z.string(), z.unknown(), 'must be a mapping'),
  goals: z.array(z.record(z.string(), z.unknown()), 'must be a list'),
  resources: z.array(z.record(z.string(), z.unknown())).default([]),
});

const lessonFile = z.discriminatedUnion('type', [readingFile, quizFile, codingFile, scenarioLessonFile], {
  error: `must be ${anyOf(LESSON_TYPES)}`,
});

type Reading = z.output<typeof readingFile> & { content: string };
type Quiz = z.output<typeof quizFile> & { content: string };
type Coding = Omit<z.output<typeof codingFile>, 'content'> & {
  content: string;
  instructions: string;
  starterCode: string;
  solution: string;
};
type Simulation = Omit<z.output<typeof scenarioLessonFile>, 'scenario'> & {
  content: string;
  definition: z.output<typeof scenarioFile>;
};

/** A lesson as its files say it; `name` is that of its files. */
export type CourseLesson = (Reading | Quiz | Coding | Simulation) & { name: string };

/** A course as its files say it, with the lessons in their order. */
export type CourseContent = WholeCourse & { content: CourseLesson[] };

// The library's own ways to find a key that is there twice, and to show where a mistake is, take seconds for long texts.
const PARSING = { uniqueKeys: false, prettyErrors: false } as const;

/** Words and signs of one YAML text at most: eight times those of a long scenario. */
const YAML_PARTS_MAX = 40_000;

/** Mistakes after which the rest of a course is not read; who mends these finds the others. */
const FAULTS_MAX = 200;

function isTooLong(source: string): boolean {
  let parts = 0;
  for (const _ of new Lexer().lex(source)) {
    parts += 1;
    if (parts > YAML_PARTS_MAX) return true;
  }
  return false;
}

/**
 * What is wrong with the keys of a document, or null: one that is there twice, or one that is no plain text. A mapping
 * as the key of a mapping would be written out as a text for each level above it.
 */
function keyProblem(document: Document.Parsed): { message: string; at: number } | null {
  let problem: { message: string; at: number } | null = null;
  visit(document, {
    Map(_, { items, range }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const at = (key as { range?: [number, number, number] } | null)?.range?.[0] ?? range?.[0] ?? 0;
        if (!isScalar(key)) problem = { message: 'Keys must be plain text', at };
        else if (seen.has(key.value)) problem = { message: 'Map keys must be unique', at };
        else {
          seen.add(key.value);
          continue;
        }
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return problem;
}

/** A mapping in YAML, with the line of each of its fields. */
interface Mapping {
  value: unknown;
  lineOf(path: readonly PropertyKey[]): number;
}

/** The line on which a field of a YAML text stands, from 1; of one that is missing, where it should. */
function lineIn(document: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length);
    const parent = length === 1 ? document.contents : document.getIn(part.slice(0, -1), true);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === part.at(-1))
      : undefined;
    const node = (pair?.key ?? document.getIn(part, true)) as
      | { range?: [number, number, number] }
      | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** As `lineIn`, for a text that was read before; the text is parsed once for however many fields. */
export function linesOf(source: string): (path: readonly string[]) => number {
  const lines = new LineCounter();
  const document = parseDocument(source, { ...PARSING, lineCounter: lines });
  return (path) =>
    lineIn(
      document,
      lines,
      path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
    );
}

class Reader {
  readonly faults: CourseFault[] = [];
  readonly #folder: CourseFolder;
  readonly #complete: boolean;

  constructor(folder: CourseFolder, complete: boolean) {
    this.#folder = folder;
    this.#complete = complete;
  }

  fail(file: string, message: string, field = '', at: number | null = null): void {
    this.faults.push({ file, line: at, field, message });
  }

  async #text(path: string): Promise<string | null> {
    if (!this.#folder.has(path)) {
      this.fail(path, 'is missing');
      return null;
    }
    return this.#folder.text(path);
  }

  /** @param offset lines above the YAML in its file */
  #yaml(source: string, file: string, offset = 0): Mapping | null {
    const lines = new LineCounter();
    try {
      if (isTooLong(source)) {
        this.fail(file, 'is too long');
        return null;
      }
      const document = parseDocument(source, { ...PARSING, lineCounter: lines });
      const [error] = document.errors;
      const problem = error
        ? { message: error.message.split('\n')[0]!, at: error.pos[0] }
        : keyProblem(document);
      if (problem) {
        this.fail(file, problem.message, '', lines.linePos(problem.at).line + offset);
        return null;
      }
      return {
        value: document.toJS() ?? {},
        lineOf: (path) => lineIn(document, lines, path) + offset,
      };
    } catch (error) {
      // Aliases that grow without end, or lists in lists in lists.
      const message =
        error instanceof RangeError ? 'is nested too deeply' : (error as Error).message.split('\n')[0]!;
      this.fail(file, message);
      return null;
    }
  }

  #checked<S extends z.ZodType>(schema: S, mapping: Mapping, file: string): z.output<S> | null {
    const result = schema.safeParse(mapping.value);
    if (result.success) return result.data;
    for (const { path, message, code: kind, ...issue } of result.error.issues) {
      const strange = kind === 'unrecognized_keys' ? (issue as unknown as { keys: string[] }).keys : null;
      const at = strange ? [...path, strange[0]!] : path;
      this.fail(
        file,
        strange ? 'is no key of the format' : message,
        at.map(String).join('.') || 'the file',
        mapping.lineOf(at),
      );
    }
    return null;
  }

  async course(): Promise<CourseContent | null> {
    const file = 'course.yaml';
    const source = await this.#text(file);
    const mapping = source === null ? null : this.#yaml(source, file);
    const course = mapping && this.#checked(courseFile, mapping, file);
    if (!course) return null;
    const { lessons: sections, ...fields } = course;
    if (this.#complete) {
      const lacks = (field: string, message: string) =>
        this.fail(file, message, field, mapping.lineOf([field]));
      if (fields.description.length < 40) lacks('description', 'is too short to describe a course');
      if (!fields.duration) lacks('duration', 'must not be empty');
      if (sections.length === 0) lacks('lessons', 'needs at least one section');
    }
    // The demo's own loader names the files that it does not find.
    if (!this.#complete && isOwnFile(fields.thumbnail) && !this.#folder.has(fields.thumbnail)) {
      this.fail(
        file,
        `names a file that is missing: ${fields.thumbnail}`,
        'thumbnail',
        mapping.lineOf(['thumbnail']),
      );
    }
    const content: CourseLesson[] = [];
    const seen = new Set<string>();
    for (const [index, { section, items }] of sections.entries()) {
      for (const [place, item] of items.entries()) {
        if (seen.has(item)) {
          const path = ['lessons', index, 'items', place];
          this.fail(file, `names the lesson "${item}" twice`, path.join('.'), mapping.lineOf(path));
        }
        seen.add(item);
        if (this.faults.length >= FAULTS_MAX) return null;
        const lesson = await this.#lesson(item, section);
        if (lesson) content.push(lesson);
      }
    }
    return { ...fields, content };
  }

  async #lesson(name: string, section: string): Promise<CourseLesson | null> {
    const file = `lessons/${name}.md`;
    const source = await this.#text(file);
    if (source === null) return null;
    const match = /^---\r?\n(.*?)\r?\n---(?:\r?\n(.*))?$/s.exec(source);
    if (!match) {
      this.fail(file, 'does not begin with a --- block', '', 1);
      return null;
    }
    const mapping = this.#yaml(match[1]!, file, 1);
    const lesson = mapping && this.#checked(lessonFile, mapping, file);
    if (!lesson) return null;
    const lacks = (field: string, message: string) =>
      this.fail(file, message, field, mapping.lineOf([field]));
    const body = (match[2] ?? '').trim();
    const isCoding = lesson.type === coding.name;
    if (body.length > (isCoding ? 20_000 : 100_000)) {
      this.fail(file, `the text is longer than ${isCoding ? 20_000 : 100_000} characters`);
    }
    if (body.includes('\0')) this.fail(file, 'has characters that cannot be stored');
    if (lesson.section !== section) {
      lacks('section', `is "${lesson.section}", but course.yaml lists the lesson under "${section}"`);
    }
    if (this.#complete) {
      if (!lesson.duration) lacks('duration', 'must not be empty');
      if (!lesson.section) lacks('section', 'must not be empty');
    }
    if (lesson.type === 'scenario') {
      const { scenario, ...rest } = lesson;
      const path = `scenarios/${scenario}`;
      const written = await this.#text(path);
      const parsed = written === null ? null : this.#yaml(written, path);
      const definition = parsed && this.#checked(scenarioFile, parsed, path);
      return definition && { ...rest, name, content: body, definition };
    }
    if (isCoding) return this.#coding(name, { ...lesson, lacks, body });
    if (lesson.type === 'quiz') {
      if (this.#complete && lesson.questions.length === 0) lacks('questions', 'needs at least one');
      if (this.#complete && lesson.questions.some(({ explanation }) => !explanation)) {
        lacks('questions', 'each needs an explanation');
      }
      return { ...lesson, name, content: body };
    }
    for (const field of ['file', 'captions'] as const) {
      const reference = lesson[field];
      if (!this.#complete && reference && isOwnFile(reference) && !this.#folder.has(`files/${reference}`)) {
        lacks(field, `names a file that is missing: files/${reference}`);
      }
    }
    if (this.#complete) {
      if (lesson.type !== 'text' && !lesson.file)
        lacks('file', 'belongs to video and document lessons, and those need it');
      if (lesson.type === 'video' && !lesson.captions)
        lacks('captions', 'is missing: every video needs captions');
      if (lesson.watchRequired && !lesson.seconds) {
        lacks('watchRequired', 'needs seconds: the share that was watched is computed from it');
      }
    }
    return { ...lesson, name, content: body };
  }

  async #coding(
    name: string,
    {
      lacks,
      body,
      content = '',
      ...lesson
    }: z.output<typeof codingFile> & { lacks: (field: string, message: string) => void; body: string },
  ): Promise<CourseLesson | null> {
    if (this.#complete && lesson.tests.length === 0 && lesson.expectedOutput === undefined) {
      lacks('tests', 'are missing: a coding lesson needs tests or an expectedOutput');
    }
    const extension = CODE_EXTENSIONS[lesson.language];
    const part = async (kind: string): Promise<string> => {
      const path = `code/${name}.${kind}`;
      if (!this.#complete && !this.#folder.has(path)) return '';
      const found = (await this.#text(path)) ?? '';
      if (found.length > 65_536) this.fail(path, 'is longer than 65536 characters');
      if (found.includes('\0')) this.fail(path, 'has characters that cannot be stored');
      return found;
    };
    return {
      ...lesson,
      name,
      instructions: body,
      starterCode: await part(`starter.${extension}`),
      solution: await part(`solution.${extension}`),
      content: lesson.language === 'css' ? await part('fixture.html') : content,
    };
  }
}

/**
 * Reads a course from its files, in the format of db/seed/README.md.
 *
 * @param complete asks for everything that learners need, such as captions and tests; without it a draft may lack them
 * @throws {CourseFileError} with every mistake, each with its file, line and field
 */
export async function readCourse(
  folder: CourseFolder,
  { complete = false }: { complete?: boolean } = {},
): Promise<CourseContent> {
  const reader = new Reader(folder, complete);
  const course = await reader.course();
  if (reader.faults.length > 0 || !course) throw new CourseFileError(reader.faults);
  return course;
}

/** Keys of a scenario in the order in which people read them; others follow by the alphabet. */
const KEY_ORDER = [
  ...[
    'id',
    'title',
    'description',
    'type',
    'difficulty',
    'timeLimit',
    'state',
    'panels',
    'goals',
    'rules',
    'events',
  ],
  ...[
    'resources',
    'synonyms',
    'label',
    'value',
    'unit',
    'tone',
    'facts',
    'weight',
    'required',
    'after',
    'phrases',
  ],
  ...[
    'needs',
    'unless',
    'when',
    'op',
    'path',
    'effects',
    'feedback',
    'blocked',
    'minutes',
    'penalty',
    'once',
    'ends',
  ],
];

/** The same value with its keys in one order, whatever the database made of them. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const rank = (key: string) => (KEY_ORDER.includes(key) ? KEY_ORDER.indexOf(key) : KEY_ORDER.length);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map(([key, part]) => [key, inOrder(part)]),
  );
}

const yamlOf = (value: unknown) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

/** Only what says something: defaults and what is not there are left out, and the space around texts as in reading. */
function filled(fields: Record<string, unknown>): Record<string, unknown> {
  const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value);
  return Object.fromEntries(
    Object.entries(fields)
      .map(([key, value]) => [key, COMPARED.has(key) ? value : trimmed(value)] as const)
      .filter(([, value]) => (value ?? '') !== '' && !(Array.isArray(value) && value.length === 0)),
  );
}

/** What a program's output is compared with is kept to the last space. */
const COMPARED = new Set(['input', 'expectedOutput']);

/**
 * The text files of a course, by their paths; the files it refers to are added by who has them. Visibility and owner are
 * not part of it: an import decides about those.
 */
export function writeCourse(course: CourseContent): Map<string, string> {
  const files = new Map<string, string>();
  const sections: { section: string; items: string[] }[] = [];
  for (const { section: written, name } of course.content) {
    const section = written.trim();
    const last = sections.at(-1);
    if (last?.section === section) last.items.push(name);
    else sections.push({ section, items: [name] });
  }
  files.set(
    'course.yaml',
    yamlOf({
      ...filled(
        Object.fromEntries(
          COURSE_FIELD_NAMES.filter((name) => name !== 'isActive').map((name) => [
            archiveKey(name),
            formPart(name).control.kind === 'price' ? typedValue(name, course) : course[name],
          ]),
        ),
      ),
      createdBy: 'admin',
      lessons: sections,
    }),
  );
  for (const lesson of course.content) {
    for (const [path, source] of lessonFiles(lesson)) files.set(path, source);
  }
  return files;
}

/** The text files of one lesson, by their paths. */
export function lessonFiles(lesson: CourseLesson): Map<string, string> {
  const files = new Map<string, string>();
  const { name, title, type, section, duration, isPreview, requiredToComplete, points, difficulty } = lesson;
  const head = {
    ...filled({ title, type, section, duration }),
    isPreview,
    requiredToComplete,
    points,
    ...filled({ difficulty }),
  };
  let own: Record<string, unknown>;
  let body = lesson.content;
  if (lesson.type === coding.name) {
    body = lesson.instructions;
    const isCss = lesson.language === 'css';
    own = filled({
      language: lesson.language,
      content: isCss ? undefined : lesson.content,
      expectedOutput: lesson.expectedOutput,
      hints: lesson.hints.map((hint) => hint.trim()),
      tests: lesson.tests.map(({ description, input, expectedOutput, hidden, mode }) =>
        filled({
          description,
          input,
          expectedOutput,
          hidden: hidden || undefined,
          mode: mode === 'call' ? undefined : mode,
        }),
      ),
    });
    const extension = CODE_EXTENSIONS[lesson.language];
    if (lesson.starterCode) files.set(`code/${name}.starter.${extension}`, lesson.starterCode);
    if (lesson.solution) files.set(`code/${name}.solution.${extension}`, lesson.solution);
    if (isCss && lesson.content) files.set(`code/${name}.fixture.html`, lesson.content);
  } else if (lesson.type === 'quiz') {
    own = {
      ...filled({ instructions: lesson.instructions }),
      questions: lesson.questions.map(({ question, options, correctAnswer, explanation }) => ({
        question: question.trim(),
        options: options.map((option) => option.trim()),
        correctAnswer,
        ...filled({ explanation }),
      })),
    };
  } else if (lesson.type === 'scenario') {
    own = filled({ instructions: lesson.instructions, scenario: `${name}.yaml` });
    files.set(`scenarios/${name}.yaml`, yamlOf(inOrder(lesson.definition)));
  } else {
    own = filled({
      instructions: lesson.instructions,
      file: lesson.file,
      captions: lesson.captions,
      seconds: lesson.seconds,
      watchRequired: lesson.watchRequired || undefined,
      acceptsSubmission: lesson.acceptsSubmission || undefined,
    });
  }
  const text = body.trim();
  files.set(`lessons/${name}.md`, `---\n${yamlOf({ ...head, ...own })}---\n${text ? `\n${text}\n` : ''}`);
  return files;
}

/** A lesson as it is to be, but its place and its files. */
export function lessonColumns(lesson: CourseLesson, courseLevel: CourseContent['level']): LessonToWrite {
  const { title, section, type, content, duration, isPreview, requiredToComplete, points } = lesson;
  const { difficulty = courseLevel, instructions = null } = lesson;
  const shared = { title, section, type, content, duration, isPreview, requiredToComplete, points };
  const common = { ...shared, difficulty, instructions };
  if ('questions' in lesson) return { ...common, questions: lesson.questions };
  if ('definition' in lesson) return { ...common, scenario: lesson.definition };
  if ('tests' in lesson) {
    const { language: codingLanguage, tests: testCases, starterCode, solution, hints } = lesson;
    const expectedOutput = lesson.expectedOutput ?? null;
    return { ...common, codingLanguage, testCases, starterCode, solution, hints, expectedOutput };
  }
  const { seconds: durationSeconds = null, watchRequired, acceptsSubmission } = lesson;
  return { ...common, durationSeconds, watchRequired, acceptsSubmission };
}

/** A lesson of the database as its files would say it. */
export function lessonOfRow(
  row: typeof lessons.$inferSelect,
  {
    name,
    file,
    captions,
    questions,
    definition,
    courseLevel,
  }: {
    name: string;
    /** As the course's files call them. */
    file: string | null;
    captions: string | null;
    questions: Quiz['questions'];
    definition: Record<string, unknown> | null;
    courseLevel: CourseContent['level'];
  },
): CourseLesson {
  const shared = {
    name,
    title: row.title,
    section: row.section,
    duration: row.duration,
    isPreview: row.isPreview,
    requiredToComplete: row.requiredToComplete,
    points: row.points,
    content: row.content,
    ...(row.difficulty === courseLevel ? {} : { difficulty: row.difficulty }),
  };
  const instructions = row.instructions?.trim() ? { instructions: row.instructions.trim() } : {};
  if (row.type === coding.name) {
    return {
      ...shared,
      type: row.type,
      language: row.codingLanguage!,
      instructions: row.instructions ?? '',
      starterCode: row.starterCode ?? '',
      solution: row.solution ?? '',
      hints: row.hints,
      tests: row.testCases,
      ...(row.expectedOutput?.trim() ? { expectedOutput: row.expectedOutput } : {}),
    };
  }
  if (row.type === 'quiz') return { ...shared, ...instructions, type: row.type, questions };
  if (row.type === 'scenario') {
    return {
      ...shared,
      ...instructions,
      type: row.type,
      definition: (definition ?? {}) as Simulation['definition'],
    };
  }
  return {
    ...shared,
    ...instructions,
    type: row.type,
    watchRequired: row.watchRequired,
    acceptsSubmission: row.acceptsSubmission,
    ...(file ? { file } : {}),
    ...(captions ? { captions } : {}),
    ...(row.durationSeconds === null ? {} : { seconds: row.durationSeconds }),
  };
}
