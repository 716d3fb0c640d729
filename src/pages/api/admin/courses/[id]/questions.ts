import { addQuestions } from '#src/features/authoring/question-bank/question-bank.server.ts';
import { addQuestionsCall } from '#src/features/authoring/question-bank/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  addQuestionsCall,
  { access: staffOf('course', 'author') },
  ({ actor, params, input }) => addQuestions(actor, params.id, input),
);
