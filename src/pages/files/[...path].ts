import type { APIRoute } from 'astro';
import { mayReadFile } from '#src/features/learn/classroom/lesson-files.server.ts';
import { errorResponse } from '#src/server/endpoint.ts';
import { fileResponse, findFile } from '#src/server/files/files.ts';
import { AppError } from '#src/shared/errors.ts';

/** Files of lessons and submissions, for those who may read them; everyone else finds nothing (fault I9). */
export const GET: APIRoute = async ({ params, request, locals }) => {
  try {
    const path = `/files/${params.path ?? ''}`;
    const file = await findFile(path);
    if (!file || !(await mayReadFile(path, locals.user))) {
      throw new AppError('not_found', 'File not found');
    }
    return await fileResponse(file, request, 'personal');
  } catch (error) {
    return errorResponse(error, locals.requestId);
  }
};

export const HEAD = GET;
