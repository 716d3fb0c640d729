import type { JobDefinition } from '#src/server/jobs.ts';
import { lessonJob, resumeJob } from './publish-check.server.ts';

/** The background work of the publish gate. */
// biome-ignore lint/suspicious/noExplicitAny: jobs of any data live in one list
export const GATE_JOBS: readonly JobDefinition<any>[] = [lessonJob, resumeJob];
