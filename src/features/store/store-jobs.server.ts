import type { JobDefinition } from '#src/server/jobs.ts';
import { remindOverdueJob } from './bank/bank-orders.server.ts';
import { mailClaimLinkJob, sweepClaimsJob } from '#src/features/store/guests/claim-links.server.ts';
import { reconcileJob } from '#src/features/store/reconciliation/settle-orders.server.ts';
import { refundDuplicatesJob } from '#src/features/store/refunds/refunds.server.ts';

// biome-ignore lint/suspicious/noExplicitAny: jobs of any data live in one list
export const STORE_JOBS: readonly JobDefinition<any>[] = [
  refundDuplicatesJob,
  reconcileJob,
  remindOverdueJob,
  mailClaimLinkJob,
  sweepClaimsJob,
];
