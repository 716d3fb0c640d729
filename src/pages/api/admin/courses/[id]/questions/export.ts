import { pickQuestions } from '#src/features/authoring/question-bank/question-bank.server.ts';
import { exportBankCall } from '#src/features/authoring/question-bank/schema.ts';
import { exportQuestions } from '#src/features/authoring/question-files/question-files.server.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  exportBankCall,
  { access: staffOf('course', 'author'), limit: 'question-files' },
  async ({ params, input }) => {
    const picked = await pickQuestions(params.id, input.questionIds);
    return exportQuestions(
      input.format,
      picked.map(({ question }) => question),
      'questionIds',
    );
  },
);
