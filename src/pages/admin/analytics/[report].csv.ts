import type { APIRoute } from 'astro';
import { parseDayRange } from '#src/features/admin/insights/course-analytics.ts';
import { reportCsv } from '#src/features/admin/insights/course-analytics.server.ts';
import { csvResponse } from '#src/server/csv.ts';
import { parseCount } from '#src/shared/list-query.ts';

/** A report of the analytics page as a file. */
export const GET: APIRoute = (context) => {
  const { params, url } = context;
  const report = params.report ?? '';
  const range = parseDayRange(url.searchParams);
  return csvResponse(
    context,
    `${/^[a-z]+$/.test(report) ? report : 'report'}-${range.from}-${range.to}.csv`,
    () => reportCsv(report, parseCount(url.searchParams.get('course')), range),
  );
};
