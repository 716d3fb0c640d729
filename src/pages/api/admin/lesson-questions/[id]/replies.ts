import { answerQuestionCall } from '#src/features/learn/questions/schema.ts';
import { answerQuestion } from '#src/features/learn/questions/team-questions.server.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  answerQuestionCall,
  { access: staffOf('question', 'grader') },
  ({ user, params, input }) => answerQuestion(user, params.id, input),
);
