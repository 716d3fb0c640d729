import { receiveQuestionFile } from '#src/features/authoring/question-files/question-files.server.ts';
import { readQuestionFileCall } from '#src/features/authoring/question-files/schema.ts';
import { someAuthor } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  readQuestionFileCall,
  { access: someAuthor, limit: 'question-files' },
  ({ request }) => receiveQuestionFile(request),
);
