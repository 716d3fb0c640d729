import type { JobDefinition } from '#src/server/jobs.ts';
import { linksJob } from './dead-links.server.ts';
import { lessonJob, resumeJob } from './publish-check.server.ts';

// biome-ignore lint/suspicious/noExplicitAny: jobs of any data live in one list
export const PUBLISHING_JOBS: readonly JobDefinition<any>[] = [lessonJob, resumeJob, linksJob];
