import type { APIContext } from 'astro';
import { errorResponse } from './endpoint.ts';

export async function csvResponse(
  { locals }: Pick<APIContext, 'locals'>,
  name: string,
  make: () => Promise<string | null>,
): Promise<Response> {
  try {
    const text = await make();
    if (text === null) return new Response(null, { status: 404 });
    return new Response(text, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      },
    });
  } catch (error) {
    const refusal = errorResponse(error, locals.requestId);
    refusal.headers.delete('content-type');
    return new Response(null, { status: refusal.status, headers: refusal.headers });
  }
}

/**
 * UTF-8 with a byte order mark; cells that begin with = + - @ or a tab get an apostrophe, so that no
 * spreadsheet runs them.
 */
export function toCsv(heading: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  // Numbers of ours may be negative; text may not begin like one.
  const cells = (row: readonly (string | number)[]) =>
    row.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(harmless(cell)))).join(',');
  return `\ufeff${[heading, ...rows].map(cells).join('\r\n')}\r\n`;
}

/** A cell as RFC 4180 has it. */
const quoted = (text: string) => (/[",\r\n]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
