import { reconciliationReport } from '#src/features/admin/orders/reconciliation.server.ts';
import { reconciliationReportCall } from '#src/features/admin/orders/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(reconciliationReportCall, { access: 'admin' }, ({ query }) =>
  reconciliationReport(query.days),
);
