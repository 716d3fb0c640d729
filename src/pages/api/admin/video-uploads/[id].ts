import { answerVideoUpload } from '#src/features/authoring/media/videos.server.ts';
import { authorOfVideo } from '#src/features/authoring/staff/course-access.server.ts';
import { protocolEndpoint } from '#src/server/endpoint.ts';

export const HEAD = protocolEndpoint(authorOfVideo, answerVideoUpload);
export const PATCH = protocolEndpoint(authorOfVideo, answerVideoUpload);
export const DELETE = protocolEndpoint(authorOfVideo, answerVideoUpload);
