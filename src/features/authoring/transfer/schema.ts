import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { IMPORT_CHANGES } from './course-files.ts';

/**
 * `POST /api/admin/course-imports`: reads a course from an archive, sent as `file` in a form. Without `digest` it only
 * says what would change; with the digest of that answer it does exactly that. `courseId` names the course to change;
 * without it a new, hidden one is made, and with `source` it is the course that the files were exported from, if it is
 * here: the answer says which. To change anything, it must be named. `newVersions`, ids with commas between them, are the
 * changed lessons that are new versions for those who have completed them; the others are corrections (decision 74).
 */
export const importCourseCall = contract({
  method: 'POST',
  path: '/api/admin/course-imports',
  output: z.object({
    plan: z.object({
      courseId: z.number().nullable(),
      title: z.string(),
      rows: z.array(
        z.object({
          kind: z.enum(['course', 'lesson']),
          title: z.string(),
          change: z.enum(IMPORT_CHANGES),
          details: z.array(z.string()),
          completed: z.object({ lessonId: z.number(), name: z.string(), learners: z.number() }).optional(),
        }),
      ),
      waits: z.boolean(),
      newPictures: z.number(),
      ignored: z.array(z.string()),
      digest: z.string(),
    }),
    /** The course that was made or changed; null where nothing was done yet. */
    appliedTo: z.number().nullable(),
  }),
});

/** Mistakes in the files of a course, in the answer 400. */
export const importFaults = z.object({
  faults: z
    .array(
      z.object({ file: z.string(), line: z.number().nullable(), field: z.string(), message: z.string() }),
    )
    .min(1),
});
export type ImportFault = z.output<typeof importFaults>['faults'][number];
