import { addQuestions } from '#src/features/authoring/question-bank/question-bank.server.ts';
import { addQuestionsCall } from '#src/features/authoring/question-bank/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(addQuestionsCall, { access: 'admin' }, ({ actor, params, input }) =>
  addQuestions(actor, params.id, input),
);
