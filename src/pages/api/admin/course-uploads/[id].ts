import { answerArchiveUpload } from '#src/features/authoring/transfer/archive-uploads.server.ts';
import { protocolEndpoint } from '#src/server/endpoint.ts';

export const HEAD = protocolEndpoint('admin', answerArchiveUpload);
export const PATCH = protocolEndpoint('admin', answerArchiveUpload);
export const DELETE = protocolEndpoint('admin', answerArchiveUpload);
