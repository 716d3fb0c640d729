import type { LessonBody, LessonTypeDefinition, Need } from './lesson-type.ts';
import { assignment } from './types/assignment/definition.ts';
import { coding } from './types/coding/definition.ts';
import { document } from './types/document/definition.ts';
import { quiz } from './types/quiz/definition.ts';
import { scenario } from './types/scenario/definition.ts';
import { text } from './types/text/definition.ts';
import { video } from './types/video/definition.ts';

export { assignment, coding, document, quiz, scenario, text, video };

/** The types of lessons, in the order in which authors are offered them. */
export const LESSON_TYPE_DEFINITIONS = [text, video, document, quiz, coding, scenario, assignment] as const;

type Definition = (typeof LESSON_TYPE_DEFINITIONS)[number];
type KeyOf<T> = T extends unknown ? keyof T : never;
export type LessonType = Definition['name'];
/** A column that only lessons of some types have. */
export type TypeColumn = KeyOf<Definition['columns']>;
/** What only lessons of some types have, by its name in forms, calls and the database. */
export type TypeField = TypeColumn | Definition['parts'][number];
/** A column that names a file: one of this site, or an address elsewhere. */
export type FileColumn = KeyOf<Definition['files']>;
/** What the course's player reads of lessons that are worked on there, and so does their preview. */
export type PlayedColumn = KeyOf<Extract<Definition, { ownScreen: null }>['columns']>;

export const LESSON_TYPES: LessonType[] = LESSON_TYPE_DEFINITIONS.map(({ name }) => name);

const byName = new Map<LessonType, LessonTypeDefinition>(
  LESSON_TYPE_DEFINITIONS.map((definition) => [definition.name, definition]),
);

const namesOf = <T>(names: (definition: Definition) => readonly string[]): T[] => [
  ...new Set(LESSON_TYPE_DEFINITIONS.flatMap(names) as T[]),
];
/** Each column that only lessons of some types have, with what stands in it in all others. */
export const TYPE_COLUMNS = Object.assign(
  {},
  ...LESSON_TYPE_DEFINITIONS.map(({ columns }) => columns),
) as Record<TypeColumn, unknown>;
export const FILE_COLUMNS = namesOf<FileColumn>(({ files }) => Object.keys(files));
export const PLAYED_COLUMNS = namesOf<PlayedColumn>(({ ownScreen, columns }) =>
  ownScreen === null ? Object.keys(columns) : [],
);

/** All that there is to know about a type. */
export function lessonType(type: LessonType): LessonTypeDefinition {
  return byName.get(type)!;
}

/** Whether lessons of this type have a field, such as questions. */
export function has(type: LessonType, field: TypeField): boolean {
  const { columns, parts } = lessonType(type);
  return field in columns || parts.includes(field);
}

/** What a lesson of a type cannot do without and does not have. */
export function missingOf(type: LessonType, lesson: LessonBody): Need[] {
  return lessonType(type).needs.filter(({ isMissing }) => isMissing(lesson));
}

/** Whether a lesson is done by passing it: of a type that is, and with something in it to pass (decision 33). */
export function isDoneByPassing(type: LessonType, lesson: LessonBody): boolean {
  const { isPassed, needs } = lessonType(type);
  return isPassed && !needs.some((need: Need) => need.isPassedBy && need.isMissing(lesson));
}

/** What completes a lesson that nobody marks as complete: as its player says it, and as whoever marks it is told. */
export function passingOf(type: LessonType, lesson: LessonBody): { promise: string; refusal: string } {
  return (
    lessonType(type).passing?.(lesson) ?? {
      promise: 'Completed by passing it',
      refusal: 'Pass this lesson to complete it.',
    }
  );
}

/**
 * Why Mark Complete does not complete a lesson (decision 33); null where it does.
 *
 * @param watched the parts of its video that the learner has watched
 */
export function markRefusal(
  type: LessonType,
  lesson: LessonBody,
  watched: readonly (readonly [number, number])[],
): string | null {
  if (isDoneByPassing(type, lesson)) return passingOf(type, lesson).refusal;
  return lessonType(type).unfinished?.(lesson, watched) ?? null;
}

/** What a lesson's type is called on pages. */
export function lessonTypeLabel(type: LessonType): string {
  return lessonType(type).label;
}
