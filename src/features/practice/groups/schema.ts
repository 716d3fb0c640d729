import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath, text } from '#src/shared/fields.ts';

/** Characters of a group's hint at most. */
export const GROUP_HINT_MAX = 2000;

const hint = text('Hint', { min: 0, max: GROUP_HINT_MAX });

export const groupHintInput = z.object({ hint });

/**
 * `PUT /api/admin/mistake-groups/{id}`: the hint for a group of learners' mistakes, Markdown; '' takes it away. 409 where
 * it is not `before` any more, since a colleague changed it.
 */
export const writeGroupHintCall = contract({
  method: 'PUT',
  path: '/api/admin/mistake-groups/{id}',
  params: z.object({ id: idInPath('Group id') }),
  input: groupHintInput.extend({ before: hint }),
  output: z.object({ hint: z.string() }),
});

const offered = z.object({
  /** The group that it was written for. */
  id: z.number(),
  /** Rendered and sanitised; null until the learner opens it. */
  html: z.string().nullable(),
});
export type OfferedHint = z.output<typeof offered>;

/** `POST /api/submissions/{id}/group-hint`: what others were told who failed as this run of the caller did. */
export const askGroupHintCall = contract({
  method: 'POST',
  path: '/api/submissions/{id}/group-hint',
  params: z.object({ id: idInPath('Submission id') }),
  output: z.object({ hints: z.array(offered) }),
});

/** `POST /api/group-hints/{id}/open`: opens a hint that was offered; from then on it counts as one. */
export const openGroupHintCall = contract({
  method: 'POST',
  path: '/api/group-hints/{id}/open',
  params: z.object({ id: idInPath('Hint id') }),
  output: z.object({ html: z.string(), hintsUsed: z.number() }),
});
