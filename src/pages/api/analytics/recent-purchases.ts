import { recentPurchases } from '#src/features/admin/insights/analytics.server.ts';
import { recentPurchasesCall } from '#src/features/admin/insights/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(recentPurchasesCall, { access: 'admin' }, () => recentPurchases());
