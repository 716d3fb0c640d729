import { listVideosCall } from '#src/features/authoring/media/schema.ts';
import { listVideos } from '#src/features/authoring/media/videos.server.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listVideosCall, { access: staffOf('course', 'author') }, ({ params }) =>
  listVideos(params.id),
);
