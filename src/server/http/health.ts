import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '#src/server/metrics.ts';
import { DEGRADED, type Site } from './site.ts';

const READINESS_TIMEOUT_MS = 2_000;

export async function answerHealth(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  ready: boolean,
): Promise<void> {
  let status = 200;
  let content: object = { status: 'ok' };
  if (ready) {
    const checks = await withTimeout(site.options.readiness(), READINESS_TIMEOUT_MS).catch(
      (error: Error) => ({
        checks: error.message === 'timeout' ? 'no answer within 2 s' : 'failed',
      }),
    );
    const parts: Record<string, string> = site.isDraining ? { server: 'shutting down' } : {};
    for (const [part, reason] of Object.entries(checks)) parts[part] = reason ?? 'ok';
    const failing = Object.values(parts).some((state) => state !== 'ok' && !state.startsWith(DEGRADED));
    status = failing ? 503 : 200;
    content = { status: failing ? 'not ready' : 'ready', checks: parts };
  }
  const body = Buffer.from(JSON.stringify(content));
  const headers = ['X-Request-Id', requestId, 'Content-Type', 'application/json; charset=utf-8'];
  if (status === 503) headers.push('Retry-After', '2');
  if (site.isDraining) headers.push('Connection', 'close');
  response.writeHead(status, site.plainHeaders.concat(headers, 'Content-Length', String(body.length)));
  response.end(request.method === 'HEAD' ? undefined : body);
}

export async function answerMetrics(
  site: Site,
  metrics: Metrics,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const { type, body } = await metrics.render();
  const bytes = Buffer.from(body);
  const own = ['X-Request-Id', requestId, 'Content-Type', type, 'Content-Length', String(bytes.length)];
  response.writeHead(200, site.plainHeaders.concat(own, site.isDraining ? ['Connection', 'close'] : []));
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error('timeout')), ms);
    work.then(done, fail).finally(() => clearTimeout(timer));
  });
}
