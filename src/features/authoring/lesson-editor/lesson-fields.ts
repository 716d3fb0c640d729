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

/** Points of a lesson, seconds of a video at most. */
export const POINTS_MAX = 10_000;
const SECONDS_MAX = 1_000_000;
/** Points of a lesson whose author was not asked for them, or left them empty (spec 5). */
export const POINTS_DEFAULT = 10;

export const whole = (label: string, min: number, max: number) =>
  z
    .int({ error: `${label} must be a whole number` })
    .min(min, `${label} must be at least ${min}`)
    .max(max, `${label} must be at most ${max}`);
export const flag = (label: string) => z.boolean({ error: `${label} must be true or false` });

/** '' and null count as not given where the course builder sends them. */
const given = (value: unknown) => (value === null || value === '' ? undefined : value);

/**
 * The points of a lesson as they were given: 10 where there is nothing or no number (spec 5). A number that does not fit
 * stays what it is, so that it is refused by name and not changed in silence (fault N10).
 */
export function builtPoints(value: unknown): unknown {
  if (value === null || value === undefined) return POINTS_DEFAULT;
  if (typeof value === 'string') {
    return /^\s*[-+]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : POINTS_DEFAULT;
  }
  return Number.isNaN(value) ? POINTS_DEFAULT : value;
}

const asTyped = (typed: string) => typed;

/** What a field says, for whoever compares two states of a lesson. */
export type Told =
  | string
  | number
  | boolean
  | null
  | readonly (string | { question: string } | { say: string } | { input: string; expectedOutput: string })[]
  | { title: string };

interface FieldDetails<Value> {
  /** As the form, messages, versions and the audit name it. */
  label: string;
  /** How what was typed is read; a field without this is kept by the part of the form that shows it. */
  typed?: (typed: string) => Value;
  /** It is ticked or chosen, not typed. */
  isChosen?: true;
  /** It is kept by the part of the form that only lessons of its type have. */
  isKept?: true;
  /** It is part of `exercise` in the form. */
  isOfExercise?: true;
  /** It is in tables of its own. */
  isPart?: true;
  /** Its column's value as the form holds it, where that is neither the same nor null for the empty one. */
  ofColumn?: (column: never) => Value;
  /** What it says, where that is not simply its value; of other lessons of the course, by their titles. */
  told?: (value: Value, titles: ReadonlyMap<number, string>) => Told;
  /** How the course builder takes it (spec 7, decision 49); it does not ask for a field without this. */
  built?: z.ZodType;
}

/**
 * @param input how the calls take it
 * @param empty in the form of a lesson that nobody has written anything into
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
 * What is known of each field that authors give a lesson, in the order in which changes are listed: how the calls take
 * it, what it begins as, its label, how the form reads it, how the builder takes it. Everything that goes through all
 * fields of a lesson reads this table. What only some types have, and what stands in it in all others, their
 * definitions say (`lessons/registry.ts`).
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
  /** The author's own answer; learners who have passed see it (decision 123). */
  solution: field(exerciseFields.solution, '', {
    label: 'Reference solution',
    isOfExercise: true,
    built: exerciseFields.solution,
  }),
  /** What the program prints: compared where there are no tests, an example where there are (decision 44). */
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
  /** What learners read who make them; they never get the list itself (decision 121). */
  expectedMistakes: field(exerciseFields.expectedMistakes, [] as MistakeFields[], {
    label: 'Expected mistakes',
    isOfExercise: true,
    ofColumn: mistakesOfColumn,
    built: exerciseFields.expectedMistakes,
  }),
  /** Markdown beside the solution. */
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
  /** Null for lessons of other types, and for a scenario that nobody has written yet. */
  scenario: field(scenarioDefinition.nullish(), null as ScenarioInput | null, {
    label: 'Scenario',
    isKept: true,
    isPart: true,
    built: scenarioDefinition.nullish(),
  }),
  /** Size and type of a file follow from what is stored here, whatever the request says. */
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
  /** Of the same video in other languages. */
  moreCaptions: field(moreCaptions.default([]), [] as MoreCaptions[], {
    label: 'Captions in other languages',
    isKept: true,
    told: (all) => all.map(({ language, url }) => `${languageLabel(language)}: ${url}`),
  }),
  /** Lines such as `0:00 Title`. */
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
  /** When it opens for those who are enrolled. */
  opening: field(openingInput.default({}), {} as Opening, { label: 'Opens', told: openingText }),
  points: field(whole('Points', 0, POINTS_MAX).default(0), POINTS_DEFAULT, {
    label: 'Points',
    built: z.preprocess(builtPoints, whole('Points', 0, POINTS_MAX)),
  }),
  questions: field(questions.default([]), [] as QuestionFields[], {
    label: 'Questions',
    isKept: true,
    isPart: true,
    // Without their ids: a question that was saved anew has another one and says the same.
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
/** The fields of one kind: those that say the key `K`. */
type FieldWith<K extends string> = {
  [F in LessonField]: Table[F] extends Record<K, unknown> ? F : never;
}[LessonField];
type Values<F extends LessonField> = { [N in F]: Table[N]['empty'] };

/** Everything that a coding lesson has beside what every lesson has. */
export type Exercise = Values<FieldWith<'isOfExercise'>>;
/** Everything of a lesson that its form shows. */
export type LessonFields = Values<Exclude<LessonField, keyof Exercise>> & {
  type: LessonType;
  /** Position in the course, from 1. */
  order: number;
  /** As it was read; see `updateLessonCall`. */
  version: number;
  /** Of a coding lesson; empty for every other. */
  exercise: Exercise;
};
/** What of a lesson is not read from the fields of its form, but kept by the part that shows it. */
export type KeptValues = Pick<LessonFields, FieldWith<'isKept'> | 'exercise'>;
export type BuiltLessonField = FieldWith<'built'>;

/** The table once more, with what each field may say. */
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
/** A question whose right option is marked where it stands: its number says nothing to whoever reads a difference. */
function withRightMarked<Q extends { question: string }>(question: Q): { question: string } {
  const { correctAnswer, options, ...rest } = question as Q & { correctAnswer?: number; options?: string[] };
  if (correctAnswer === undefined || !options) return question;
  return Object.assign(rest, {
    options: options.map((option, index) => (index === correctAnswer ? { right: option } : option)),
  });
}

/** How the calls take each field of a lesson. */
export const lessonInputs = inputsOf(LESSON_FIELD_NAMES, 'input');
/** How the course builder takes those that it asks for. */
export const builtLessonInputs = inputsOf(BUILT_LESSON_FIELDS, 'built');

/** How a field is called on the form; its name for what is no field. */
export const lessonFieldLabel = (name: string): string =>
  (TABLE as Record<string, { label: string }>)[name]?.label ?? name;

const empty = (name: LessonField): unknown => structuredClone(TABLE[name].empty);
const valuesOf = <F extends LessonField>(names: readonly F[], value: (name: F) => unknown) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Values<F>;

export const emptyExercise = (): Exercise => valuesOf(EXERCISE_FIELDS, empty);

/** A lesson that nobody has written anything into. */
export function emptyLesson(type: LessonType): LessonFields {
  return {
    ...(valuesOf(OWN_FIELDS, empty) as Values<Exclude<LessonField, keyof Exercise>>),
    type,
    order: 1,
    version: 1,
    exercise: emptyExercise(),
  };
}

/** The fields that are typed, as they were. */
export function typedFields(typed: (name: string) => string): Values<FieldWith<'typed'>> {
  return valuesOf(TYPED_FIELDS, (name) => LESSON_FIELDS[name].typed(typed(name)));
}

/** A row of the table `lessons` and its parts as the form shows them. */
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

/**
 * What a lesson's form shows, field by field, as its author reads it.
 *
 * @param titles of the lessons of its course, by the ids that authors know
 */
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

/** What the fields of a coding lesson must be together; nothing for lessons of other types. */
export function codingProblems(
  lesson: Parameters<typeof exerciseProblems>[0] & { type: LessonType },
): Problems {
  return has(lesson.type, 'testCases') ? exerciseProblems(lesson) : [];
}

/** What the fields of a lesson must be together; each finding at its field. */
export function problemsOf(
  lesson: Parameters<typeof codingProblems>[0] & Parameters<typeof quizProblems>[0],
): Problems {
  return [...codingProblems(lesson), ...(has(lesson.type, 'questions') ? quizProblems(lesson) : [])];
}

/** The columns of a lesson that nobody has written anything into. */
export function emptyColumns(): Record<string, unknown> {
  const columns = LESSON_FIELD_NAMES.filter((name) => TABLE[name].isPart === undefined);
  return { ...Object.fromEntries(columns.map((name) => [name, empty(name)])), ...TYPE_COLUMNS };
}

/** A lesson's fields without those that its type does not have: these are as in a lesson that has nothing. */
export function ofItsType<F extends LessonField>(
  type: LessonType,
  values: Values<F>,
  names: readonly F[],
): Values<F> {
  const isForeign = (name: LessonField) =>
    (name in TYPE_COLUMNS || TABLE[name].isPart !== undefined) && !has(type, name as TypeField);
  return { ...pick(values, names), ...valuesOf(names.filter(isForeign), empty) };
}
