import type { APIRoute } from 'astro';
import { errorResponse } from '#src/server/endpoint.ts';
import { fileResponse, findFile } from '#src/server/files/files.ts';
import { AppError } from '#src/shared/errors.ts';

/** Pictures for everyone, such as the courses' thumbnails. */
export const GET: APIRoute = async ({ params, request, locals }) => {
  try {
    const file = await findFile(`/media/${params.path ?? ''}`);
    if (!file) throw new AppError('not_found', 'File not found');
    return await fileResponse(file, request, 'public');
  } catch (error) {
    return errorResponse(error, locals.requestId);
  }
};

export const HEAD = GET;
