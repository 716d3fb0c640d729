import { tagQuestions } from '#src/features/authoring/question-bank/question-bank.server.ts';
import { tagQuestionsCall } from '#src/features/authoring/question-bank/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(tagQuestionsCall, { access: 'admin' }, ({ actor, params, input }) =>
  tagQuestions(actor, params.id, input),
);
