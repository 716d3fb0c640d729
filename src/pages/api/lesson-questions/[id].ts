import { changeQuestion, deleteQuestion } from '#src/features/learn/questions/questions.server.ts';
import { changeQuestionCall, deleteQuestionCall } from '#src/features/learn/questions/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  changeQuestionCall,
  { access: 'user', limit: 'lesson-questions' },
  ({ user, params, input }) => changeQuestion(user.id, params.id, input),
);

export const DELETE = endpoint(
  deleteQuestionCall,
  { access: 'user', limit: 'lesson-questions' },
  async ({ user, params, status }) => {
    await deleteQuestion(user.id, params.id);
    status(204);
    return undefined;
  },
);
