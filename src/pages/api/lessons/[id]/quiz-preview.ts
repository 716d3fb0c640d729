import { tryQuiz } from '#src/features/catalogue/quiz-preview.server.ts';
import { tryQuizCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(tryQuizCall, { access: 'public', limit: 'quiz-preview' }, ({ params, input }) =>
  tryQuiz(params.id, input.answers),
);
