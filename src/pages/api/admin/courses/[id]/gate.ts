import { gateReport, startGate } from '#src/features/authoring/publishing/publish-check.server.ts';
import { gateReportCall, startGateCall } from '#src/features/authoring/publishing/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(gateReportCall, { access: 'admin' }, ({ params }) => gateReport(params.id));

export const POST = endpoint(
  startGateCall,
  { access: 'admin', limit: 'gate' },
  async ({ actor, params, status }) => {
    status(202);
    return startGate(actor, params.id);
  },
);
