import type { APIRoute } from 'astro';
import { couponBatchCsv } from '#src/features/admin/coupons/coupon-batches.server.ts';
import { csvResponse } from '#src/server/csv.ts';

/** The codes of a batch as a file. */
export const GET: APIRoute = (context) => {
  const prefix = context.params.prefix ?? '';
  const isPrefix = /^[A-Z0-9_-]{3,20}$/.test(prefix);
  return csvResponse(context, `${isPrefix ? prefix : 'coupons'}.csv`, async () =>
    isPrefix ? couponBatchCsv(prefix) : null,
  );
};
