import { tagQuestions } from '#src/features/authoring/question-bank/question-bank.server.ts';
import { tagQuestionsCall } from '#src/features/authoring/question-bank/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  tagQuestionsCall,
  { access: staffOf('course', 'author') },
  ({ actor, params, input }) => tagQuestions(actor, params.id, input),
);
