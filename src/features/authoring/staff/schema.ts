import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath, mailbox } from '#src/shared/fields.ts';

export const STAFF_ROLES = ['author', 'grader'] as const;

const told = z.object({ message: z.string() });

/** Makes an account author, grader, or the instructor whom buyers see. */
export const putStaffCall = contract({
  method: 'PUT',
  path: '/api/admin/courses/{id}/staff',
  params: z.object({ id: idInPath('Course id') }),
  input: z.object({
    email: mailbox(),
    role: z.enum([...STAFF_ROLES, 'instructor'], { error: 'Role must be author, grader or instructor' }),
  }),
  output: told,
});

export const removeStaffCall = contract({
  method: 'DELETE',
  path: '/api/admin/courses/{id}/staff/{user}',
  params: z.object({ id: idInPath('Course id'), user: idInPath('User id') }),
  output: told,
});
