import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath } from '#src/shared/fields.ts';

const PREVIEW_STATES = ['changes', 'live'] as const;
export type PreviewState = (typeof PREVIEW_STATES)[number];

const params = z.object({ id: idInPath('Course id') });

/** `reset` forgets earlier progress; `state: live` leaves unpublished changes out. Answers where to go. */
export const startPreviewCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/learner-preview',
  params,
  input: z.object({
    lessonId: id('Lesson').optional(),
    reset: z.boolean({ error: 'reset must be true or false' }).optional(),
    state: z.enum(PREVIEW_STATES, { error: 'state must be changes or live' }).optional(),
  }),
  output: z.object({ href: z.string() }),
});

export const leavePreviewCall = contract({
  method: 'DELETE',
  path: '/api/admin/courses/{id}/learner-preview',
  params,
  output: z.object({ href: z.string() }),
});
