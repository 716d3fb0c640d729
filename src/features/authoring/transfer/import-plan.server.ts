import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Executor } from '#db/client.ts';
import {
  COURSE_FIELD_NAMES,
  COURSE_FIELDS,
  typedValue,
} from '#src/features/authoring/courses/course-fields.ts';
import { changesText } from '#src/features/authoring/changes/changes.ts';
import { completionsOf, pendingChanges } from '#src/features/authoring/changes/changes.server.ts';
import { lessonFieldLabel } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { placedBefore } from '#src/features/authoring/lesson-editor/list/sections.ts';
import { picturesByDigest } from '#src/features/authoring/media/pictures.server.ts';
import { mayLetPass } from '#src/features/authoring/publishing/finding-overrides.server.ts';
import { counted } from '#src/shared/counted.ts';
import { convertedOf } from './archive-videos.server.ts';
import { toSite, withTexts } from './archive-pictures.server.ts';
import { readStored, type StoredCourse } from './course-export.server.ts';
import type { ImportRow } from './schema.ts';
import { type CourseContent, lessonFiles, writeCourse } from './course-format.server.ts';
import { withReferences } from './lesson-rows.server.ts';
import type { UnpackedCourse } from './course-zip.server.ts';
import { shownId } from '#src/features/lessons/working-copy.server.ts';
import type { LessonRow } from '#src/features/lessons/lesson-store.server.ts';
import type { LetPass } from '#src/features/lessons/lesson-format.server.ts';
import { type CourseLesson, lessonFormatOf } from './lesson-formats.server.ts';

const PARTS = [
  ...(['title', 'section', 'duration', 'isPreview', 'requiredToComplete', 'points'] as const),
  ...(['difficulty', 'opening', 'content', 'instructions'] as const),
];

interface Side {
  course: CourseContent;
  pictureOf: (name: string) => string | undefined;
  digestOf: (path: string) => string | undefined;
  keys: ReadonlyMap<string, string>;
}

const textOn = (side: Side, text: string) => toSite(text, (name) => side.pictureOf(name) ?? null);

/**
 * Names of lessons are not compared, the bytes of files are. A missing level is its course's; keys are
 * sorted, because the database reorders them.
 */
function lessonOn(side: Side, lesson: CourseLesson): CourseLesson {
  const { after, ...opening } = lesson.opening ?? {};
  const keyOf = (name: string) => side.keys.get(name) ?? name;
  const withSite = withTexts(lesson, (text) => textOn(side, text));
  return inOrder({
    ...withReferences(withSite, (reference) => side.digestOf(`files/${reference}`) ?? reference),
    opening: lesson.opening && { ...opening, ...(after && { after: after.map(keyOf).sort() }) },
    difficulty: lesson.difficulty ?? side.course.level,
    name: 'lesson',
    letPass: undefined,
    // Another machine may have converted it.
    ...('sizes' in lesson ? { sizes: undefined, poster: undefined } : {}),
  }) as CourseLesson;
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, inOrder(one)]));
}

function courseDifferences(...sides: [Side, Side]): string[] {
  const [before, after] = sides.map((side) => ({
    ...side.course,
    thumbnail: side.digestOf(side.course.thumbnail) ?? side.course.thumbnail,
    description: textOn(side, side.course.description),
  })) as [CourseContent, CourseContent];
  const [empty, emptyAfter] = sides.map(({ course, keys }) =>
    placedBefore(course.empty ?? [], (name) => keys.get(name) ?? name),
  );
  return [
    ...COURSE_FIELD_NAMES.filter(
      (name) => name !== 'isActive' && typedValue(name, before).trim() !== typedValue(name, after).trim(),
    ).map((name) => COURSE_FIELDS[name].label),
    ...(isDeepStrictEqual(empty, emptyAfter) ? [] : ['Sections']),
  ];
}

function lessonDifferences(before: CourseLesson, after: CourseLesson): string[] {
  const told = (lesson: CourseLesson) => JSON.stringify([...lessonFiles(lesson)]);
  if (told(before) === told(after)) return [];
  const [old, now] = [before, after] as unknown as Record<string, unknown>[];
  const labels: Record<string, string> = {
    ...Object.fromEntries(PARTS.map((name) => [name, lessonFieldLabel(name)])),
    ...lessonFormatOf(after.type).labels,
  };
  const parts = Object.entries(labels).filter(([part]) => {
    const [a, b] = [old![part], now![part]];
    return !isDeepStrictEqual(typeof a === 'string' ? a.trim() : a, typeof b === 'string' ? b.trim() : b);
  });
  return parts.length > 0 ? parts.map(([, label]) => label) : ['Spelling'];
}

export interface Match {
  lesson: CourseLesson;
  before: StoredCourse['lessons'][number] | null;
  changed: string[];
  letPass: readonly LetPass[];
}

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
      // Learners' results depend on the type, so it never changes.
      const match = [...free].find((one) => one.lesson.type === lesson.type && isSame(one.lesson, lesson));
      if (!match) continue;
      found.set(lesson, match);
      free.delete(match);
    }
  }
  return found;
}

export interface FilesToRead {
  course: CourseContent;
  folder: UnpackedCourse;
  courseId: number | null;
  ignored: string[];
  names: string[];
}

async function knownPictures(
  executor: Executor,
  { names, folder }: FilesToRead,
  { row, files }: StoredCourse,
): Promise<Map<string, string>> {
  const byDigest = await picturesByDigest(executor, row.id);
  for (const [path, file] of files) if (path.startsWith('pictures/')) byDigest.set(file.sha256, file.path);
  return new Map(
    names.flatMap((name) => {
      const address = byDigest.get(folder.binaries.get(`pictures/${name}`)!.sha256);
      return address ? [[name, address] as const] : [];
    }),
  );
}

/**
 * Compares files with the course that they are read into, if any.
 * @throws {AppError} not_found
 */
export async function makePlan(executor: Executor, read: FilesToRead) {
  const { course, folder, courseId, ignored, names } = read;
  const stored = courseId === null ? null : await readStored(executor, courseId, 'worked on');
  const pictures = stored ? await knownPictures(executor, read, stored) : new Map<string, string>();
  const found = matchLessons(course, stored);
  const key = (row: LessonRow) => `#${shownId(row)}`;
  const digestOf = (path: string) => folder.binaries.get(path)?.sha256;
  const now: Side = {
    course,
    pictureOf: (name) => pictures.get(name) ?? digestOf(`pictures/${name}`),
    digestOf,
    keys: new Map([...found].map(([{ name }, { row }]) => [name, key(row)])),
  };
  const old: Side | null = stored && {
    course: stored.content,
    pictureOf: (name) => stored.files.get(`pictures/${name}`)?.path,
    digestOf: (path) => stored.files.get(path)?.sha256,
    keys: new Map(stored.lessons.map(({ row, lesson }) => [lesson.name, key(row)])),
  };
  const removed = (stored?.lessons ?? []).filter((one) => ![...found.values()].includes(one));
  // Among those that stay: a lesson pushed down by a new one has not moved.
  const staying = (stored?.lessons ?? []).filter((one) => !removed.includes(one));
  const arriving = course.content.flatMap((lesson) => found.get(lesson) ?? []);
  const matches = course.content.map((lesson): Match => {
    const before = found.get(lesson) ?? null;
    const letPass = mayLetPass() ? (lesson.letPass ?? []) : [];
    if (!before) return { lesson, before, changed: [], letPass };
    const changed = lessonDifferences(lessonOn(old!, before.lesson), lessonOn(now, lesson));
    if (convertedOf(lesson).sizes && !convertedOf(before.lesson).sizes) changed.push('Sizes');
    if (staying.indexOf(before) !== arriving.indexOf(before)) changed.push('Place');
    const known = changed.length > 0 ? [] : (before.lesson.letPass ?? []);
    const isNew = ({ finding, reason }: LetPass) =>
      !known.some((one) => one.finding === finding && one.reason === reason);
    return { lesson, before, changed, letPass: letPass.filter(isNew) };
  });
  const courseDetails = old ? courseDifferences(old, now) : [];
  const completions = await completionsOf(
    [...removed, ...arriving].map(({ row }) => shownId(row)),
    executor,
  );
  // For waiting changes, publishing asks whether they are new versions.
  const waits = stored?.row.publishedAt != null;
  const rows: ImportRow[] = [
    {
      kind: 'course',
      title: course.title,
      change: !stored ? 'new' : courseDetails.length > 0 ? 'changed' : 'unchanged',
      details: courseDetails,
    },
    ...matches.map(({ lesson: { title, name }, before, changed, letPass }): ImportRow => {
      const passed = letPass.length > 0 ? [`${counted(letPass.length, 'finding')} let pass`] : [];
      const details = [...changed, ...passed];
      const change = !before ? 'new' : details.length > 0 ? 'changed' : 'unchanged';
      const lessonId = before && changed.length > 0 && !waits ? shownId(before.row) : 0;
      const learners = completions.get(lessonId);
      const completed = learners ? { completed: { lessonId, name, learners } } : {};
      return { kind: 'lesson', title, change, details, ...completed };
    }),
    ...removed.map(({ row }): ImportRow => {
      const done = completions.get(shownId(row)) ?? 0;
      const lost = `${counted(done, 'learner')} completed it: their results and points for it go with it`;
      return { kind: 'lesson', title: row.title, change: 'removed', details: done > 0 ? [lost] : [] };
    }),
  ];
  // Covers the files and what they meet: a change of either makes another plan.
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
