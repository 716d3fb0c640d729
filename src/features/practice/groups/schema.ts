import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath, text } from '#src/shared/fields.ts';

export const GROUP_HINT_MAX = 2000;

const hint = text('Hint', { min: 0, max: GROUP_HINT_MAX });

export const groupHintInput = z.object({ hint });

/** `PUT /api/admin/mistake-groups/{id}`: Markdown, '' removes; 409 where it is not `before` any more. */
export const writeGroupHintCall = contract({
  method: 'PUT',
  path: '/api/admin/mistake-groups/{id}',
  params: z.object({ id: idInPath('Group id') }),
  input: groupHintInput.extend({ before: hint }),
  output: z.object({ hint: z.string() }),
});

const offered = z.object({
  id: z.number(),
  /** Null until the learner opens it. */
  html: z.string().nullable(),
});
export type OfferedHint = z.output<typeof offered>;

/** `POST /api/submissions/{id}/group-hint`. */
export const askGroupHintCall = contract({
  method: 'POST',
  path: '/api/submissions/{id}/group-hint',
  params: z.object({ id: idInPath('Submission id') }),
  output: z.object({ hints: z.array(offered) }),
});

/** `POST /api/group-hints/{id}/open`: from then on it counts as a hint. */
export const openGroupHintCall = contract({
  method: 'POST',
  path: '/api/group-hints/{id}/open',
  params: z.object({ id: idInPath('Hint id') }),
  output: z.object({ html: z.string(), hintsUsed: z.number() }),
});
