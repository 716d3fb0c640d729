import { answerVideoUpload } from '#src/features/authoring/media/videos.server.ts';
import { protocolEndpoint } from '#src/server/endpoint.ts';

export const HEAD = protocolEndpoint('admin', answerVideoUpload);
export const PATCH = protocolEndpoint('admin', answerVideoUpload);
export const DELETE = protocolEndpoint('admin', answerVideoUpload);
