import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { LESSON_TYPES, lessonType } from '#src/features/lessons/registry.ts';
import {
  archiveKey,
  builtInputs,
  COURSE_FIELD_NAMES,
  type CourseField,
  type CourseValues,
  courseInputs,
  formPart,
  typedValue,
  type WholeCourse,
} from '#src/features/authoring/courses/course-fields.ts';
import {
  fileReference,
  filled,
  flag,
  isOwnFile,
  level,
  optionalLine,
  yamlOf,
} from '#src/features/lessons/lesson-format.server.ts';
import { openingProblem } from '#src/features/lessons/opening.ts';
import { EMPTY_SECTIONS_MAX } from '#src/features/authoring/lesson-editor/schema.ts';
import { flattened, placedBefore, sectionsOf } from '#src/features/authoring/lesson-editor/list/sections.ts';
import { pictureNamesIn, textsOf } from './archive-pictures.server.ts';
import { type CourseLesson, lessonFormatOf } from './lesson-formats.server.ts';
import { linksOf } from '#src/features/authoring/publishing/check-links.server.ts';
import { pick } from '#src/shared/pick.ts';
import { anyOf } from '#src/shared/fields.ts';
import type { CourseFault } from './schema.ts';
import { isTooLong, keyProblem, lineIn, type Mapping, PARSING } from './course-yaml.ts';
import { referencesOf } from './lesson-rows.server.ts';

// The format of db/seed/README.md. The demo catalogue, exports and imports share this reader and writer.

export const faultOf = (file: string, message: string): CourseFault => ({
  file,
  line: null,
  field: '',
  message,
});

/** Holds every mistake in the files; its message is the first. */
export class CourseFileError extends Error {
  override name = 'CourseFileError';
  readonly faults: readonly CourseFault[];

  constructor(faults: readonly CourseFault[]) {
    const { file, field, message } = faults[0]!;
    super(`${file}: ${field ? `${field}: ` : ''}${message}`);
    this.faults = faults;
  }
}

export interface CourseFolder {
  has(path: string): boolean;
  text(path: string): Promise<string>;
}

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

const IN_FILES: { [F in CourseField]?: z.ZodType<CourseValues[F]> } = {
  level,
  price: quoted(6).pipe(courseInputs.price),
  originalPrice: quoted(7).pipe(courseInputs.originalPrice),
  duration: builtInputs.duration,
  // Courses of the builder have none at first.
  thumbnail: fileReference.default(''),
  isActive: flag.default(true),
};

const fieldsOfFile: Record<string, z.ZodType> = Object.fromEntries(
  COURSE_FIELD_NAMES.map((name) => [archiveKey(name), IN_FILES[name] ?? courseInputs[name]]),
);

const sectionList = z.array(
  z
    .strictObject({
      section: optionalLine(100),
      items: z.array(
        z.string('must be a file name').regex(/^[\w-]{1,120}$/, 'must be a file name without .md'),
      ),
    })
    .refine(({ section, items }) => section !== '' || items.length > 0, {
      path: ['items'],
      error: 'needs at least one lesson, or its section a name',
    }),
  'must be a list of sections',
);

const courseFile = z
  .strictObject({
    ...fieldsOfFile,
    createdBy: z.literal('admin', 'must be admin').default('admin'),
    /** The course's address on the exporting site. */
    exportedFrom: z
      .url({ protocol: /^https?$/, error: 'must be an address' })
      .max(500)
      .optional(),
    lessons: sectionList,
  })
  .transform(({ lessons, createdBy: _, exportedFrom = null, ...written }) => {
    const byKey: Record<string, unknown> = written;
    const fields = Object.fromEntries(COURSE_FIELD_NAMES.map((name) => [name, byKey[archiveKey(name)]]));
    return { ...(fields as WholeCourse), exportedFrom, lessons };
  });

/** Finds the lessons' files although course.yaml is wrong elsewhere. */
const listOnly = z.looseObject({ lessons: sectionList });
const hasCategory = z.looseObject({ category: z.int() });

export type CourseContent = WholeCourse & {
  content: CourseLesson[];
  /** Sections without lessons, each with the name of the lesson that follows. */
  empty?: { title: string; before: string | null }[];
};

const lessonHead = z.looseObject({ type: z.enum(LESSON_TYPES, `must be ${anyOf(LESSON_TYPES)}`) });

/** Characters of a lesson's body. */
const BODY_MAX = { content: 100_000, instructions: 20_000 } as const;

const FAULTS_MAX = 200;

class Reader {
  readonly faults: CourseFault[] = [];
  readonly #folder: CourseFolder;
  readonly #complete: boolean;
  readonly #lines = new Map<string, Mapping['lineOf']>();

  constructor(folder: CourseFolder, complete: boolean) {
    this.#folder = folder;
    this.#complete = complete;
  }

  fail(file: string, message: string, field = '', at: number | null = null): void {
    this.faults.push({ file, line: at, field, message });
  }

  lacks(file: string, field: string, message: string): void {
    this.fail(file, message, field, this.#lines.get(file)?.(field.split('.')) ?? null);
  }

  async #text(path: string): Promise<string | null> {
    if (!this.#folder.has(path)) {
      this.fail(path, 'is missing');
      return null;
    }
    try {
      return await this.#folder.text(path);
    } catch (error) {
      if (!(error instanceof CourseFileError)) throw error;
      this.faults.push(...error.faults);
      return null;
    }
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
      const lineOf: Mapping['lineOf'] = (path) => lineIn(document, lines, path) + offset;
      this.#lines.set(file, lineOf);
      return { value: document.toJS() ?? {}, lineOf };
    } catch (error) {
      // Aliases without end, or lists nested too deep.
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

  async course(): Promise<Omit<ReadCourse, 'faults' | 'lacks'>> {
    const file = 'course.yaml';
    const source = await this.#text(file);
    const mapping = source === null ? null : this.#yaml(source, file);
    const course = mapping && this.#checked(courseFile, mapping, file);
    const sections = course?.lessons ?? listOnly.safeParse(mapping?.value).data?.lessons;
    if (!mapping || !sections) return { course: null, lessons: [], category: null, exportedFrom: null };
    const category = hasCategory.safeParse(mapping.value).data?.category ?? null;
    const partial = { course: null, category, exportedFrom: null };
    if (course) this.#fields(course, sections.length);
    const content: CourseLesson[] = [];
    const seen = new Set<string>();
    for (const [index, { section, items }] of sections.entries()) {
      for (const [place, item] of items.entries()) {
        if (seen.has(item)) {
          this.lacks(file, `lessons.${index}.items.${place}`, `names the lesson "${item}" twice`);
          continue;
        }
        seen.add(item);
        if (this.faults.length >= FAULTS_MAX) return { ...partial, lessons: content };
        const lesson = await this.#lesson(item, section);
        if (lesson) content.push(lesson);
      }
    }
    this.#openings(content, seen);
    if (!course) return { ...partial, lessons: content };
    const { lessons: _, exportedFrom, ...fields } = course;
    const empty = emptyIn(sections);
    if (empty.length > EMPTY_SECTIONS_MAX) {
      this.lacks(file, 'lessons', `A course has at most ${EMPTY_SECTIONS_MAX} sections without lessons`);
    }
    return { course: { ...fields, content, empty }, lessons: content, category, exportedFrom };
  }

  #openings(content: readonly CourseLesson[], names: ReadonlySet<string>): void {
    const idOf = new Map([...names].map((name, index) => [name, index + 1]));
    const lessons = content.map((lesson) => ({
      ...lesson,
      id: idOf.get(lesson.name)!,
      opening: { ...lesson.opening, after: lesson.opening?.after?.flatMap((name) => idOf.get(name) ?? []) },
    }));
    for (const [index, { name, opening }] of content.entries()) {
      if (!opening?.after) continue;
      const fail = (message: string) => this.lacks(`lessons/${name}.md`, 'opening.after', message);
      const missing = opening.after.find((one) => !names.has(one));
      if (missing !== undefined) fail(`names a lesson that is missing: ${missing}`);
      else if (content.length === names.size) {
        const problem = openingProblem(lessons, lessons[index]!);
        if (problem) fail(problem.message);
      }
    }
  }

  #fields(fields: WholeCourse, sections: number): void {
    const lacks = (field: string, message: string) => this.lacks('course.yaml', field, message);
    if (this.#complete) {
      if (fields.description.length < 40) lacks('description', 'is too short to describe a course');
      if (!fields.duration) lacks('duration', 'must not be empty');
      if (sections === 0) lacks('lessons', 'needs at least one section');
    }
    // The demo's loader reports missing files itself.
    if (!this.#complete && isOwnFile(fields.thumbnail) && !this.#folder.has(fields.thumbnail)) {
      lacks('thumbnail', `names a file that is missing: ${fields.thumbnail}`);
    }
    for (const name of this.#missingPictures(fields.description)) {
      lacks('description', `names a picture that is missing: pictures/${name}`);
    }
  }

  #missingPictures(text: string): string[] {
    const names = pictureNamesIn(text).filter((name) => !this.#folder.has(`pictures/${name}`));
    if (names.length === 0) return [];
    const shown = linksOf(text).map(({ address }) => address);
    return names.filter((name) => shown.some((address) => address.endsWith(`pictures/${name}`)));
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
    const type = mapping && this.#checked(lessonHead, mapping, file)?.type;
    const front = type && this.#checked(lessonFormatOf(type).front, mapping, file);
    const body = (match[2] ?? '').trim();
    if (body.includes('\0')) this.fail(file, 'has characters that cannot be stored');
    if (!type) return null;
    const { field } = lessonType(type).text;
    if (body.length > BODY_MAX[field]) {
      this.fail(file, `the text is longer than ${BODY_MAX[field]} characters`);
    }
    if (!front) return null;
    const lacks = (field: string, message: string) => this.lacks(file, field, message);
    if (front.section !== section) {
      lacks('section', `is "${front.section}", but course.yaml lists the lesson under "${section}"`);
    }
    if (this.#complete) {
      if (!front.duration) lacks('duration', 'must not be empty');
      if (!front.section) lacks('section', 'must not be empty');
    }
    const own = await lessonFormatOf(type).read(front, {
      name,
      complete: this.#complete,
      has: (path) => this.#folder.has(path),
      text: (path) => this.#text(path),
      yaml: (path, schema) => this.#parsed(path, schema),
      lacks,
      fail: (path, message) => this.fail(path, message),
    });
    if (!own) return null;
    const { instructions, ...head } = front;
    const texts = { content: '', ...(instructions ? { instructions } : {}), [field]: body };
    const lesson = { ...head, ...texts, ...own, name } as CourseLesson;
    for (const [key, reference] of referencesOf(lesson)) {
      if (!this.#complete && isOwnFile(reference) && !this.#folder.has(`files/${reference}`)) {
        lacks(key, `names a file that is missing: files/${reference}`);
      }
    }
    for (const name of new Set(textsOf(lesson).flatMap((text) => this.#missingPictures(text)))) {
      const at = source.split('\n').findIndex((line) => line.includes(`pictures/${name}`)) + 1;
      this.fail(file, `names a picture that is missing: pictures/${name}`, '', at || null);
    }
    return lesson;
  }

  async #parsed<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S> | null> {
    const source = await this.#text(path);
    const mapping = source === null ? null : this.#yaml(source, path);
    return mapping && this.#checked(schema, mapping, path);
  }
}

export interface ReadCourse {
  /** Null where course.yaml is too wrong to go on. */
  course: CourseContent | null;
  /** Those that could be read, even where `course` is null. */
  lessons: CourseLesson[];
  category: number | null;
  exportedFrom: string | null;
  faults: CourseFault[];
  lacks(file: string, field: string, message: string): void;
}

/**
 * Reads a course from its files, with every mistake.
 * @param complete requires what learners need, such as captions and tests; a draft may lack them
 */
export async function inspectCourse(
  folder: CourseFolder,
  { complete = false }: { complete?: boolean } = {},
): Promise<ReadCourse> {
  const reader = new Reader(folder, complete);
  const read = await reader.course();
  return {
    ...read,
    faults: reader.faults,
    lacks: (file, field, message) => reader.lacks(file, field, message),
  };
}

function emptyIn(sections: z.output<typeof sectionList>): NonNullable<CourseContent['empty']> {
  const names = [...new Set(sections.flatMap(({ items }) => items))];
  const { empty } = flattened(
    sections.map(({ section, items }) => ({
      key: section,
      title: section,
      lessons: items.map((name) => ({ id: names.indexOf(name), section })),
    })),
  );
  return placedBefore(empty, (before) => names[before]!);
}

/**
 * The text files of a course by path, without visibility and owner: an import decides about those.
 * @param exportedFrom address of the course, by which an import finds it again
 */
export function writeCourse(
  course: CourseContent,
  { exportedFrom }: { exportedFrom?: string } = {},
): Map<string, string> {
  const files = new Map<string, string>();
  const names = course.content.map(({ name }) => name);
  const sections = sectionsOf(
    course.content.map(({ section }, id) => ({ id, section: section.trim() })),
    placedBefore(course.empty ?? [], (before) => names.indexOf(before)),
  ).map(({ title, lessons }) => ({ section: title, items: lessons.map(({ id }) => names[id]!) }));
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
      ...filled({ exportedFrom }),
      lessons: sections,
    }),
  );
  for (const lesson of course.content) {
    for (const [path, source] of lessonFiles(lesson)) files.set(path, source);
  }
  return files;
}

/** The text files of one lesson by path. */
export function lessonFiles(lesson: CourseLesson): Map<string, string> {
  const files = new Map<string, string>();
  const { name, title, type, section, duration, opening, letPass, difficulty } = lesson;
  const head = {
    ...filled({ title, type, section, duration }),
    ...pick(lesson, ['isPreview', 'requiredToComplete', 'points']),
    ...filled({ difficulty, opening, letPass }),
  };
  const format = lessonFormatOf(type);
  const own = Object.fromEntries(Object.entries(lesson).filter(([key]) => key in format.labels));
  const written = format.write?.(lesson) ?? { keys: own, files: {} };
  const { field } = lessonType(type).text;
  const beside = field === 'instructions' ? undefined : lesson.instructions;
  const front = { ...head, ...filled({ instructions: beside, ...written.keys }) };
  const text = (lesson[field] ?? '').trim();
  files.set(`lessons/${name}.md`, `---\n${yamlOf(front)}---\n${text ? `\n${text}\n` : ''}`);
  for (const [path, source] of Object.entries(written.files)) if (source) files.set(path, source);
  return files;
}
