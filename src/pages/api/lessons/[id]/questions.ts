import { askQuestion, listQuestions } from '#src/features/learn/questions/questions.server.ts';
import { askQuestionCall, listQuestionsCall } from '#src/features/learn/questions/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listQuestionsCall, { access: 'public' }, ({ user, params, query }) =>
  listQuestions(user, params.id, query.after),
);

export const POST = endpoint(
  askQuestionCall,
  { access: 'user', limit: 'lesson-questions' },
  async ({ user, params, input, status }) => {
    const question = await askQuestion(user.id, params.id, input);
    status(201);
    return question;
  },
);
