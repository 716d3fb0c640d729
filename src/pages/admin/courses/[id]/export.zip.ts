import type { APIRoute } from 'astro';
import { exportCourse } from '#src/features/authoring/transfer/course-export.server.ts';
import { parseCount } from '#src/shared/list-query.ts';
import { errorResponse } from '#src/server/endpoint.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';

/** A course as an archive of files, for administrators. */
export const GET: APIRoute = async ({ locals, params }) => {
  try {
    const id = parseCount(params.id);
    if (id === null) throw new AppError('not_found', 'Course not found');
    await consume('course-export', `user:${locals.user!.id}`);
    const { name, body } = await exportCourse(id);
    return new Response(body, {
      headers: {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    });
  } catch (error) {
    // A person follows this link: the server has a page for every status without a body.
    const refusal = errorResponse(error, locals.requestId);
    refusal.headers.delete('content-type');
    return new Response(null, { status: refusal.status, headers: refusal.headers });
  }
};
