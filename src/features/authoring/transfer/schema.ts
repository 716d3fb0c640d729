import { z } from 'zod';
import { LESSONS_MAX } from '#src/features/authoring/lesson-editor/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { id, rawText } from '#src/shared/fields.ts';
import { IMPORT_CHANGES, SOURCE_COURSE } from './course-files.ts';

const importInput = z
  .object({
    upload: z
      .string({ error: 'Choose a file' })
      .regex(/^[0-9a-f]{32}$/, 'upload must be the id of an upload'),
    courseId: z.union([id('Course'), z.literal(SOURCE_COURSE)], { error: 'Choose a course' }).nullish(),
    digest: rawText('digest', { max: 100 }).default(''),
    newVersions: z
      .array(id('Lesson'), { error: 'newVersions must be a list of lessons' })
      .max(LESSONS_MAX)
      .default([]),
  })
  .refine(({ courseId, digest }) => courseId !== SOURCE_COURSE || digest === '', {
    path: ['courseId'],
    error: 'Choose a course',
  });
export type ImportInput = z.output<typeof importInput>;

/** What an import would do, before it is done. */
const importPlan = z.object({
  /** The course that is changed; null for a new one. */
  courseId: z.number().nullable(),
  title: z.string(),
  rows: z.array(
    z.object({
      kind: z.enum(['course', 'lesson']),
      title: z.string(),
      change: z.enum(IMPORT_CHANGES),
      /** What differs, in words; of a removed lesson, what goes with it. */
      details: z.array(z.string()),
      /** Of a changed lesson that learners have completed: whom a new version of it is told (decision 74). */
      completed: z.object({ lessonId: z.number(), name: z.string(), learners: z.number() }).optional(),
    }),
  ),
  /** What changes in the lessons waits until it is published. */
  waits: z.boolean(),
  /** What waits in it already, in words; '' for nothing. The files need not have it. */
  waiting: z.string(),
  /** Pictures that the course's library gets. */
  newPictures: z.number(),
  /** Files of the archive that are no part of a course. */
  ignored: z.array(z.string()),
  /** Names exactly this plan: only what was shown is done. */
  digest: z.string(),
});
export type ImportPlan = z.output<typeof importPlan>;
export type ImportRow = ImportPlan['rows'][number];

/**
 * `POST /api/admin/course-imports`: reads a course from an archive that was sent to `ARCHIVE_UPLOADS_PATH` before, named by
 * the id of its `upload`. Without `digest` it only says what would change; with the digest of that answer it does exactly
 * that, and the upload is gone. `courseId` names the course to change; without it a new, hidden one is made, and with
 * `source` it is the course that the files were exported from, if it is here: the answer says which. To change anything,
 * it must be named. `newVersions` are ids of the changed lessons that are new versions for those who have completed them;
 * the others are corrections (decision 74). 409 where not all of the archive has arrived.
 */
export const importCourseCall = contract({
  method: 'POST',
  path: '/api/admin/course-imports',
  input: importInput,
  output: z.object({
    plan: importPlan,
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
