import { z } from 'zod';
import { assignmentModel, gradeInput } from '#src/features/learn/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';

/** `POST /api/admin/assignments/{id}/grade`: `submittedAt` is of the submission that was read (decision 37). */
export const gradeAssignmentCall = contract({
  method: 'POST',
  path: '/api/admin/assignments/{id}/grade',
  params: z.object({ id: idInPath('Submission') }),
  input: gradeInput.extend({
    submittedAt: z.iso.datetime({ error: 'submittedAt must be the moment of the submission' }),
  }),
  output: assignmentModel,
});
