import { getQuiz, submitQuiz } from '#src/features/learn/classroom/quiz.server.ts';
import { getQuizCall, submitQuizCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(getQuizCall, { access: 'user' }, ({ user, params }) =>
  getQuiz(user.id, params.id),
);

export const POST = endpoint(submitQuizCall, { access: 'user', limit: 'quiz' }, ({ user, params, input }) =>
  submitQuiz(user.id, params.id, input.answers, input.attempt, input.requestId),
);
