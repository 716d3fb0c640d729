import { checkReconciliation } from '#src/features/store/reconciliation/compare-records.server.ts';
import { type ReconciledDays, LISTED_MAX } from './reconciliation.ts';
import type { ReconciliationReport } from './schema.ts';

export async function reconciliationReport(days: ReconciledDays): Promise<ReconciliationReport> {
  const { disagreements, flagged, ...report } = await checkReconciliation(
    days === 'all' ? {} : { days: Number(days) },
  );
  const paidNotEnrolled = [...Map.groupBy(report.paidNotEnrolled, ({ orderId }) => orderId)].map(
    ([orderId, lines]) => ({
      orderId,
      buyerEmail: lines[0]!.buyerEmail,
      reason: lines[0]!.reason,
      titles: lines.map(({ title }) => title),
    }),
  );
  return {
    ...report,
    counts: {
      disagreements: disagreements.length,
      paidNotEnrolled: paidNotEnrolled.length,
      flagged: flagged.length,
    },
    disagreements: disagreements.slice(0, LISTED_MAX),
    paidNotEnrolled: paidNotEnrolled.slice(0, LISTED_MAX),
    flagged: flagged.slice(0, LISTED_MAX),
  };
}
