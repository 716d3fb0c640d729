import { showQuestionCall } from '#src/features/learn/questions/schema.ts';
import { showQuestion } from '#src/features/learn/questions/team-questions.server.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  showQuestionCall,
  { access: staffOf('question', 'grader') },
  async ({ actor, params, status }) => {
    await showQuestion(actor, params.id);
    status(204);
    return undefined;
  },
);
