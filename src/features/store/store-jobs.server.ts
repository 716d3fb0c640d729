import type { JobDefinition } from '#src/server/jobs.ts';
import { remindOverdueJob } from './bank/bank-orders.server.ts';
import { mailClaimLinkJob, sweepClaimsJob } from './guests/claims.server.ts';
import { reconcileJob } from './reconciliation/reconcile.server.ts';
import { mailWithdrawalLinkJob, refundWithdrawnJob } from './withdrawals/withdrawals.server.ts';
import { refundDuplicatesJob } from './refunds/refunds.server.ts';

/** The background work of the store. */
// biome-ignore lint/suspicious/noExplicitAny: jobs of any data live in one list
export const STORE_JOBS: readonly JobDefinition<any>[] = [
  refundDuplicatesJob,
  refundWithdrawnJob,
  reconcileJob,
  remindOverdueJob,
  mailClaimLinkJob,
  mailWithdrawalLinkJob,
  sweepClaimsJob,
];
