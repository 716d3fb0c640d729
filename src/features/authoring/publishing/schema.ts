import { z } from 'zod';
import { LESSON_TYPES } from '#src/features/lessons/registry.ts';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath, line, passReason } from '#src/shared/fields.ts';
import { LESSON_STATES } from './publish-check.ts';

const courseParams = z.object({ id: idInPath('Course id') });

const override = z.object({ message: z.string(), reason: z.string(), by: z.string(), at: z.string() });

const publishReport = z.object({
  courseId: z.number(),
  isActive: z.boolean(),
  activateWhenProven: z.boolean(),
  ready: z.boolean(),
  obstacle: z.string(),
  run: z
    .object({
      id: z.number(),
      status: z.enum(['running', 'finished', 'abandoned']),
      startedBy: z.string(),
      startedAt: z.string(),
      finishedAt: z.string().nullable(),
      done: z.number(),
      total: z.number(),
    })
    .nullable(),
  lessons: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      type: z.enum(LESSON_TYPES),
      section: z.string(),
      state: z.enum(LESSON_STATES),
      findings: z.array(
        z.object({
          key: z.string(),
          severity: z.enum(['error', 'warning']),
          field: z.string(),
          message: z.string(),
          mutation: z.object({ line: z.number(), original: z.string(), mutated: z.string() }).nullable(),
          override: override.nullable(),
        }),
      ),
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

/** `GET /api/admin/courses/{id}/publish-check`: how the course stands, also while it is being checked. */
export const publishReportCall = contract({
  method: 'GET',
  path: '/api/admin/courses/{id}/publish-check',
  params: courseParams,
  output: publishReport,
});

/** `POST /api/admin/courses/{id}/publish-check`: checks every lesson, in the background; 202. A run that is under way is joined. */
export const startPublishCheckCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/publish-check',
  params: courseParams,
  output: publishReport,
});

/** `PUT /api/admin/courses/{id}/publish-check/override`: lets one finding pass, with a reason; null takes that back. */
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
