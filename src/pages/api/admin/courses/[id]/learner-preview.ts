import { leavePreview, startPreview } from '#src/features/learn/preview/preview.server.ts';
import { leavePreviewCall, startPreviewCall } from '#src/features/learn/preview/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  startPreviewCall,
  { access: staffOf('course', 'author') },
  ({ user, params, input, cookies }) => startPreview(user.id, params.id, cookies, input),
);

export const DELETE = endpoint(
  leavePreviewCall,
  { access: staffOf('course', 'author') },
  ({ user, params, cookies }) => leavePreview(user.id, params.id, cookies),
);
