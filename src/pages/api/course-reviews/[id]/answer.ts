import { answerRating, removeAnswer } from '#src/features/catalogue/ratings/answers.server.ts';
import { answerRatingCall, removeAnswerCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  answerRatingCall,
  { access: 'user', limit: 'reviews' },
  async ({ user, params, input, status }) => {
    await answerRating(user, params.id, input);
    status(204);
    return undefined;
  },
);

export const DELETE = endpoint(
  removeAnswerCall,
  { access: 'user', limit: 'reviews' },
  async ({ user, params, status }) => {
    await removeAnswer(user, params.id);
    status(204);
    return undefined;
  },
);
