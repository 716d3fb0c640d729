import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath, mailbox } from '#src/shared/fields.ts';

/** Makes a person author, grader, or the instructor whom buyers see; invites who has no account. `none` ends either. */
export const putStaffCall = contract({
  method: 'PUT',
  path: '/api/admin/courses/{id}/staff',
  params: z.object({ id: idInPath('Course id') }),
  input: z.object({
    email: mailbox(),
    role: z.enum(['author', 'grader', 'instructor', 'none'], {
      error: 'Role must be author, grader, instructor or none',
    }),
  }),
  output: z.object({ message: z.string() }),
});
