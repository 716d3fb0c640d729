import { z } from 'zod';
import { assignmentModel, gradeInput } from '#src/features/learn/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { idInPath, line, MAX_ID } from '#src/shared/fields.ts';
import { CELL_STATES, type CellState } from './gradebook.ts';

/** `submittedAt` as read (decision 37). */
export const gradeAssignmentCall = contract({
  method: 'POST',
  path: '/api/admin/assignments/{id}/grade',
  params: z.object({ id: idInPath('Submission') }),
  input: gradeInput.extend({
    submittedAt: z.iso.datetime({ error: 'submittedAt must be the moment of the submission' }),
  }),
  output: assignmentModel,
});

const cellInPath = z.object({
  id: idInPath('Course id'),
  user: idInPath('User id'),
  lesson: idInPath('Lesson id'),
});
const version = z
  .string({ error: 'Version must be that of the page that was read' })
  .max(200, 'Version must be that of the page that was read');
const ruling = z.object({
  /** As it is now. */
  version: z.string(),
  state: z.enum(Object.keys(CELL_STATES) as [CellState, ...CellState[]]),
  /** The best; null for none. */
  grade: z.number().nullable(),
});

export const regradeInput = z.object({
  grade: z
    .int({ error: 'Grade must be a whole number from 0 to 100' })
    .min(0, 'Grade must be from 0 to 100')
    .max(100, 'Grade must be from 0 to 100'),
  reason: line('Reason', { min: 3, max: 500 }),
  /** Of a quiz. */
  attemptId: z
    .int({ error: 'Attempt must be a whole number' })
    .min(1, 'Attempt must be at least 1')
    .max(MAX_ID, 'Attempt is not known')
    .optional(),
});

/** 409 where something is newer than `version` (decision 129). */
export const regradeCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/gradebook/{user}/{lesson}/regrade',
  params: cellInPath,
  input: regradeInput.extend({ version }),
  output: ruling,
});

export const addAttemptCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/gradebook/{user}/{lesson}/attempt',
  params: cellInPath,
  input: z.object({ version }),
  output: ruling,
});

export const excuseCall = contract({
  method: 'PUT',
  path: '/api/admin/courses/{id}/gradebook/{user}/{lesson}/excuse',
  params: cellInPath,
  input: z.object({ reason: line('Reason', { min: 3, max: 500 }) }),
  output: ruling,
});

export const withdrawExcuseCall = contract({
  method: 'DELETE',
  path: '/api/admin/courses/{id}/gradebook/{user}/{lesson}/excuse',
  params: cellInPath,
  output: ruling,
});
