import { z } from 'zod';
import { courseModel, standing } from '#src/features/catalogue/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { MAX_ID, idInPath } from '#src/shared/fields.ts';
import { courseInputs, FORM_FIELDS, refuseLowOriginal } from './course-fields.ts';

export const courseParams = z.object({ id: idInPath('Course id') });

/**
 * `PUT /api/courses/{id}/toggle`: flips whether the course is in the store, and says how it stands now. `version` is the
 * course's after it.
 */
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

/** A row's version as its editor read it; a save of an older one is refused instead of overwriting. */
export const version = z
  .int({ error: 'Version must be a whole number' })
  .min(1, 'Version must be positive')
  .max(MAX_ID, 'Version is out of range');

/** Off the store, and on by itself as soon as each of its lessons is proven; means nothing beside `isActive`. */
const activateWhenProven = z.boolean({ error: 'activateWhenProven must be true or false' }).optional();

const courseInput = z
  .object({
    ...courseInputs,
    activateWhenProven,
    /** Sent as specified (spec 7) and not read: who makes a course is the caller (decision 31). */
    createdBy: z.unknown().optional(),
  })
  .superRefine(refuseLowOriginal);
export type CourseInput = z.output<typeof courseInput>;

/** A course as its editor gets it back. */
const editedCourse = courseModel.extend({ activateWhenProven: z.boolean(), version: z.number() });

/** `POST /api/courses` */
export const createCourseCall = contract({
  method: 'POST',
  path: '/api/courses',
  input: courseInput,
  output: editedCourse,
});

/**
 * `PUT /api/courses/{id}`: the same body. With `read`, the form's fields as they were read, only what was changed is
 * written, and a field that a colleague changed as well is refused with 409 and named in `changed`. With the `version`
 * that was read instead, any newer change is refused; with neither the last one wins.
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

/** What a colleague changed since a form was opened, in the answer 409. */
export const changedFields = z.object({
  changed: z.array(
    z.object({
      field: z.string(),
      label: z.string(),
      value: z.string(),
      /** As the form's field would hold it. */
      typed: z.string().optional(),
    }),
  ),
  version: z.number(),
});
export type ChangedFields = z.output<typeof changedFields>;

/** Bytes of a thumbnail at most. */
export const THUMBNAIL_MAX_BYTES = 5_242_880;

/** `POST /api/admin/thumbnails`: keeps a picture for everyone, sent as `file` in a form. */
export const uploadThumbnailCall = contract({
  method: 'POST',
  path: '/api/admin/thumbnails',
  output: z.object({ thumbnail: z.string() }),
});

/** `DELETE /api/courses/{id}`: what became of the course (decision 30). */
export const deleteCourseCall = contract({
  method: 'DELETE',
  path: '/api/courses/{id}',
  params: courseParams,
  output: z.object({ outcome: z.enum(['removed', 'hidden']) }),
});

/** `POST /api/admin/courses/{id}/duplicate`: a hidden copy with all lessons, and nobody in it. */
export const duplicateCourseCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/duplicate',
  params: courseParams,
  output: z.object({ id: z.number(), title: z.string() }),
});

/** `PUT /api/admin/courses/{id}/archived`: puts a course out of the lists and off the store, or back among the hidden ones. */
export const archiveCourseCall = contract({
  method: 'PUT',
  path: '/api/admin/courses/{id}/archived',
  params: courseParams,
  input: z.object({ archived: z.boolean({ error: 'archived must be true or false' }) }),
  output: z.object({ archived: z.boolean() }),
});
