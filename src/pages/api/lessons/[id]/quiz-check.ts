import { checkAnswer } from '#src/features/learn/classroom/quiz.server.ts';
import { checkQuizCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  checkQuizCall,
  { access: 'user', limit: 'quiz-check' },
  ({ user, params, input }) => checkAnswer(user.id, params.id, input),
);
