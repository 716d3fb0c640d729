import { startWorkingCheck } from '#src/features/authoring/publishing/publish-check.server.ts';
import { publishReport } from '#src/features/authoring/publishing/publish-report.server.ts';
import { publishReportCall, startPublishCheckCall } from '#src/features/authoring/publishing/schema.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(publishReportCall, { access: staffOf('course', 'author') }, ({ params }) =>
  publishReport(params.id),
);

export const POST = endpoint(
  startPublishCheckCall,
  { access: staffOf('course', 'author'), limit: 'publish-check' },
  async ({ actor, params, status }) => {
    status(202);
    return startWorkingCheck(actor, params.id);
  },
);
