import { z } from 'zod';
import { typedNumber } from '#src/components/form-values.ts';
import { withHttps } from '#src/features/lessons/types/video/embed.ts';
import { level, safeAddress } from '#src/features/authoring/courses/course-fields.ts';
import type { Level } from '#src/features/catalogue/catalogue.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { type Opening, openingInput, openingText } from '#src/features/lessons/opening.ts';
import { has, type LessonType, TYPE_COLUMNS, type TypeField } from '#src/features/lessons/registry.ts';
import {
  type AssignmentSettings,
  assignmentSettingsInput,
  assignmentText,
} from '#src/features/lessons/types/assignment/settings.ts';
import {
  type MistakeFields,
  mistakesOfColumn,
} from '#src/features/lessons/types/coding/expected-mistakes.ts';
import { type CodeLimits, limitsText } from '#src/features/lessons/types/coding/limits.ts';
import {
  QUESTIONS_MAX,
  type QuestionFields,
  questionInput,
} from '#src/features/lessons/types/quiz/question.ts';
import {
  type QuizSettings,
  quizProblems,
  quizSettingsInput,
  settingsText,
} from '#src/features/lessons/types/quiz/settings.ts';
import {
  CAPTIONS_LANGUAGE,
  languageInput,
  languageLabel,
  MORE_CAPTIONS_MAX,
  type MoreCaptions,
} from '#src/features/lessons/types/video/captions.ts';
import { chaptersInput } from '#src/features/lessons/types/video/chapters.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { type ScenarioInput, scenarioDefinition } from '#src/features/scenario/scenario.ts';
import { filled, line, text } from '#src/shared/fields.ts';
import { pick } from '#src/shared/pick.ts';
import { EXERCISE_MAX } from '#src/features/lessons/types/coding/limits.ts';
import { exerciseFields, exerciseProblems, type TestFields, testsOfColumn } from './exercise.ts';

export const POINTS_MAX = 10_000;
const SECONDS_MAX = 1_000_000;
/** Points where the author gives none (spec 5). */
export const POINTS_DEFAULT = 10;

export const whole = (label: string, min: number, max: number) =>
  z
    .int({ error: `${label} must be a whole number` })
    .min(min, `${label} must be at least ${min}`)
    .max(max, `${label} must be at most ${max}`);
export const flag = (label: string) => z.boolean({ error: `${label} must be true or false` });

const given = (value: unknown) => (value === null || value === '' ? undefined : value);

/**
 * 10 points for nothing or no number (spec 5). A number out of range stays, so that it is refused by name
 * (fault N10).
 */
export function builtPoints(value: unknown): unknown {
  if (value === null || value === undefined) return POINTS_DEFAULT;
  if (typeof value === 'string') {
    return /^\s*[-+]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : POINTS_DEFAULT;
  }
  return Number.isNaN(value) ? POINTS_DEFAULT : value;
}

const asTyped = (typed: string) => typed;

/** A field's value for a comparison of two states. */
export type Told =
  | string
  | number
  | boolean
  | null
  | readonly (string | { question: string } | { say: string } | { input: string; expectedOutput: string })[]
  | { title: string };

interface FieldDetails<Value> {
  label: string;
  typed?: (typed: string) => Value;
  isChosen?: true;
  /** Belongs to the part of the form that only its type has. */
  isKept?: true;
  isOfExercise?: true;
  isPart?: true;
  /** Where the form holds another value than the column, or null for the empty one. */
  ofColumn?: (column: never) => Value;
  told?: (value: Value, titles: ReadonlyMap<number, string>) => Told;
  /** How the course builder takes it, if at all (spec 7, decision 49). */
  built?: z.ZodType;
}

/**
 * @param input how the calls take it
 * @param empty in a new lesson
 */
const field = <S extends z.ZodType, V, const D extends FieldDetails<V>>(input: S, empty: V, details: D) => ({
  input,
  empty,
  ...details,
});

const questions = z
  .array(questionInput, { error: 'Questions must be a list' })
  .max(QUESTIONS_MAX, `A quiz has at most ${QUESTIONS_MAX} questions`);

const moreCaptions = z
  .array(
    z.object({
      language: languageInput,
      url: filled(safeAddress('Captions URL', { max: LESSON_MAX.fileUrl })),
    }),
    { error: 'Captions in other languages must be a list' },
  )
  .max(MORE_CAPTIONS_MAX, `A video has captions in at most ${MORE_CAPTIONS_MAX} other languages`);

/**
 * Each field of a lesson, in the order in which changes are listed; all code over fields reads this table.
 * Which types have a field, their definitions say (`lessons/registry.ts`).
 */
export const LESSON_FIELDS = {
  title: field(filled(line('Title', { max: LESSON_MAX.title })), '', {
    label: 'Title',
    typed: asTyped,
    built: filled(line('Title', { max: LESSON_MAX.title })),
  }),
  section: field(line('Section', { min: 0, max: LESSON_MAX.section }).default(''), '', { label: 'Section' }),
  instructions: field(exerciseFields.instructions, '', {
    label: 'Instructions',
    isOfExercise: true,
    built: z
      .preprocess((value) => value ?? '', text('Instructions', { min: 0, max: EXERCISE_MAX.instructions }))
      .refine((value) => value !== '', 'Instructions are required'),
  }),
  codingLanguage: field(exerciseFields.codingLanguage, 'javascript' as CodingLanguage, {
    label: 'Language',
    isOfExercise: true,
    built: exerciseFields.codingLanguage,
  }),
  /** Markdown; of a css lesson, the markup that it styles (decision 48). */
  content: field(text('Content', { min: 0, max: LESSON_MAX.content }).default(''), '', {
    label: 'Content',
    isKept: true,
    built: z.preprocess(given, text('Content', { min: 0, max: LESSON_MAX.content }).default('')),
  }),
  starterCode: field(exerciseFields.starterCode, '', {
    label: 'Starter code',
    isOfExercise: true,
    built: exerciseFields.starterCode,
  }),
  /** Learners who have passed see it (decision 123). */
  solution: field(exerciseFields.solution, '', {
    label: 'Reference solution',
    isOfExercise: true,
    built: exerciseFields.solution,
  }),
  /** Printed output: compared where there are no tests, an example where there are (decision 44). */
  expectedOutput: field(exerciseFields.expectedOutput, '', {
    label: 'Expected output',
    isOfExercise: true,
    built: exerciseFields.expectedOutput,
  }),
  hints: field(exerciseFields.hints, [] as string[], {
    label: 'Hints',
    isOfExercise: true,
    built: exerciseFields.hints,
  }),
  testCases: field(exerciseFields.testCases, [] as TestFields[], {
    label: 'Test cases',
    isOfExercise: true,
    ofColumn: testsOfColumn,
    built: exerciseFields.testCases,
  }),
  codeLimits: field(exerciseFields.codeLimits, {} as CodeLimits, {
    label: 'Limits',
    isOfExercise: true,
    told: limitsText,
    built: exerciseFields.codeLimits,
  }),
  /** Learners who make one read its note; they never get the list (decision 121). */
  expectedMistakes: field(exerciseFields.expectedMistakes, [] as MistakeFields[], {
    label: 'Expected mistakes',
    isOfExercise: true,
    ofColumn: mistakesOfColumn,
    built: exerciseFields.expectedMistakes,
  }),
  solutionNotes: field(exerciseFields.solutionNotes, '', {
    label: 'What to notice in the solution',
    isOfExercise: true,
    built: exerciseFields.solutionNotes,
  }),
  showsPrograms: field(exerciseFields.showsPrograms, false, {
    label: 'Programs of others',
    isOfExercise: true,
    built: exerciseFields.showsPrograms,
  }),
  /** Null also for a scenario not yet written. */
  scenario: field(scenarioDefinition.nullish(), null as ScenarioInput | null, {
    label: 'Scenario',
    isKept: true,
    isPart: true,
    built: scenarioDefinition.nullish(),
  }),
  /** Size and type follow from the stored file, whatever the request says. */
  fileUrl: field(
    z.preprocess(
      (typed) => (typeof typed === 'string' ? withHttps(typed) : typed),
      safeAddress('File URL', { min: 0, max: LESSON_MAX.fileUrl }).default(''),
    ),
    '',
    { label: 'File URL', typed: asTyped },
  ),
  captionsUrl: field(safeAddress('Captions URL', { min: 0, max: LESSON_MAX.fileUrl }).default(''), '', {
    label: 'Captions URL',
    typed: asTyped,
  }),
  captionsLanguage: field(languageInput.default(CAPTIONS_LANGUAGE), CAPTIONS_LANGUAGE as string, {
    label: 'Language of the captions',
    isKept: true,
    told: languageLabel,
  }),
  moreCaptions: field(moreCaptions.default([]), [] as MoreCaptions[], {
    label: 'Captions in other languages',
    isKept: true,
    told: (all) => all.map(({ language, url }) => `${languageLabel(language)}: ${url}`),
  }),
  chapters: field(chaptersInput.default(''), '', { label: 'Chapters', typed: asTyped }),
  duration: field(line('Duration', { min: 0, max: LESSON_MAX.duration }).default(''), '', {
    label: 'Duration',
    typed: asTyped,
    built: z.preprocess(given, line('Duration', { min: 0, max: LESSON_MAX.duration }).default('')),
  }),
  durationSeconds: field(whole('Length in seconds', 1, SECONDS_MAX).nullish(), null as number | null, {
    label: 'Length in seconds',
    typed: (typed) => typedNumber(typed) ?? null,
  }),
  difficulty: field(level.default('beginner'), 'beginner' as Level, {
    label: 'Difficulty',
    isChosen: true,
    built: z.preprocess(given, level.default('beginner')),
  }),
  isPreview: field(flag('isPreview').default(false), false, {
    label: 'Free preview',
    isChosen: true,
    built: flag('isPreview').default(false),
  }),
  requiredToComplete: field(flag('requiredToComplete').default(true), true, {
    label: 'Required',
    isChosen: true,
    built: flag('requiredToComplete').default(true),
  }),
  watchRequired: field(flag('watchRequired').default(false), false, {
    label: 'Must be watched',
    isChosen: true,
  }),
  opening: field(openingInput.default({}), {} as Opening, { label: 'Opens', told: openingText }),
  points: field(whole('Points', 0, POINTS_MAX).default(0), POINTS_DEFAULT, {
    label: 'Points',
    built: z.preprocess(builtPoints, whole('Points', 0, POINTS_MAX)),
  }),
  questions: field(questions.default([]), [] as QuestionFields[], {
    label: 'Questions',
    isKept: true,
    isPart: true,
    // Without ids: a question that is saved again has a new one.
    told: (all) => all.map(({ id: _, ...question }) => withRightMarked(question)),
    built: questions.nullish().transform((all) => all ?? []),
  }),
  quizSettings: field(quizSettingsInput.default({}), {} as QuizSettings, {
    label: 'How it is asked',
    isKept: true,
    told: settingsText,
    built: quizSettingsInput.default({}),
  }),
  assignmentSettings: field(assignmentSettingsInput.default({}), {} as AssignmentSettings, {
    label: 'How it is graded',
    isKept: true,
    told: assignmentText,
  }),
};

type Table = typeof LESSON_FIELDS;
export type LessonField = keyof Table;
type FieldWith<K extends string> = {
  [F in LessonField]: Table[F] extends Record<K, unknown> ? F : never;
}[LessonField];
type Values<F extends LessonField> = { [N in F]: Table[N]['empty'] };

export type Exercise = Values<FieldWith<'isOfExercise'>>;
export type LessonFields = Values<Exclude<LessonField, keyof Exercise>> & {
  type: LessonType;
  order: number;
  version: number;
  exercise: Exercise;
};
export type KeptValues = Pick<LessonFields, FieldWith<'isKept'> | 'exercise'>;
export type BuiltLessonField = FieldWith<'built'>;

const TABLE: Record<
  LessonField,
  Omit<FieldDetails<never>, 'typed' | 'ofColumn'> & {
    input: z.ZodType;
    empty: unknown;
    typed?: (typed: string) => unknown;
    ofColumn?: (column: never) => unknown;
  }
> = LESSON_FIELDS;
export const LESSON_FIELD_NAMES = Object.keys(LESSON_FIELDS) as LessonField[];

const namesWith = <K extends keyof FieldDetails<never>>(key: K) =>
  LESSON_FIELD_NAMES.filter((name) => TABLE[name][key] !== undefined);
const TYPED_FIELDS = namesWith('typed') as FieldWith<'typed'>[];
const EXERCISE_FIELDS = namesWith('isOfExercise') as (keyof Exercise)[];
const OWN_FIELDS = LESSON_FIELD_NAMES.filter((name) => TABLE[name].isOfExercise === undefined);
export const CHOSEN_FIELDS = namesWith('isChosen') as FieldWith<'isChosen'>[];
export const KEPT_FIELDS = [...(namesWith('isKept') as FieldWith<'isKept'>[]), 'exercise'] as const;
export const BUILT_LESSON_FIELDS = namesWith('built') as BuiltLessonField[];

const inputsOf = <F extends LessonField, K extends 'input' | 'built'>(names: readonly F[], key: K) =>
  Object.fromEntries(names.map((name) => [name, TABLE[name][key]])) as {
    [N in F]: Table[N] extends Record<K, infer S> ? S : never;
  };
function withRightMarked<Q extends { question: string }>(question: Q): { question: string } {
  const { correctAnswer, options, ...rest } = question as Q & { correctAnswer?: number; options?: string[] };
  if (correctAnswer === undefined || !options) return question;
  return Object.assign(rest, {
    options: options.map((option, index) => (index === correctAnswer ? { right: option } : option)),
  });
}

export const lessonInputs = inputsOf(LESSON_FIELD_NAMES, 'input');
export const builtLessonInputs = inputsOf(BUILT_LESSON_FIELDS, 'built');

/** A field's label on the form, or the name itself. */
export const lessonFieldLabel = (name: string): string =>
  (TABLE as Record<string, { label: string }>)[name]?.label ?? name;

const empty = (name: LessonField): unknown => structuredClone(TABLE[name].empty);
const valuesOf = <F extends LessonField>(names: readonly F[], value: (name: F) => unknown) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Values<F>;

export const emptyExercise = (): Exercise => valuesOf(EXERCISE_FIELDS, empty);

/** A new lesson. */
export function emptyLesson(type: LessonType): LessonFields {
  return {
    ...(valuesOf(OWN_FIELDS, empty) as Values<Exclude<LessonField, keyof Exercise>>),
    type,
    order: 1,
    version: 1,
    exercise: emptyExercise(),
  };
}

/** The typed fields. */
export function typedFields(typed: (name: string) => string): Values<FieldWith<'typed'>> {
  return valuesOf(TYPED_FIELDS, (name) => LESSON_FIELDS[name].typed(typed(name)));
}

/** A lesson's row and its parts as the form shows them. */
export function fieldsOfRow(
  row: { type: LessonType; version: number },
  parts: Pick<LessonFields, 'questions' | 'scenario'>,
  order: number,
): LessonFields {
  const columns = row as unknown as Record<LessonField, never>;
  const shown = (name: LessonField): unknown => {
    const column = columns[name];
    return column === null || column === undefined
      ? empty(name)
      : TABLE[name].ofColumn
        ? TABLE[name].ofColumn(column)
        : column;
  };
  return {
    ...(valuesOf(OWN_FIELDS, shown) as Values<Exclude<LessonField, keyof Exercise>>),
    ...parts,
    type: row.type,
    version: row.version,
    order,
    exercise: valuesOf(EXERCISE_FIELDS, shown),
  };
}

/** @param titles of the course's lessons, by the ids that authors know */
export function toldFields(
  lesson: LessonFields,
  titles: ReadonlyMap<number, string> = new Map(),
): Record<LessonField, Told> {
  const values = { ...lesson, ...lesson.exercise } as unknown as Record<LessonField, never>;
  return Object.fromEntries(
    LESSON_FIELD_NAMES.map((name) => [
      name,
      TABLE[name].told ? TABLE[name].told(values[name], titles) : values[name],
    ]),
  ) as Record<LessonField, Told>;
}

type Problems = { path: (string | number)[]; message: string }[];

/** Rules between the fields of a coding lesson; none for other types. */
export function codingProblems(
  lesson: Parameters<typeof exerciseProblems>[0] & { type: LessonType },
): Problems {
  return has(lesson.type, 'testCases') ? exerciseProblems(lesson) : [];
}

/** Rules between the fields of a lesson. */
export function problemsOf(
  lesson: Parameters<typeof codingProblems>[0] & Parameters<typeof quizProblems>[0],
): Problems {
  return [...codingProblems(lesson), ...(has(lesson.type, 'questions') ? quizProblems(lesson) : [])];
}

/** The columns of a new lesson. */
export function emptyColumns(): Record<string, unknown> {
  const columns = LESSON_FIELD_NAMES.filter((name) => TABLE[name].isPart === undefined);
  return { ...Object.fromEntries(columns.map((name) => [name, empty(name)])), ...TYPE_COLUMNS };
}

/** A lesson's fields; those that its type does not have are empty. */
export function ofItsType<F extends LessonField>(
  type: LessonType,
  values: Values<F>,
  names: readonly F[],
): Values<F> {
  const isForeign = (name: LessonField) =>
    (name in TYPE_COLUMNS || TABLE[name].isPart !== undefined) && !has(type, name as TypeField);
  return { ...pick(values, names), ...valuesOf(names.filter(isForeign), empty) };
}
