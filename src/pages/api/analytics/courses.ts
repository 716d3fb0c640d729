import { courseAnalytics } from '#src/features/admin/insights/analytics.server.ts';
import { courseAnalyticsCall } from '#src/features/admin/insights/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(courseAnalyticsCall, { access: 'admin' }, () => courseAnalytics());
