import { exportQuestions } from '#src/features/authoring/question-files/question-files.server.ts';
import { exportQuestionsCall } from '#src/features/authoring/question-files/schema.ts';
import { someAuthor } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  exportQuestionsCall,
  { access: someAuthor, limit: 'question-files' },
  ({ input }) => exportQuestions(input.format, input.questions),
);
