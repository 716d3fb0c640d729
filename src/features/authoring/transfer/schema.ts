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

const importPlan = z.object({
  courseId: z.number().nullable(),
  title: z.string(),
  rows: z.array(
    z.object({
      kind: z.enum(['course', 'lesson']),
      title: z.string(),
      change: z.enum(IMPORT_CHANGES),
      details: z.array(z.string()),
      /** Learners who completed a changed lesson and may hear of a new version (decision 74). */
      completed: z.object({ lessonId: z.number(), name: z.string(), learners: z.number() }).optional(),
    }),
  ),
  waits: z.boolean(),
  waiting: z.string(),
  newPictures: z.number(),
  ignored: z.array(z.string()),
  digest: z.string(),
});
export type ImportPlan = z.output<typeof importPlan>;
export type ImportRow = ImportPlan['rows'][number];

/**
 * Reads a course from a finished `upload`. Without `digest` it only says what would change; with that
 * answer's digest it does so. `courseId` names the course to change, `source` the one that the files were
 * exported from. `newVersions` are changed lessons that are no corrections (decision 74).
 */
export const importCourseCall = contract({
  method: 'POST',
  path: '/api/admin/course-imports',
  input: importInput,
  output: z.object({
    plan: importPlan,
    appliedTo: z.number().nullable(),
  }),
});

export const importFaults = z.object({
  faults: z
    .array(
      z.object({
        file: z.string(),
        line: z.number().nullable(),
        field: z.string(),
        message: z.string(),
      }),
    )
    .min(1),
});
export type CourseFault = z.output<typeof importFaults>['faults'][number];
