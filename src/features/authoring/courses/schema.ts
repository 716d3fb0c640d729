import { z } from 'zod';
import { courseModel, standing } from '#src/features/catalogue/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { MAX_ID, idInPath } from '#src/shared/fields.ts';
import { courseInputs, FORM_FIELDS, refuseLowOriginal } from './course-fields.ts';

export const courseParams = z.object({ id: idInPath('Course id') });

/** Shows or hides the course. */
export const toggleCourseCall = contract({
  method: 'PUT',
  path: '/api/courses/{id}/toggle',
  params: courseParams,
  output: z.object({
    id: z.number(),
    isActive: z.boolean(),
    activateWhenProven: z.boolean(),
    ...standing,
    version: z.number(),
  }),
});

export type Toggled = z.output<typeof toggleCourseCall.output>;

/** A row's version as its editor read it; an older one is refused. */
export const version = z
  .int({ error: 'Version must be a whole number' })
  .min(1, 'Version must be positive')
  .max(MAX_ID, 'Version is out of range');

/** Enters the store once its lessons are proven; ignored beside `isActive`. */
const activateWhenProven = z.boolean({ error: 'activateWhenProven must be true or false' }).optional();

const courseInput = z
  .object({
    ...courseInputs,
    activateWhenProven,
    /** Sent (spec 7) and ignored: the caller makes the course (decision 31). */
    createdBy: z.unknown().optional(),
  })
  .superRefine(refuseLowOriginal);
export type CourseInput = z.output<typeof courseInput>;

const editedCourse = courseModel.extend({ activateWhenProven: z.boolean(), version: z.number() });

export const createCourseCall = contract({
  method: 'POST',
  path: '/api/courses',
  input: courseInput,
  output: editedCourse,
});

/**
 * With `read`, the form's former fields, only changed fields are written; a colleague's change of the same
 * gives 409 with `changed`. With `version`, any newer change does; with neither the last save wins.
 */
export const updateCourseCall = contract({
  method: 'PUT',
  path: '/api/courses/{id}',
  params: courseParams,
  input: z
    .object({
      ...courseInputs,
      activateWhenProven,
      version: version.optional(),
      read: z.partialRecord(z.enum(FORM_FIELDS), z.string()).optional(),
    })
    .superRefine(refuseLowOriginal),
  output: editedCourse,
});

/** A colleague's changes, in an answer 409. */
export const changedFields = z.object({
  changed: z.array(
    z.object({
      field: z.string(),
      label: z.string(),
      value: z.string(),
      typed: z.string().optional(),
    }),
  ),
  version: z.number(),
});
export type ChangedFields = z.output<typeof changedFields>;

export const THUMBNAIL_MAX_BYTES = 5_242_880;

/** Takes a form with `file`. */
export const uploadThumbnailCall = contract({
  method: 'POST',
  path: '/api/admin/thumbnails',
  output: z.object({ thumbnail: z.string() }),
});

/** Decision 30. */
export const deleteCourseCall = contract({
  method: 'DELETE',
  path: '/api/courses/{id}',
  params: courseParams,
  output: z.object({ outcome: z.enum(['removed', 'hidden']) }),
});

/** A hidden copy with all lessons, without learners. */
export const duplicateCourseCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/duplicate',
  params: courseParams,
  output: z.object({ id: z.number(), title: z.string() }),
});

export const archiveCourseCall = contract({
  method: 'PUT',
  path: '/api/admin/courses/{id}/archived',
  params: courseParams,
  input: z.object({ archived: z.boolean({ error: 'archived must be true or false' }) }),
  output: z.object({ archived: z.boolean() }),
});
