import { shareQuestion } from '#src/features/learn/questions/questions.server.ts';
import { shareQuestionCall } from '#src/features/learn/questions/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  shareQuestionCall,
  { access: 'user', limit: 'lesson-questions' },
  ({ user, params, input }) => shareQuestion(user.id, params.id, input.shared),
);
