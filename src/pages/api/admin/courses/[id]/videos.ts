import { listVideosCall } from '#src/features/authoring/media/schema.ts';
import { listVideos } from '#src/features/authoring/media/videos.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listVideosCall, { access: 'admin' }, ({ params }) => listVideos(params.id));
