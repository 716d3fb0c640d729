import { showAnswer } from '#src/features/catalogue/ratings/answers.server.ts';
import { showAnswerCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(showAnswerCall, { access: 'admin' }, async ({ actor, params, status }) => {
  await showAnswer(actor, params.id);
  status(204);
  return undefined;
});
