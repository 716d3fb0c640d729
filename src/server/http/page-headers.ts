import { env } from '#src/server/start/env.ts';

/** Sets `X-Total-Count` and `Link` (RFC 8288) of a list's answer (decision 43). */
export function setPageHeaders(
  headers: Headers,
  url: URL,
  { page, pageSize, total }: { page: number; pageSize: number; total: number },
): void {
  headers.set('x-total-count', String(total));
  const last = Math.max(1, Math.ceil(total / pageSize));
  const link = (target: number, relation: string) => {
    const address = new URL(url.pathname + url.search, env().siteUrl);
    address.searchParams.set('page', String(target));
    return `<${address.href}>; rel="${relation}"`;
  };
  const links = [link(1, 'first')];
  if (page > 1) links.push(link(Math.min(page - 1, last), 'prev'));
  if (page < last) links.push(link(page + 1, 'next'));
  links.push(link(last, 'last'));
  headers.set('link', links.join(', '));
}
