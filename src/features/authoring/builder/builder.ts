import { z } from 'zod';
import { coding, has, lessonType, missingOf, quiz, scenario, text } from '#src/features/lessons/registry.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { scenarioDefinition } from '#src/features/scenario/scenario.ts';
import { BUILT_FIELDS, type BuiltField } from '#src/features/authoring/courses/course-fields.ts';
import {
  BUILT_LESSON_FIELDS,
  emptyExercise,
  emptyLesson,
  type LessonFields,
  ofItsType,
} from '#src/features/authoring/lesson-editor/lesson-fields.ts';

/** The types that the course builder offers (spec 2). */
export const BUILT_TYPES = [coding.name, scenario.name, quiz.name, text.name] as const;
export type BuiltType = (typeof BUILT_TYPES)[number];

/** The course's part of the builder as it is typed. */
export type CourseDraft = Record<BuiltField, string>;

export const emptyCourse = (): CourseDraft => ({
  ...(Object.fromEntries(BUILT_FIELDS.map((field) => [field, ''])) as CourseDraft),
  level: 'beginner',
});

/** Spec 5: what a course cannot be made without. */
export function isCourseComplete({ title, description, categoryId, price }: CourseDraft): boolean {
  return [title, description, categoryId, price].every((value) => !isBlank(value));
}

/** A lesson in the builder; `key` stays while it is moved and edited. */
export type DraftLesson = LessonFields & { key: string; type: BuiltType };

/** Everything of a course that is being built; kept on this device until it is made. */
export interface BuilderDraft {
  /** Names the draft in the call, so that a repeated request makes no second course. */
  draftId: string;
  course: CourseDraft;
  /** It comes into the store once its lessons are proven, not at once. */
  whenProven: boolean;
  lessons: DraftLesson[];
  /** The lesson whose form is open, with what was typed into it; null where none is. */
  open: DraftLesson | null;
  /** When it was kept, ISO 8601; '' for one that never was. */
  keptAt: string;
}

export function newDraft(draftId: string): BuilderDraft {
  return { draftId, course: emptyCourse(), whenProven: false, lessons: [], open: null, keptAt: '' };
}

export function newLesson(type: BuiltType, key: string): DraftLesson {
  return { ...emptyLesson(type), type, key };
}

/** The Markdown that learners read first: of a coding lesson the instructions, of every other its text. */
export function instructionsOf({ type, content, exercise }: LessonFields): string {
  return lessonType(type).text.field === 'instructions' ? exercise.instructions : content;
}

/** Spec 5: a lesson needs a title and instructions. */
export function isLessonComplete(lesson: LessonFields): boolean {
  return !isBlank(lesson.title) && !isBlank(instructionsOf(lesson));
}

/** A lesson as it is put into the course: without the hints that say nothing (spec 5). */
export function tidied<T extends LessonFields>(lesson: T): T {
  const { exercise } = lesson;
  const hints = exercise.hints.map((hint) => hint.trim()).filter((hint) => hint !== '');
  return { ...lesson, title: lesson.title.trim(), exercise: { ...exercise, hints } };
}

/** Whether there is nothing in a draft that anybody would miss. */
export function isBlankDraft({ course, lessons, open }: BuilderDraft): boolean {
  const typed = BUILT_FIELDS.some((field) => field !== 'level' && !isBlank(course[field]));
  const untouched =
    open === null ||
    JSON.stringify({ ...open, points: 0 }) ===
      JSON.stringify({ ...newLesson(open.type, open.key), points: 0 });
  return !typed && lessons.length === 0 && untouched;
}

/** Whether a scenario is written to its end, so that it can be kept. */
export function isWholeScenario(scenario: LessonFields['scenario']): boolean {
  return scenarioDefinition.safeParse(scenario).success;
}

/** What the lesson's type still lacks before the course can be published; it may be built without (decision 49). */
export function lessonGaps(lesson: LessonFields): string[] {
  const { type, exercise, scenario } = lesson;
  const gaps = missingOf(type, { ...lesson, ...exercise }).flatMap(({ gap }) => gap ?? []);
  return scenario && has(type, 'scenario') && !isWholeScenario(scenario)
    ? [...gaps, 'the rest of its scenario']
    : gaps;
}

/** A lesson as `POST /api/admin/interactive-courses` takes it (spec 7). `order` is its place, from 1 (spec 5). */
export function lessonForCall(lesson: LessonFields, order: number) {
  const { type, exercise } = lesson;
  const isCoding = has(type, 'testCases');
  return {
    ...ofItsType(type, { ...lesson, ...exercise }, BUILT_LESSON_FIELDS),
    ...(isCoding ? {} : { codingLanguage: null, instructions: lesson.content, content: '' }),
    type: type as BuiltType,
    order,
  };
}

const keptLesson = z
  .looseObject({ key: z.string(), type: z.enum(BUILT_TYPES), exercise: z.looseObject({}).optional() })
  .transform((kept) => {
    const start = emptyLesson(kept.type);
    // Of another version of this page a field may be missing; none may be undefined.
    return { ...start, ...kept, exercise: { ...emptyExercise(), ...kept.exercise } } as DraftLesson;
  });

const keptDraft = z.object({
  draftId: z.uuid(),
  course: z.record(z.enum(BUILT_FIELDS), z.string()),
  // Drafts of earlier versions have no such choice.
  whenProven: z.boolean().default(false),
  lessons: z.array(keptLesson),
  open: keptLesson.nullable(),
  keptAt: z.string(),
});

/** The draft in a text of this device's storage; null where there is none that can be read. */
export function parseDraft(kept: string | null): BuilderDraft | null {
  if (kept === null) return null;
  try {
    const parsed = keptDraft.safeParse(JSON.parse(kept));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
