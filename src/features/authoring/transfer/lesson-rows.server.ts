import type { LessonRow, LessonToWrite } from '#src/features/lessons/lesson-store.server.ts';
import { FILE_COLUMNS, type FileColumn, lessonType } from '#src/features/lessons/registry.ts';
import type { RowParts } from '#src/features/lessons/lesson-format.server.ts';
import { type CourseLesson, lessonFormatOf } from './lesson-formats.server.ts';
import type { Level } from '#src/features/catalogue/catalogue.ts';

/** A lesson as it is to be, but its place and its files. */
export function lessonColumns(lesson: CourseLesson, courseLevel: Level): LessonToWrite {
  const { title, section, type, content, duration, isPreview, requiredToComplete, points } = lesson;
  const { difficulty = courseLevel, instructions = null, opening = {} } = lesson;
  const shared = { title, section, type, content, duration, isPreview, requiredToComplete, points };
  return { ...shared, opening, difficulty, instructions, ...lessonFormatOf(type).columns(lesson) };
}

/** A lesson of the database as its files would say it. */
export function lessonOfRow(
  row: LessonRow,
  {
    name,
    courseLevel,
    ...parts
  }: RowParts & {
    name: string;
    courseLevel: Level;
  },
): CourseLesson {
  const isBody = lessonType(row.type).text.field === 'instructions';
  const instructions = isBody ? (row.instructions ?? '') : row.instructions?.trim() || undefined;
  return {
    name,
    type: row.type,
    title: row.title,
    section: row.section,
    duration: row.duration,
    isPreview: row.isPreview,
    requiredToComplete: row.requiredToComplete,
    points: row.points,
    difficulty: row.difficulty === courseLevel ? undefined : row.difficulty,
    opening: Object.keys(row.opening).length > 0 ? row.opening : undefined,
    letPass: parts.letPass.length > 0 ? parts.letPass : undefined,
    content: row.content,
    instructions,
    ...lessonFormatOf(row.type).fromRow(row, parts),
  } as CourseLesson;
}

/** The files that a lesson names: the key that names each, what it says, and the column of the address. */
export function referencesOf(lesson: CourseLesson): [key: string, reference: string, column: FileColumn][] {
  const named = lesson as unknown as Record<string, string | undefined>;
  return Object.entries(lessonFormatOf(lesson.type).references ?? {}).flatMap(([key, column]) =>
    named[key] ? [[key, named[key], column] as [string, string, FileColumn]] : [],
  );
}

/** A file that a lesson names, where it is kept; size and type as far as they are known. */
export interface PlacedFile {
  path: string;
  size: number | null;
  mimeType: string | null;
}

/**
 * The columns of a lesson's files; those that it does not name are empty.
 *
 * @param place keeps the file that a reference names, or finds it; null where it is not there
 */
export async function fileColumnsOf(
  lesson: CourseLesson,
  place: (reference: string) => Promise<PlacedFile | null>,
): Promise<Pick<LessonToWrite, FileColumn | 'fileSize' | 'mimeType'>> {
  const columns: Pick<LessonToWrite, FileColumn | 'fileSize' | 'mimeType'> = {
    ...Object.fromEntries(FILE_COLUMNS.map((column) => [column, null])),
    fileSize: null,
    mimeType: null,
  };
  for (const [, reference, column] of referencesOf(lesson)) {
    const file = await place(reference);
    columns[column] = file?.path ?? null;
    if (column === 'fileUrl' && file)
      Object.assign(columns, { fileSize: file.size, mimeType: file.mimeType });
  }
  return columns;
}
