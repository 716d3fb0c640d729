import type { APIRoute } from 'astro';
import { mayReadPicture } from '#src/features/catalogue/access.server.ts';
import { errorResponse } from '#src/server/endpoint.ts';
import { fileResponse, findFile } from '#src/server/files/files.ts';
import { AppError } from '#src/shared/errors.ts';
import { pictureOf } from '#src/shared/pictures.ts';

/** Pictures in the texts of lessons, for those who may read the lesson; everyone else finds nothing (fault I9). */
export const GET: APIRoute = async ({ params, request, locals }) => {
  try {
    const path = `/pictures/${params.path ?? ''}`;
    const picture = pictureOf(path);
    const file = picture && (await findFile(path));
    if (!file || !(await mayReadPicture(picture, locals.user))) {
      throw new AppError('not_found', 'Picture not found');
    }
    return await fileResponse(file, request, 'personal');
  } catch (error) {
    return errorResponse(error, locals.requestId);
  }
};

export const HEAD = GET;
