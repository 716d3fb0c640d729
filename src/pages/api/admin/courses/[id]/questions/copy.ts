import { copyQuestions } from '#src/features/authoring/question-bank/question-bank.server.ts';
import { copyQuestionsCall } from '#src/features/authoring/question-bank/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  copyQuestionsCall,
  { access: staffOf('course', 'author') },
  ({ actor, params, input }) => copyQuestions(actor, params.id, input),
);
