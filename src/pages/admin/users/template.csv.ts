import type { APIRoute } from 'astro';
import { csvResponse } from '#src/server/csv.ts';
import { exampleCourse, importTemplate } from '#src/features/admin/people/people-import.server.ts';

/** A list of people to begin with. */
export const GET: APIRoute = (context) =>
  csvResponse(context, 'people.csv', async () => importTemplate(await exampleCourse()));
