import type { APIRoute } from 'astro';
import { gradebookCsv } from '#src/features/admin/grading/gradebook.server.ts';
import { csvResponse } from '#src/server/csv.ts';
import { parseCount } from '#src/shared/list-query.ts';

/** The gradebook of a course as a file. */
export const GET: APIRoute = (context) => {
  const id = parseCount(context.params.id);
  return csvResponse(context, `gradebook-${id}.csv`, async () => (id === null ? null : gradebookCsv(id)));
};
