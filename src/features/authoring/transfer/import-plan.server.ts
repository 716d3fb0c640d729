import { isPerson } from '#src/features/catalogue/access.server.ts';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { and, count, eq, inArray } from 'drizzle-orm';
import type { Executor } from '#db/client.ts';
import { lessonProgress } from '#db/schema/learn.ts';
import {
  COURSE_FIELD_NAMES,
  COURSE_FIELDS,
  typedValue,
} from '#src/features/authoring/courses/course-fields.ts';
import { changesText } from '#src/features/authoring/changes/changes.ts';
import { pendingChanges } from '#src/features/authoring/changes/changes.server.ts';
import { picturesByDigest } from '#src/features/authoring/media/pictures.server.ts';
import { mayLetPass } from '#src/features/authoring/publishing/finding-overrides.server.ts';
import { counted } from '#src/shared/counted.ts';
import { convertedOf } from './archive-videos.server.ts';
import { toSite, withTexts } from './archive-pictures.server.ts';
import { readStored, type StoredCourse } from './course-export.server.ts';
import type { ImportPlan, ImportRow } from './schema.ts';
import { type CourseContent, lessonFiles, writeCourse } from './course-format.server.ts';
import { withReferences } from './lesson-rows.server.ts';
import type { UnpackedCourse } from './course-zip.server.ts';
import { shownId } from '#src/features/lessons/working-copy.server.ts';
import type { LessonRow } from '#src/features/lessons/lesson-store.server.ts';
import { isOwnFile, type LetPass } from '#src/features/lessons/lesson-format.server.ts';
import { type CourseLesson, lessonFormatOf } from './lesson-formats.server.ts';

/** The parts that a person would tell apart in lessons of every type. */
const PART_LABELS: Record<string, string> = {
  title: 'Title',
  section: 'Section',
  duration: 'Duration',
  isPreview: 'Free preview',
  requiredToComplete: 'Required',
  points: 'Points',
  difficulty: 'Difficulty',
  opening: 'Opens',
  content: 'Content',
  instructions: 'Instructions',
};

/**
 * A lesson as it compares: the names of lessons say nothing but which they are, and the bytes of its file do. The level of its course is its
 * own where it names none, and the order of keys says nothing: the database keeps them in one of its own.
 */
function comparable(
  lesson: CourseLesson,
  level: CourseContent['level'],
  digestOf: (reference: string) => string,
  keyOf: (name: string) => string,
): CourseLesson {
  const { after, ...opening } = lesson.opening ?? {};
  return inOrder({
    ...withReferences(lesson, digestOf),
    opening: lesson.opening && { ...opening, ...(after && { after: after.map(keyOf).sort() }) },
    difficulty: lesson.difficulty ?? level,
    name: 'lesson',
    // What is let pass is kept beside the lesson.
    letPass: undefined,
    // So is what a video was converted to; it may be the work of another machine.
    ...('sizes' in lesson ? { sizes: undefined, poster: undefined } : {}),
  }) as CourseLesson;
}

/** The same with its keys in the order of their names, however deep. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, inOrder(one)]));
}

/** Labels of a course's fields that differ; an import does not touch its visibility. */
function fieldDifferences(before: CourseContent, after: CourseContent): string[] {
  return COURSE_FIELD_NAMES.filter(
    (name) => name !== 'isActive' && typedValue(name, before).trim() !== typedValue(name, after).trim(),
  ).map((name) => COURSE_FIELDS[name].label);
}

function lessonDifferences(before: CourseLesson, after: CourseLesson): string[] {
  const told = (lesson: CourseLesson) => JSON.stringify([...lessonFiles(lesson)]);
  if (told(before) === told(after)) return [];
  const [old, now] = [before, after] as unknown as Record<string, unknown>[];
  const labels: Record<string, string> = { ...PART_LABELS, ...lessonFormatOf(after.type).labels };
  const parts = Object.entries(labels).filter(([part]) => {
    const [a, b] = [old![part], now![part]];
    return !isDeepStrictEqual(typeof a === 'string' ? a.trim() : a, typeof b === 'string' ? b.trim() : b);
  });
  return parts.length > 0 ? parts.map(([, label]) => label) : ['Spelling'];
}

export interface Match {
  lesson: CourseLesson;
  /** The lesson that it changes; null for a new one. */
  before: StoredCourse['lessons'][number] | null;
  changed: string[];
  /** What is let pass in it that does not count yet: what counted for another content counts no more. */
  letPass: readonly LetPass[];
}

/** What an import would do, with the rows it would do it to. */
export interface Plan {
  shown: ImportPlan;
  matches: Match[];
  removed: StoredCourse['lessons'];
  courseChanged: boolean;
  /** Addresses of the pictures that the course has already, by the names that the files give them. */
  pictures: Map<string, string>;
}

/** Finds for each lesson of the files the one that it is a version of: by the name of its file, then by its title. */
function matchLessons(
  course: CourseContent,
  stored: StoredCourse | null,
): Map<CourseLesson, StoredCourse['lessons'][number]> {
  const free = new Set(stored?.lessons ?? []);
  const found = new Map<CourseLesson, StoredCourse['lessons'][number]>();
  for (const isSame of [
    (a: CourseLesson, b: CourseLesson) => a.name === b.name && a.title === b.title,
    (a: CourseLesson, b: CourseLesson) => a.title === b.title && a.section === b.section,
    (a: CourseLesson, b: CourseLesson) => a.title === b.title,
    (a: CourseLesson, b: CourseLesson) => a.name === b.name,
  ]) {
    for (const lesson of course.content) {
      if (found.has(lesson)) continue;
      // The type of a lesson cannot be changed: learners' results are of that type.
      const match = [...free].find((one) => one.lesson.type === lesson.type && isSame(one.lesson, lesson));
      if (!match) continue;
      found.set(lesson, match);
      free.delete(match);
    }
  }
  return found;
}

/** The files of a course that were found good, and the course that they are read into. */
export interface FilesToRead {
  course: CourseContent;
  folder: UnpackedCourse;
  /** Null for a new one. */
  courseId: number | null;
  ignored: string[];
  /** Of the pictures that its texts show. */
  names: string[];
}

/** Addresses of the pictures that a course has already, by the names that the files give them. */
export async function knownPictures(
  executor: Executor,
  names: readonly string[],
  folder: UnpackedCourse,
  stored: Pick<StoredCourse, 'row' | 'files'> | null,
): Promise<Map<string, string>> {
  if (!stored) return new Map();
  const byDigest = await picturesByDigest(executor, stored.row.id);
  // What its texts show now stays what it is, in whoever's library it lies.
  for (const [path, file] of stored.files) {
    if (path.startsWith('pictures/')) byDigest.set(file.sha256, file.path);
  }
  return new Map(
    names.flatMap((name) => {
      const address = byDigest.get(folder.binaries.get(`pictures/${name}`)!.sha256);
      return address ? [[name, address] as const] : [];
    }),
  );
}

/**
 * Compares the files of a course with the course that they are read into, if there is one.
 *
 * @throws {AppError} not_found for a course that is not there
 */
export async function makePlan(
  executor: Executor,
  { course, folder, courseId, ignored, names }: FilesToRead,
): Promise<Plan & { stored: StoredCourse | null }> {
  const stored = courseId === null ? null : await readStored(executor, courseId, 'worked on');
  const pictures = await knownPictures(executor, names, folder, stored);
  const digestOf = (path: string) => folder.binaries.get(path)?.sha256;
  // The same picture is the same one whatever its file is called.
  const newText = (text: string) =>
    toSite(text, (name) => pictures.get(name) ?? digestOf(`pictures/${name}`) ?? null);
  const oldText = (text: string) =>
    toSite(text, (name) => stored?.files.get(`pictures/${name}`)?.path ?? null);
  const newDigest = (place: string) => (reference: string) =>
    (isOwnFile(reference) && digestOf(`${place}${reference}`)) || reference;
  const oldDigest = (place: string) => (reference: string) =>
    stored?.files.get(`${place}${reference}`)?.sha256 ?? reference;
  const found = matchLessons(course, stored);
  const key = (row: LessonRow) => `#${shownId(row)}`;
  const oldKeys = new Map(stored?.lessons.map(({ row, lesson }) => [lesson.name, key(row)]));
  const newKeys = new Map([...found].map(([{ name }, { row }]) => [name, key(row)]));
  const removed = (stored?.lessons ?? []).filter((one) => ![...found.values()].includes(one));
  // Places among those that stay: a lesson that is only pushed down by a new one has not moved.
  const staying = (stored?.lessons ?? []).filter((one) => !removed.includes(one));
  const arriving = course.content.flatMap((lesson) => found.get(lesson) ?? []);
  const matches = course.content.map((lesson): Match => {
    const before = found.get(lesson) ?? null;
    const letPass = mayLetPass() ? (lesson.letPass ?? []) : [];
    if (!before) return { lesson, before, changed: [], letPass };
    const changed = lessonDifferences(
      comparable(
        withTexts(before.lesson, oldText),
        stored!.row.level,
        oldDigest('files/'),
        (name) => oldKeys.get(name) ?? name,
      ),
      comparable(
        withTexts(lesson, newText),
        course.level,
        newDigest('files/'),
        (name) => newKeys.get(name) ?? name,
      ),
    );
    if (convertedOf(lesson).sizes && !convertedOf(before.lesson).sizes) changed.push('Sizes');
    if (staying.indexOf(before) !== arriving.indexOf(before)) changed.push('Place');
    const known = changed.length > 0 ? [] : (before.lesson.letPass ?? []);
    const isNew = ({ finding, reason }: LetPass) =>
      !known.some((one) => one.finding === finding && one.reason === reason);
    return { lesson, before, changed, letPass: letPass.filter(isNew) };
  });
  const courseDetails = stored
    ? fieldDifferences(
        {
          ...stored.content,
          thumbnail: oldDigest('')(stored.content.thumbnail),
          description: oldText(stored.content.description),
        },
        { ...course, thumbnail: newDigest('')(course.thumbnail), description: newText(course.description) },
      )
    : [];
  const emptyOf = ({ empty = [] }: CourseContent, keys: ReadonlyMap<string, string> | undefined) =>
    empty.map(({ title, before }) => [title, before && (keys?.get(before) ?? before)]);
  if (stored && !isDeepStrictEqual(emptyOf(stored.content, oldKeys), emptyOf(course, newKeys))) {
    courseDetails.push('Sections');
  }
  const completions = await completionsOf(
    executor,
    [...removed, ...arriving].map(({ row }) => shownId(row)),
  );
  // Of changes that wait it is asked when they are published what they are for those who have completed the lesson.
  const waits = stored?.row.publishedAt != null;
  const rows: ImportRow[] = [
    {
      kind: 'course',
      title: course.title,
      change: !stored ? 'new' : courseDetails.length > 0 ? 'changed' : 'unchanged',
      details: courseDetails,
    },
    ...matches.map(({ lesson, before, changed, letPass }): ImportRow => {
      const learners =
        before && changed.length > 0 && !waits ? (completions.get(shownId(before.row)) ?? 0) : 0;
      return {
        kind: 'lesson',
        title: lesson.title,
        change: !before ? 'new' : changed.length + letPass.length > 0 ? 'changed' : 'unchanged',
        details:
          letPass.length > 0 ? [...changed, `${counted(letPass.length, 'finding')} let pass`] : changed,
        ...(learners > 0
          ? { completed: { lessonId: shownId(before!.row), name: lesson.name, learners } }
          : {}),
      };
    }),
    ...removed.map(({ row }): ImportRow => {
      const done = completions.get(shownId(row)) ?? 0;
      const lost = `${counted(done, 'learner')} completed it: their results and points for it go with it`;
      return { kind: 'lesson', title: row.title, change: 'removed', details: done > 0 ? [lost] : [] };
    }),
  ];
  // What the files say and what they meet: if either changes between looking and doing, the plan is another one.
  const digest = createHash('sha256')
    .update(
      JSON.stringify([
        courseId,
        rows,
        [...writeCourse(course)],
        [...folder.binaries].map(([path, { sha256 }]) => [path, sha256]),
        [...pictures],
        stored?.row.version ?? 0,
        stored?.row.emptySections ?? [],
        stored?.lessons.map(({ row }) => [shownId(row), row.version, row.order]) ?? [],
      ]),
    )
    .digest('hex');
  return {
    shown: {
      courseId,
      title: stored?.row.title ?? course.title,
      rows,
      waits,
      waiting: courseId === null ? '' : changesText(await pendingChanges(courseId, executor)),
      newPictures: names.length - pictures.size,
      ignored,
      digest,
    },
    pictures,
    matches,
    removed,
    courseChanged: courseDetails.length > 0,
    stored,
  };
}

async function completionsOf(executor: Executor, ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await executor
    .select({ lessonId: lessonProgress.lessonId, done: count() })
    .from(lessonProgress)
    .where(
      and(
        inArray(lessonProgress.lessonId, ids),
        eq(lessonProgress.completed, true),
        isPerson(lessonProgress.userId),
      ),
    )
    .groupBy(lessonProgress.lessonId);
  return new Map(rows.map(({ lessonId, done }) => [lessonId, done]));
}
