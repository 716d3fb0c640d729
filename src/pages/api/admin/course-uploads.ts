import { answerArchiveUpload } from '#src/features/authoring/transfer/archive-uploads.server.ts';
import { protocolEndpoint } from '#src/server/endpoint.ts';

export const POST = protocolEndpoint('admin', answerArchiveUpload);
