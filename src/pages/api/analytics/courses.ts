import { courseAnalytics } from '#src/features/admin/analytics.server.ts';
import { courseAnalyticsCall } from '#src/features/admin/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(courseAnalyticsCall, { access: 'admin' }, () => courseAnalytics());
