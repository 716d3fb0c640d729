import type { APIRoute } from 'astro';
import { csvResponse } from '#src/server/csv-response.ts';
import { importTemplate } from '#src/features/admin/people/people-import.ts';
import { exampleCourse } from '#src/features/admin/people/people-import.server.ts';

/** A list of people to begin with. */
export const GET: APIRoute = (context) =>
  csvResponse(context, 'people.csv', async () => importTemplate(await exampleCourse()));
