import { tryQuiz } from '#src/features/catalogue/quiz-preview.server.ts';
import { tryQuizCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  tryQuizCall,
  { access: 'public', limit: { name: 'quiz-preview', points: 60, seconds: 600 } },
  ({ params, input }) => tryQuiz(params.id, input.answers),
);
