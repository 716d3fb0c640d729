import type { LessonRow, LessonToWrite } from '#src/features/lessons/lesson-store.server.ts';
import { FILE_COLUMNS, type FileColumn, lessonType } from '#src/features/lessons/registry.ts';
import { keptOpening, type Opening } from '#src/features/lessons/opening.ts';
import { omit, pick } from '#src/shared/pick.ts';
import type { RowParts } from '#src/features/lessons/lesson-format.server.ts';
import { type CourseLesson, lessonFormatOf } from './lesson-formats.server.ts';
import type { Level } from '#src/features/catalogue/catalogue.ts';

const SHARED = [
  ...(['title', 'section', 'type', 'content', 'duration'] as const),
  ...(['isPreview', 'requiredToComplete', 'points'] as const),
];

/**
 * A lesson's columns, without its place and opening.
 * @param place finds or stores the file of a reference; null where it is missing
 */
export async function lessonColumns(
  lesson: CourseLesson,
  courseLevel: Level,
  place: Place,
): Promise<LessonToWrite> {
  const { difficulty = courseLevel, instructions = null, opening = {} } = lesson;
  return {
    ...pick(lesson, SHARED),
    opening: omit(opening, ['after']),
    difficulty,
    instructions,
    ...lessonFormatOf(lesson.type).columns(lesson),
    ...(await fileColumnsOf(lesson, place)),
  };
}

/** The openings of lessons that wait for others, once all have ids. */
export function openingsByName(
  lessons: readonly CourseLesson[],
  idOf: ReadonlyMap<string, number>,
  own = idOf,
): { id: number; opening: Opening }[] {
  return lessons.flatMap(({ name, opening }) => {
    const after = opening?.after?.flatMap((one) => idOf.get(one) ?? []);
    return after ? [{ id: own.get(name)!, opening: keptOpening({ ...opening, after }) }] : [];
  });
}

function openingInFiles(
  { after = [], ...rest }: Opening,
  lessonName: (id: number) => string | undefined,
): CourseLesson['opening'] {
  const names = after.flatMap((id) => lessonName(id) ?? []).sort();
  const opening = names.length > 0 ? { ...rest, after: names } : rest;
  return Object.keys(opening).length > 0 ? opening : undefined;
}

/**
 * A lesson of the database as its files say it.
 * @param lessonName the file name of another lesson, by the id that authors know
 */
export function lessonOfRow(
  row: LessonRow,
  {
    name,
    lessonName,
    courseLevel,
    ...parts
  }: RowParts & {
    name: string;
    lessonName: (id: number) => string | undefined;
    courseLevel: Level;
  },
): CourseLesson {
  const isBody = lessonType(row.type).text.field === 'instructions';
  const instructions = isBody ? (row.instructions ?? '') : row.instructions?.trim() || undefined;
  return {
    name,
    ...pick(row, SHARED),
    difficulty: row.difficulty === courseLevel ? undefined : row.difficulty,
    opening: openingInFiles(row.opening, lessonName),
    letPass: parts.letPass.length > 0 ? parts.letPass : undefined,
    instructions,
    ...lessonFormatOf(row.type).fromRow(row, parts),
  } as CourseLesson;
}

type Named = string | readonly { language: string; file: string }[] | undefined;
type NamingColumn = FileColumn | 'moreCaptions';

const namedBy = (lesson: CourseLesson): [key: string, named: Named, column: NamingColumn][] =>
  Object.entries(lessonFormatOf(lesson.type).references ?? {}).map(([key, column]) => [
    key,
    (lesson as unknown as Record<string, Named>)[key],
    column,
  ]);

/** The files that a lesson names, each with the path of its key. */
export function referencesOf(lesson: CourseLesson): [path: string, reference: string][] {
  return namedBy(lesson).flatMap(([key, named]): [string, string][] => {
    if (!named) return [];
    if (typeof named === 'string') return [[key, named]];
    return named.map(({ file }, index) => [`${key}.${index}.file`, file]);
  });
}

export function withReferences(lesson: CourseLesson, change: (reference: string) => string): CourseLesson {
  const changed = namedBy(lesson).flatMap(([key, named]) => {
    if (!named) return [];
    if (typeof named === 'string') return [[key, change(named)]];
    return [[key, named.map((one) => ({ ...one, file: change(one.file) }))]];
  });
  return { ...lesson, ...Object.fromEntries(changed) } as CourseLesson;
}

interface PlacedFile {
  path: string;
  size: number | null;
  mimeType: string | null;
}

type FileColumns = Pick<LessonToWrite, NamingColumn | 'fileSize' | 'mimeType'>;

type Place = (reference: string) => PlacedFile | null | Promise<PlacedFile | null>;

async function fileColumnsOf(lesson: CourseLesson, place: Place): Promise<FileColumns> {
  const columns: FileColumns = {
    ...Object.fromEntries(FILE_COLUMNS.map((column) => [column, null])),
    moreCaptions: [],
    fileSize: null,
    mimeType: null,
  };
  // One after the other, as one transaction needs.
  for (const [, named, column] of namedBy(lesson)) {
    if (column === 'moreCaptions') {
      for (const { language, file } of (named ?? []) as Exclude<Named, string | undefined>) {
        const url = (await place(file))?.path;
        if (url) columns.moreCaptions!.push({ language, url });
      }
    } else if (named) {
      const file = await place(named as string);
      columns[column] = file?.path ?? null;
      if (column === 'fileUrl' && file)
        Object.assign(columns, { fileSize: file.size, mimeType: file.mimeType });
    }
  }
  return columns;
}
