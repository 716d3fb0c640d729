import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { filled, REASON_MAX, id, idInPath, line } from '#src/shared/fields.ts';

/** What an administrator is told of what happened. */
const told = z.object({ message: z.string() });

const userParams = z.object({ id: idInPath('User') });

/** `POST /api/admin/users/{id}/enroll`: gives access without a purchase. */
export const enrollUserCall = contract({
  method: 'POST',
  path: '/api/admin/users/{id}/enroll',
  params: userParams,
  input: z.object({ courseId: id('Course'), reason: filled(line('Reason', { max: REASON_MAX })) }),
  output: told,
});

/** `POST /api/admin/users/{id}/unenroll`: takes access that nobody paid for; the progress is kept. */
export const unenrollUserCall = contract({
  method: 'POST',
  path: '/api/admin/users/{id}/unenroll',
  params: userParams,
  input: z.object({ courseId: id('Course'), reason: filled(line('Reason', { max: REASON_MAX })) }),
  output: told,
});

/** `GET /api/admin/users/{id}/export`: everything the site holds about a person, as a file. */
export const exportUserCall = contract({
  method: 'GET',
  path: '/api/admin/users/{id}/export',
  params: userParams,
  output: z.record(z.string(), z.unknown()),
});

/** `POST /api/admin/users/{id}/delete`: deletes a person for good. `confirmation` is their email, typed out. */
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

/** Bytes and rows of a list of people at most. */
export const IMPORT_MAX_BYTES = 2_097_152;
export const IMPORT_ROWS_MAX = 2_000;

const importRow = z.object({
  /** Line of the file, the heading being 1. */
  line: z.number(),
  email: z.string(),
  name: z.string(),
  /** Title of the course, or what the file says where there is none. */
  course: z.string(),
  user: z.enum(['new', 'exists', 'none']),
  access: z.enum(['given', 'given-again', 'had-it', 'none']),
  errors: z.array(z.object({ column: z.string(), message: z.string() })),
});
export type ImportRow = z.output<typeof importRow>;

/**
 * `POST /api/admin/user-import/files`: a CSV file of people and their courses as `file`, and as fields `mode` (`check`
 * changes nothing), for `apply` also `sha256` of the file that was checked, `reason`, and `skipErrors` (`yes` leaves
 * wrong rows out). Applying the same file again changes nothing more.
 */
export const importPeopleCall = contract({
  method: 'POST',
  path: '/api/admin/user-import/files',
  output: z.object({
    mode: z.enum(['check', 'apply']),
    sha256: z.string(),
    counts: z.object({
      rows: z.number(),
      wrongRows: z.number(),
      newUsers: z.number(),
      existingUsers: z.number(),
      given: z.number(),
      alreadyThere: z.number(),
    }),
    /** Every wrong row, and the first of the right ones. */
    rows: z.array(importRow),
    rowsLeftOut: z.number(),
    message: z.string(),
  }),
});
export type ImportReport = z.output<typeof importPeopleCall.output>;
