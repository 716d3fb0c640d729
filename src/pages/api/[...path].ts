import type { APIRoute } from 'astro';
import { errorResponse } from '#src/server/endpoint.ts';
import { AppError } from '#src/shared/errors.ts';

/** Whatever no other endpoint answers: programs that call the API get JSON, never the page for people. */
export const ALL: APIRoute = ({ locals }) =>
  errorResponse(new AppError('not_found', 'There is no such address in the API.'), locals.requestId);
