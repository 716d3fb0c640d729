import { hideQuestionCall } from '#src/features/learn/questions/schema.ts';
import { hideQuestion } from '#src/features/learn/questions/team-questions.server.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  hideQuestionCall,
  { access: staffOf('question', 'grader') },
  async ({ actor, params, input, status }) => {
    await hideQuestion(actor, params.id, input.reason);
    status(204);
    return undefined;
  },
);
