import { stringify } from 'yaml';
import { z } from 'zod';
import type { LessonRow, LessonToWrite } from '#src/features/lessons/lesson-store.server.ts';
import { passReason } from '#src/shared/fields.ts';
import { AFTER_MAX, openingInput } from '#src/features/lessons/opening.ts';
import type { FileColumn, LessonType } from '#src/features/lessons/registry.ts';
import type { Question } from '#src/features/lessons/types/quiz/question.ts';

// What the types of lessons build on where they say how they stand in the files of a course.

export const text = (max: number) =>
  z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(max, `is longer than ${max} characters`)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), 'has characters that cannot be stored');

export const line = (max: number) => text(max).regex(/^[^\r\n\u2028\u2029]*$/, 'must be a single line');

export const optionalLine = (max: number) => z.union([z.literal(''), line(max)], 'must be text').default('');

/** Text that is kept to the last space. */
export const code = (max: number) =>
  z
    .string('must be text: put it in quotes or in a | block')
    .max(max, `is longer than ${max} characters`)
    .refine((value) => value.trim() !== '', 'must not be empty')
    .refine((value) => !value.includes('\0'), 'has characters that cannot be stored');

export const level = z.enum(
  ['beginner', 'intermediate', 'advanced'],
  'must be beginner, intermediate or advanced',
);
export const flag = z.boolean('must be true or false');

const PLAIN_NAME = /^[\w-]+(\.[\w-]+)*$/;

/** Whether a reference of a course names a file of its folder. */
export function isOwnFile(reference: string): boolean {
  return PLAIN_NAME.test(reference);
}

export const fileReference = z
  .string('must be a file name')
  .max(500, 'is longer than 500 characters')
  .refine(
    (value) => isOwnFile(value) || /^https:\/\/[^\s<>"\\]+$/.test(value) || /^\/[^/\\\s<>"]/.test(value),
    'must be a plain file name without folders, or an https:// address',
  );

const headFields = {
  title: line(150),
  section: optionalLine(100),
  duration: optionalLine(50),
  isPreview: flag,
  requiredToComplete: flag,
  points: z.int('must be a whole number').min(0, 'must be at least 0').max(10_000, 'must be at most 10000'),
  difficulty: level.optional(),
  opening: openingInput
    .extend({
      after: z
        .array(z.string('must be the name of a lesson'), 'must be a list of lessons')
        .max(AFTER_MAX, `has more than ${AFTER_MAX}`)
        .optional(),
    })
    .optional(),
  letPass: z
    .array(
      z.strictObject({
        finding: z
          .string('must be the key of a finding')
          .regex(/^[0-9a-f]{24}$/, 'must be the key of a finding'),
        message: text(2000).optional(),
        reason: passReason,
      }),
      'must be a list',
    )
    .max(100, 'has more than 100')
    .optional(),
  instructions: text(20_000).optional(),
};

export type LetPass = NonNullable<LessonHead['letPass']>[number];

export type LessonHead = z.output<z.ZodObject<typeof headFields>> & { name: string; content: string };

/** The front matter of a type: what all lessons have, and its own keys. */
export const frontMatter = <T extends LessonType, K extends z.ZodRawShape>(type: T, keys: K) =>
  z.strictObject({ ...headFields, type: z.literal(type), ...keys });

export interface LessonFiles {
  name: string;
  complete: boolean;
  has(path: string): boolean;
  text(path: string): Promise<string | null>;
  yaml<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S> | null>;
  lacks(key: string, message: string): void;
  fail(path: string, message: string): void;
}

export interface ConvertedFiles {
  sizes: { file: string; height: number }[] | undefined;
  poster: string | undefined;
}

export interface RowParts {
  nameOf: (address: string | null) => string | null;
  questions: Question[];
  converted: ConvertedFiles;
  letPass: LetPass[];
  definition: Record<string, unknown> | null;
}

export interface LessonFormat<Type extends LessonType, Front, Own> {
  type: Type;
  front: z.ZodType<Front>;
  references?: Readonly<Record<string, FileColumn | 'moreCaptions'>>;
  labels: { [K in keyof Own & string]-?: string };
  /** Null where they are too wrong to go on. */
  read(front: Front, files: LessonFiles): Own | null | Promise<Own | null>;
  write?(lesson: Own & LessonHead): { keys: Record<string, unknown>; files: Record<string, string> };
  columns(own: Own): Partial<LessonToWrite>;
  fromRow(row: LessonRow, parts: RowParts): Own;
}

export const lessonFormat = <Type extends LessonType, Front, Own>(
  format: LessonFormat<Type, Front, Own>,
): LessonFormat<Type, Front, Own> => format;

export const yamlOf = (value: unknown) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

const COMPARED = new Set(['input', 'expectedOutput']);

/** Leaves out defaults and what is not there. */
export function filled(fields: Record<string, unknown>): Record<string, unknown> {
  const isSaid = (value: unknown) =>
    (value ?? '') !== '' && value !== false && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries(fields)
      .map(([key, value]) => [key, typeof value === 'string' && !COMPARED.has(key) ? value.trim() : value])
      .filter(([, value]) => isSaid(value)),
  );
}
