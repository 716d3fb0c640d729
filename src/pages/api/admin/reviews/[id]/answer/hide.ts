import { hideAnswer } from '#src/features/catalogue/ratings/answers.server.ts';
import { hideAnswerCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  hideAnswerCall,
  { access: 'admin' },
  async ({ actor, params, input, status }) => {
    await hideAnswer(actor, params.id, input.reason);
    status(204);
    return undefined;
  },
);
