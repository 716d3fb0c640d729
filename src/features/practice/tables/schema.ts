import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';

export const tableColumn = z.object({
  name: z.string(),
  type: z.string(),
  isKey: z.boolean(),
  isRequired: z.boolean(),
  references: z.object({ table: z.string(), column: z.string() }).nullable(),
});

const lessonTable = z.object({
  name: z.string(),
  columns: z.array(tableColumn),
  /** Null for no value. */
  rows: z.array(z.array(z.string().nullable())),
  hasMore: z.boolean(),
});
export type LessonTable = z.output<typeof lessonTable>;

/** `GET /api/lessons/{id}/tables`. */
export const lessonTablesCall = contract({
  method: 'GET',
  path: '/api/lessons/{id}/tables',
  params: z.object({ id: idInPath('Lesson id') }),
  output: z.object({ tables: z.array(lessonTable) }),
});
