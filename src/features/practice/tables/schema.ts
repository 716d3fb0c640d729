import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';

export const tableColumn = z.object({
  name: z.string(),
  type: z.string(),
  /** Part of the primary key. */
  isKey: z.boolean(),
  isRequired: z.boolean(),
  /** The column that a foreign key points at; null for none. */
  references: z.object({ table: z.string(), column: z.string() }).nullable(),
});

/** A table of a SQL lesson, as it is before the learner's statements run. */
const lessonTable = z.object({
  name: z.string(),
  columns: z.array(tableColumn),
  /** The first of its rows; null for no value. */
  rows: z.array(z.array(z.string().nullable())),
  hasMore: z.boolean(),
});
export type LessonTable = z.output<typeof lessonTable>;

/** `GET /api/lessons/{id}/tables`: what a SQL lesson's statements are given, for who may read the lesson. */
export const lessonTablesCall = contract({
  method: 'GET',
  path: '/api/lessons/{id}/tables',
  params: z.object({ id: idInPath('Lesson id') }),
  output: z.object({ tables: z.array(lessonTable) }),
});
