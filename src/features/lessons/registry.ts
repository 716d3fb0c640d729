import type { LessonBody, LessonTypeDefinition, Need, TypeField } from './lesson-type.ts';
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

export type LessonType = (typeof LESSON_TYPE_DEFINITIONS)[number]['name'];
export const LESSON_TYPES: LessonType[] = LESSON_TYPE_DEFINITIONS.map(({ name }) => name);

const byName = new Map<LessonType, LessonTypeDefinition>(
  LESSON_TYPE_DEFINITIONS.map((definition) => [definition.name, definition]),
);

/** All that there is to know about a type. */
export function lessonType(type: LessonType): LessonTypeDefinition {
  return byName.get(type)!;
}

/** Whether lessons of this type have a field, such as questions. */
export function has(type: LessonType, field: TypeField): boolean {
  return lessonType(type).fields.includes(field);
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

/** What a lesson's type is called on pages. */
export function lessonTypeLabel(type: LessonType): string {
  return lessonType(type).label;
}
