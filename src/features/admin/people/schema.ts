import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { filled, REASON_MAX, id, idInPath, line } from '#src/shared/fields.ts';

const told = z.object({ message: z.string() });

const userParams = z.object({ id: idInPath('User') });

export const enrollUserCall = contract({
  method: 'POST',
  path: '/api/admin/users/{id}/enroll',
  params: userParams,
  input: z.object({ courseId: id('Course'), reason: filled(line('Reason', { max: REASON_MAX })) }),
  output: told,
});

/** The progress stays. */
export const unenrollUserCall = contract({
  method: 'POST',
  path: '/api/admin/users/{id}/unenroll',
  params: userParams,
  input: z.object({ courseId: id('Course'), reason: filled(line('Reason', { max: REASON_MAX })) }),
  output: told,
});

export const exportUserCall = contract({
  method: 'GET',
  path: '/api/admin/users/{id}/export',
  params: userParams,
  output: z.record(z.string(), z.unknown()),
});

/** `confirmation` is their email. */
export const deleteUserCall = contract({
  method: 'POST',
  path: '/api/admin/users/{id}/delete',
  params: userParams,
  input: z.object({
    confirmation: filled(line('Email', { max: 254 })),
    reason: filled(line('Reason', { max: REASON_MAX })),
  }),
  output: told,
});
