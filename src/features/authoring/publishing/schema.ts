import { z } from 'zod';
import { LESSON_TYPES } from '#src/features/lessons/registry.ts';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath, line, passReason } from '#src/shared/fields.ts';
import { CHANGE_KINDS } from '#src/features/authoring/changes/changes.ts';
import { LESSONS_MAX } from '#src/features/authoring/lesson-editor/schema.ts';
import { LESSON_STATES, PUBLISH_OUTCOMES } from './publish-check.ts';

const courseParams = z.object({ id: idInPath('Course id') });

const override = z.object({ message: z.string(), reason: z.string(), by: z.string(), at: z.string() });

const finding = z.object({
  key: z.string(),
  severity: z.enum(['error', 'warning']),
  field: z.string(),
  message: z.string(),
  mutation: z.object({ line: z.number(), original: z.string(), mutated: z.string() }).nullable(),
  override: override.nullable(),
});

const publishReport = z.object({
  courseId: z.number(),
  isActive: z.boolean(),
  activateWhenProven: z.boolean(),
  ready: z.boolean(),
  obstacle: z.string(),
  mayLetPass: z.boolean(),
  run: z
    .object({
      id: z.number(),
      status: z.enum(['running', 'finished', 'abandoned']),
      isPublishing: z.boolean(),
      outcome: z.enum(PUBLISH_OUTCOMES).nullable(),
      startedBy: z.string(),
      startedAt: z.string(),
      finishedAt: z.string().nullable(),
      done: z.number(),
      total: z.number(),
    })
    .nullable(),
  findings: z.array(finding),
  lessons: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      type: z.enum(LESSON_TYPES),
      section: z.string(),
      state: z.enum(LESSON_STATES),
      findings: z.array(finding),
      deadLinks: z.array(
        z.object({ key: z.string(), field: z.string(), message: z.string(), since: z.string() }),
      ),
      lapsed: z.array(override),
      facts: z.object({
        runs: z.number().optional(),
        mutations: z.number().optional(),
        caught: z.number().optional(),
        links: z.number().optional(),
        states: z.number().optional(),
      }),
      checkedAt: z.string().nullable(),
    }),
  ),
});

export const publishReportCall = contract({
  method: 'GET',
  path: '/api/admin/courses/{id}/publish-check',
  params: courseParams,
  output: publishReport,
});

/** Checks in the background; joins a run under way. */
export const startPublishCheckCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/publish-check',
  params: courseParams,
  output: publishReport,
});

/** Null as reason takes it back. */
export const overrideFindingCall = contract({
  method: 'PUT',
  path: '/api/admin/courses/{id}/publish-check/override',
  params: courseParams,
  input: z.object({
    lessonId: id('lessonId'),
    finding: line('Finding', { max: 64 }),
    reason: passReason.nullable(),
  }),
  output: publishReport,
});

const differences = z.array(
  z.object({
    label: z.string(),
    hunks: z.array(z.object({ lines: z.array(z.string()) })).nullable(),
    after: z.string(),
  }),
);

const pendingChanges = z.object({
  courseId: z.number(),
  title: z.string(),
  isPublished: z.boolean(),
  seen: z.string(),
  lessons: z.array(
    z.object({
      lessonId: z.number(),
      title: z.string(),
      type: z.enum(LESSON_TYPES),
      kind: z.enum(CHANGE_KINDS),
      differences,
      completions: z.number(),
    }),
  ),
  moved: z.array(
    z.object({
      lessonId: z.number(),
      title: z.string(),
      from: z.number(),
      to: z.number(),
      section: z.object({ from: z.string(), to: z.string() }).nullable(),
    }),
  ),
  marks: z.object({ better: z.number(), worse: z.number() }),
});

export const pendingChangesCall = contract({
  method: 'GET',
  path: '/api/admin/courses/{id}/changes',
  params: courseParams,
  output: pendingChanges,
});

/**
 * Checks and publishes the changes that were seen, in the background; 409 for other changes. `newVersions`
 * are no corrections for those who completed them. Answers to corrected questions are marked again where
 * that is better for the learner, with `bothWays` always.
 */
export const publishChangesCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/changes/publish',
  params: courseParams,
  input: z.object({
    seen: line('seen', { max: 64 }),
    newVersions: z.array(id('Lesson'), { error: 'newVersions must be a list of lessons' }).max(LESSONS_MAX),
    bothWays: z.boolean({ error: 'bothWays must be true or false' }).optional(),
  }),
  output: publishReport,
});

/** Of a lesson, of the order, or all. */
export const discardChangesCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/changes/discard',
  params: courseParams,
  input: z
    .object({
      what: z.enum(['lesson', 'order', 'all'], { error: 'what must be lesson, order or all' }),
      lessonId: id('Lesson').optional(),
    })
    .refine(({ what, lessonId }) => what !== 'lesson' || lessonId !== undefined, {
      path: ['lessonId'],
      error: 'Lesson is required',
    }),
  output: pendingChanges,
});
