import type { APIRoute } from 'astro';
import { findOwnOrganisation } from '#src/features/organisations/members.server.ts';
import { seatsCsv } from '#src/features/organisations/seats/seat-lists.server.ts';
import { csvResponse } from '#src/server/csv.ts';
import { parseCount } from '#src/shared/list-query.ts';

/** The people with seats of an organisation as a file, for those who run it. */
export const GET: APIRoute = (context) => {
  const id = parseCount(context.params.id);
  const { user } = context.locals;
  return csvResponse(context, 'people-with-seats.csv', async () => {
    const own = user && id !== null ? await findOwnOrganisation(user.id, id) : null;
    return own && seatsCsv(own.id);
  });
};
