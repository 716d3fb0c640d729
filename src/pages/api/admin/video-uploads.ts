import { answerVideoUpload } from '#src/features/authoring/media/videos.server.ts';
import { protocolEndpoint } from '#src/server/endpoint.ts';

export const POST = protocolEndpoint('admin', answerVideoUpload);
