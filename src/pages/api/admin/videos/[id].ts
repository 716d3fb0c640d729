import { getVideoCall } from '#src/features/authoring/media/schema.ts';
import { getVideo } from '#src/features/authoring/media/videos.server.ts';
import { authorOfVideo } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(getVideoCall, { access: authorOfVideo }, ({ params }) => getVideo(params.id));
