import { assignmentFormat } from '#src/features/lessons/types/assignment/archive.server.ts';
import { codingFormat } from '#src/features/lessons/types/coding/archive.server.ts';
import { documentFormat } from '#src/features/lessons/types/document/archive.server.ts';
import { quizFormat } from '#src/features/lessons/types/quiz/archive.server.ts';
import { scenarioFormat } from '#src/features/lessons/types/scenario/archive.server.ts';
import { textFormat } from '#src/features/lessons/types/text/archive.server.ts';
import { videoFormat } from '#src/features/lessons/types/video/archive.server.ts';
import type { LessonType } from '#src/features/lessons/registry.ts';
import type { LessonFormat, LessonHead } from '#src/features/lessons/lesson-format.server.ts';

const LESSON_FORMATS = [
  textFormat,
  videoFormat,
  documentFormat,
  quizFormat,
  codingFormat,
  scenarioFormat,
  assignmentFormat,
];

type LessonOf<F> = F extends { type: infer Type; columns(own: infer Own): unknown }
  ? { type: Type } & Omit<LessonHead, keyof Own> & Own
  : never;
export type CourseLesson = LessonOf<(typeof LESSON_FORMATS)[number]>;

/** A format as used for lessons of any type. */
export type AnyFormat = LessonFormat<
  LessonType,
  { type: LessonType } & Omit<LessonHead, 'name' | 'content'>,
  object
>;

const byType = new Map(LESSON_FORMATS.map((format) => [format.type, format as unknown as AnyFormat]));

/** The compiler refuses a type without a format. */
export function lessonFormatOf(type: CourseLesson['type']): AnyFormat {
  return byType.get(type)!;
}
