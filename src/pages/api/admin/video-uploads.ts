import { answerVideoUpload } from '#src/features/authoring/media/videos.server.ts';
import { someAuthor } from '#src/features/authoring/staff/course-access.server.ts';
import { protocolEndpoint } from '#src/server/endpoint.ts';

export const POST = protocolEndpoint(someAuthor, answerVideoUpload);
