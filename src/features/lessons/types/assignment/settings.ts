import { z } from 'zod';
import { counted } from '#src/shared/counted.ts';
import { shownDate } from '#src/shared/dates.ts';
import { day, filled, line, text } from '#src/shared/fields.ts';
import { tidy } from '#src/features/lessons/types/quiz/kinds/kind.ts';

/** Criteria of a rubric, and characters of its texts and of the due note, at most. */
export const RUBRIC_MAX = { criteria: 12, name: 100, description: 500, points: 100 } as const;
export const DUE_NOTE_MAX = 200;

const whole = (label: string, min: number, max: number) =>
  z
    .int({ error: `${label} must be a whole number` })
    .min(min, `${label} must be at least ${min}`)
    .max(max, `${label} must be at most ${max}`);

const criterion = z
  .object({
    name: filled(line('Criterion', { max: RUBRIC_MAX.name })),
    description: text('Description', { min: 0, max: RUBRIC_MAX.description })
      .nullish()
      .transform((value) => value || undefined),
    points: whole('Points', 1, RUBRIC_MAX.points),
  })
  .transform(tidy);

export const assignmentSettingsInput = z
  .object({
    rubric: z
      .array(criterion, { error: 'The rubric must be a list' })
      .max(RUBRIC_MAX.criteria, `A rubric has at most ${RUBRIC_MAX.criteria} criteria`)
      .refine(
        (criteria) => new Set(criteria.map(({ name }) => name)).size === criteria.length,
        'A criterion is there twice',
      )
      .nullish()
      .transform((criteria) => (criteria && criteria.length > 0 ? criteria : undefined)),
    dueDays: whole('Due days', 1, 3650).optional(),
    dueDay: day('Due day').optional(),
    dueNote: line('Due note', { min: 0, max: DUE_NOTE_MAX })
      .nullish()
      .transform((value) => value || undefined),
    completeFrom: whole('The least grade', 1, 100)
      .nullish()
      .transform((value) => value ?? undefined),
  })
  .refine(({ dueDays, dueDay }) => dueDays === undefined || dueDay === undefined, {
    path: ['dueDay'],
    message: 'Due day and due days exclude each other',
  })
  .transform(tidy);
export type AssignmentSettings = z.output<typeof assignmentSettingsInput>;
export type Rubric = NonNullable<AssignmentSettings['rubric']>;

export function assignmentText({ rubric = [], completeFrom, ...due }: AssignmentSettings): string {
  return [
    completionText(completeFrom),
    due.dueDays && `Due ${counted(due.dueDays, 'day')} after the start`,
    due.dueDay && `Due ${shownDate(due.dueDay)}`,
    due.dueNote,
    ...rubric.map(({ name, description, points }) =>
      description ? `${name} (${points}): ${description}` : `${name} (${points})`,
    ),
  ]
    .filter(Boolean)
    .join('; ');
}

/** What completes an assignment (decision 59). */
export function completionText(completeFrom: number | undefined): string {
  return completeFrom === undefined
    ? 'Completed once you hand in your work'
    : `Completed by a grade of at least ${completeFrom}`;
}

/** The grade from 0 to 100 that these points of a rubric make. */
export function gradeOf(rubric: Rubric, points: readonly number[]): number {
  const possible = rubric.reduce((sum, criterion) => sum + criterion.points, 0);
  return Math.round((100 * points.reduce((sum, given) => sum + given, 0)) / possible);
}
