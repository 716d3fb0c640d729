import type { LessonBody, LessonTypeDefinition, Need } from './lesson-type.ts';
import { assignment } from './types/assignment/definition.ts';
import { coding } from './types/coding/definition.ts';
import { document } from './types/document/definition.ts';
import { quiz } from './types/quiz/definition.ts';
import { scenario } from './types/scenario/definition.ts';
import { text } from './types/text/definition.ts';
import { video } from './types/video/definition.ts';

export { assignment, coding, document, quiz, scenario, text, video };

export const LESSON_TYPE_DEFINITIONS = [text, video, document, quiz, coding, scenario, assignment] as const;

type Definition = (typeof LESSON_TYPE_DEFINITIONS)[number];
type KeyOf<T> = T extends unknown ? keyof T : never;
export type LessonType = Definition['name'];
export type TypeColumn = KeyOf<Definition['columns']>;
export type TypeField = TypeColumn | Definition['parts'][number];
export type FileColumn = KeyOf<Definition['files']>;
export type PlayedColumn = KeyOf<Extract<Definition, { ownScreen: null }>['columns']>;

export const LESSON_TYPES: LessonType[] = LESSON_TYPE_DEFINITIONS.map(({ name }) => name);

const byName = new Map<LessonType, LessonTypeDefinition>(
  LESSON_TYPE_DEFINITIONS.map((definition) => [definition.name, definition]),
);

const namesOf = <T>(names: (definition: Definition) => readonly string[]): T[] => [
  ...new Set(LESSON_TYPE_DEFINITIONS.flatMap(names) as T[]),
];
export const TYPE_COLUMNS = Object.assign(
  {},
  ...LESSON_TYPE_DEFINITIONS.map(({ columns }) => columns),
) as Record<TypeColumn, unknown>;
export const FILE_COLUMNS = namesOf<FileColumn>(({ files }) => Object.keys(files));
export const PLAYED_COLUMNS = namesOf<PlayedColumn>(({ ownScreen, columns }) =>
  ownScreen === null ? Object.keys(columns) : [],
);

export function lessonType(type: LessonType): LessonTypeDefinition {
  return byName.get(type)!;
}

export function has(type: LessonType, field: TypeField): boolean {
  const { columns, parts } = lessonType(type);
  return field in columns || parts.includes(field);
}

export function missingOf(type: LessonType, lesson: LessonBody): Need[] {
  return lessonType(type).needs.filter(({ isMissing }) => isMissing(lesson));
}

/** A type that is passed, with something in it to pass (decision 33). */
export function isDoneByPassing(type: LessonType, lesson: LessonBody): boolean {
  const { isPassed, needs } = lessonType(type);
  return isPassed && !needs.some((need: Need) => need.isPassedBy && need.isMissing(lesson));
}

export function passingOf(type: LessonType, lesson: LessonBody): { promise: string; refusal: string } {
  return (
    lessonType(type).passing?.(lesson) ?? {
      promise: 'Completed by passing it',
      refusal: 'Pass this lesson to complete it.',
    }
  );
}

/** Why Mark Complete does not complete a lesson (decision 33); null where it does. */
export function markRefusal(
  type: LessonType,
  lesson: LessonBody,
  watched: readonly (readonly [number, number])[],
): string | null {
  if (isDoneByPassing(type, lesson)) return passingOf(type, lesson).refusal;
  return lessonType(type).unfinished?.(lesson, watched) ?? null;
}

export function lessonTypeLabel(type: LessonType): string {
  return lessonType(type).label;
}
