import { copyQuestions } from '#src/features/authoring/question-bank/question-bank.server.ts';
import { copyQuestionsCall } from '#src/features/authoring/question-bank/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(copyQuestionsCall, { access: 'admin' }, ({ actor, params, input }) =>
  copyQuestions(actor, params.id, input),
);
