import { z } from 'zod';
import { isSafeAddress } from '#src/features/lessons/addresses.ts';
import { LEVELS, levelLabel, parseLevel } from '#src/features/catalogue/catalogue.ts';
import { dollars, filled, line, MAX_ID, text } from '#src/shared/fields.ts';
import { centsToDecimal } from '#src/shared/money.ts';

export const COURSE_MAX = {
  title: 150,
  description: 20_000,
  thumbnail: 500,
  duration: 50,
  audience: 500,
  outcome: 160,
} as const;
/** More than a buyer reads. */
const OUTCOMES_MAX = 8;
/** The provider's minimum for a price (decision 23). */
const PRICE_MIN_CENTS = 50;

/** The limit is that of spec 9's columns and of `dollars`; one payment takes less. */
const WRONG_PRICE = 'must be dollars and cents, such as 49.00, up to 99999999.99';

const given = (value: unknown) => (value === null || value === '' ? undefined : value);

/** A refused price must not reach the comparison of two. */
const abort = true;
const price = z
  .preprocess(given, dollars(`Price ${WRONG_PRICE}`, 'Price is required'))
  .refine((cents) => cents === 0 || cents >= PRICE_MIN_CENTS, {
    error: 'Price must be 0 for a free course, or at least 0.50',
    abort,
  });

const originalPrice = z
  .preprocess(given, dollars(`Original price ${WRONG_PRICE}`).optional())
  .transform((cents) => cents ?? null);

/** https or a path of this site (fault U2); the server never requests it. */
export const safeAddress = (label: string, limits: { min?: number; max: number }) =>
  line(label, limits).refine(
    (value) => value === '' || isSafeAddress(value),
    `${label} must be an https:// address or a path of this site`,
  );

const WRONG_LEVEL = 'Choose Beginner, Intermediate or Advanced';

/** In any case (decision 28). */
export const level = z.string({ error: WRONG_LEVEL }).transform((value, context) => {
  const found = parseLevel(value);
  if (found) return found;
  context.addIssue({ code: 'custom', message: WRONG_LEVEL });
  return z.NEVER;
});

const categoryId = z
  .preprocess(
    (value) => (typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : given(value)),
    z.number({ error: 'Category is required' }),
  )
  .refine((value) => Number.isInteger(value) && value >= 1 && value <= MAX_ID, 'There is no such category');

const certificateMonths = z
  .preprocess(given, z.number({ error: 'Certificate months must be a whole number' }).optional())
  .refine(
    (value) => value === undefined || (Number.isInteger(value) && value >= 1 && value <= 600),
    'Certificate months must be from 1 to 600',
  )
  .transform((value) => value ?? null);

/** One a line, without empty lines and bullets. */
const outcomes = z
  .preprocess(
    (value) => value ?? '',
    text('Outcomes', { min: 0, max: 2 * OUTCOMES_MAX * COURSE_MAX.outcome }),
  )
  .transform((value) =>
    value
      .split(/\r?\n/)
      .map((outcome) => outcome.replace(/^\s*[-*•]\s+/, '').trim())
      .filter((outcome) => outcome !== ''),
  )
  .refine((lines) => lines.length <= OUTCOMES_MAX, `Outcomes must be at most ${OUTCOMES_MAX} lines`)
  .refine(
    (lines) => lines.every((outcome) => [...outcome].length <= COURSE_MAX.outcome),
    `Outcomes must have at most ${COURSE_MAX.outcome} characters a line`,
  )
  .transform((lines) => lines.join('\n'));

const audience = z.preprocess(
  (value) => value ?? '',
  text('Who it is for', { min: 0, max: COURSE_MAX.audience }),
);

/** How the form asks for a field. */
export interface FormPart {
  control:
    | { kind: 'line' | 'text' | 'markdown' | 'picture'; max: number }
    | { kind: 'price' | 'number' | 'category' }
    | { kind: 'choice'; choices: readonly { value: string; label: string }[] };
  hint?: string;
  optional?: true;
  half?: true;
}

interface FieldDetails<Value> {
  label: string;
  column?: string;
  archiveKey?: string;
  built?: z.ZodType<Value>;
  form?: FormPart;
  typed?: (value: Value) => string;
  shown?: (value: Value) => string;
}

const field = <S extends z.ZodType, const D extends FieldDetails<z.output<S>>>(input: S, details: D) => ({
  input,
  ...details,
});

/**
 * Each field that authors give a course (spec 5), in the order of the form; all code over fields reads this
 * table. The server derives `createdBy`, `createdAt`, `studentsCount` and `rating` (decision 31).
 */
export const COURSE_FIELDS = {
  title: field(filled(line('Title', { max: COURSE_MAX.title })), {
    label: 'Title',
    built: filled(line('Title', { max: COURSE_MAX.title })),
    form: { control: { kind: 'line', max: COURSE_MAX.title } },
  }),
  description: field(filled(text('Description', { max: COURSE_MAX.description })), {
    label: 'Description',
    built: filled(text('Description', { max: COURSE_MAX.description })),
    form: { control: { kind: 'markdown', max: COURSE_MAX.description }, hint: 'Markdown.' },
  }),
  outcomes: field(outcomes, {
    label: 'Outcomes',
    form: {
      control: { kind: 'text', max: OUTCOMES_MAX * (COURSE_MAX.outcome + 1) },
      hint: `What one can do afterwards, one a line, up to ${OUTCOMES_MAX}.`,
      optional: true,
    },
  }),
  audience: field(audience, {
    label: 'Who it is for',
    form: {
      control: { kind: 'text', max: COURSE_MAX.audience },
      hint: 'In a sentence or two, without Markdown.',
      optional: true,
    },
  }),
  categoryId: field(categoryId, {
    label: 'Category',
    archiveKey: 'category',
    built: categoryId,
    form: { control: { kind: 'category' }, half: true },
  }),
  level: field(level, {
    label: 'Level',
    built: z.preprocess(given, level.default('beginner')),
    form: {
      control: {
        kind: 'choice',
        choices: LEVELS.map((value) => ({ value, label: levelLabel(value) })),
      },
      half: true,
    },
    shown: levelLabel,
  }),
  price: field(price, {
    label: 'Price',
    column: 'priceCents',
    built: price,
    form: { control: { kind: 'price' }, hint: 'US dollars; 0 for a free course.', half: true },
    typed: centsToDecimal,
  }),
  originalPrice: field(originalPrice, {
    label: 'Original price',
    column: 'originalPriceCents',
    built: originalPrice,
    form: {
      control: { kind: 'price' },
      hint: 'Struck through where it is higher.',
      optional: true,
      half: true,
    },
    typed: (cents) => (cents === null ? '' : centsToDecimal(cents)),
  }),
  duration: field(filled(line('Duration', { max: COURSE_MAX.duration })), {
    label: 'Duration',
    built: z.preprocess(given, line('Duration', { min: 0, max: COURSE_MAX.duration }).default('')),
    form: {
      control: { kind: 'line', max: COURSE_MAX.duration },
      hint: 'As buyers read it, such as 12 hours.',
      half: true,
    },
  }),
  /** Without it certificates do not expire (decision 39). */
  certificateMonths: field(certificateMonths, {
    label: 'Certificate months',
    form: {
      control: { kind: 'number' },
      hint: 'Months after which certificates expire; empty for never.',
      optional: true,
      half: true,
    },
  }),
  thumbnail: field(filled(safeAddress('Thumbnail', { max: COURSE_MAX.thumbnail })), {
    label: 'Thumbnail',
    form: {
      control: { kind: 'picture', max: COURSE_MAX.thumbnail },
      hint: 'An https:// address, or a picture that you upload: wide, 1280 by 720.',
    },
  }),
  isActive: field(z.boolean({ error: 'isActive must be true or false' }).optional(), {
    label: 'Visibility',
    shown: (isActive) => (isActive ? 'Active' : 'Inactive'),
  }),
};

type Table = typeof COURSE_FIELDS;
export type CourseField = keyof Table;
/** Parsed fields; prices are cents. */
export type CourseValues = { [F in CourseField]: z.output<Table[F]['input']> };
type FieldWith<K extends string> = {
  [F in CourseField]: Table[F] extends Record<K, unknown> ? F : never;
}[CourseField];
export type WholeCourse = { [F in CourseField]: Exclude<CourseValues[F], undefined> };
type ColumnOf<F extends CourseField> = Table[F] extends { column: infer C extends string } ? C : F;
type ColumnsOf<V> = {
  [F in keyof V & CourseField as undefined extends V[F] ? never : ColumnOf<F>]: V[F];
} & {
  [F in keyof V & CourseField as undefined extends V[F] ? ColumnOf<F> : never]?: Exclude<V[F], undefined>;
};

const TABLE: Record<
  CourseField,
  Omit<FieldDetails<never>, 'built'> & { input: z.ZodType; built?: z.ZodType }
> = COURSE_FIELDS;
export const COURSE_FIELD_NAMES = Object.keys(COURSE_FIELDS) as CourseField[];

const namesWith = <K extends keyof FieldDetails<never>>(key: K) =>
  COURSE_FIELD_NAMES.filter((name) => TABLE[name][key] !== undefined);

/** A form holds texts alone. */
export type CourseForm = Record<FieldWith<'form'>, string>;
export const FORM_FIELDS = namesWith('form') as FieldWith<'form'>[];
export type BuiltField = FieldWith<'built'>;
export const BUILT_FIELDS = namesWith('built') as BuiltField[];

const pick = <F extends CourseField, K extends 'input' | 'built'>(names: readonly F[], key: K) =>
  Object.fromEntries(names.map((name) => [name, TABLE[name][key]])) as {
    [N in F]: Table[N] extends Record<K, infer S> ? S : never;
  };
export const courseInputs = pick(COURSE_FIELD_NAMES, 'input');
export const builtInputs = pick(BUILT_FIELDS, 'built');

export const mayBuildWithout = (name: BuiltField): boolean =>
  COURSE_FIELDS[name].built.safeParse(undefined).success;

export const formPart = (name: FieldWith<'form'>): FormPart => COURSE_FIELDS[name].form;

const column = (name: CourseField) => TABLE[name].column ?? name;

export const archiveKey = (name: CourseField) => TABLE[name].archiveKey ?? name;

/** Given fields as columns of the table `courses`. */
export function columnsOf<V extends Partial<CourseValues>>(values: V): ColumnsOf<V> {
  const names = COURSE_FIELD_NAMES.filter((name) => values[name] !== undefined);
  return Object.fromEntries(names.map((name) => [column(name), values[name]])) as ColumnsOf<V>;
}

export function valuesOf(row: ColumnsOf<WholeCourse>): WholeCourse {
  const columns = row as Record<string, unknown>;
  return Object.fromEntries(
    COURSE_FIELD_NAMES.map((name) => [name, columns[column(name)]]),
  ) as unknown as WholeCourse;
}

export function typedValue<F extends CourseField>(name: F, values: Pick<CourseValues, F>): string {
  const value = values[name] as never;
  return TABLE[name].typed?.(value) ?? String(value ?? '');
}

export function typedForm(values: CourseValues): CourseForm {
  return Object.fromEntries(FORM_FIELDS.map((name) => [name, typedValue(name, values)])) as CourseForm;
}

/** Without the category, whose value is an id. */
export function shownValue<F extends CourseField>(name: F, values: Pick<CourseValues, F>): string {
  return TABLE[name].shown?.(values[name] as never) ?? typedValue(name, values);
}

/** A lower original price would promise a false discount. */
export function refuseLowOriginal(
  course: { price: number; originalPrice: number | null },
  context: z.RefinementCtx,
): void {
  if (course.originalPrice === null || course.originalPrice >= course.price) return;
  const message = 'Original price must not be below the price';
  context.addIssue({ code: 'custom', path: ['originalPrice'], message });
}
