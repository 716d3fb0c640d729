import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMetrics } from '#src/server/metrics.ts';
import { createSiteServer, type SiteServer } from './http.ts';
import type { PageHandler } from './site.ts';
import { precompressFiles } from './static-files.ts';

const page = `<!doctype html><title>Home</title>${'<p>Plenty of words to make it worth packing.</p>'.repeat(120)}`;
const silent = pino({ level: 'silent' });

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const { body } = request as IncomingMessage & { body?: Buffer };
  if (body) return body;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Stands where Astro's handler stands; each path shows one behaviour of a renderer. */
const renderer: PageHandler = async (request, locals) => {
  const path = request.url!.split('?')[0]!;
  const html = { 'content-type': 'text/html' };
  if (path === '/echo' || path === '/api/echo' || path.startsWith('/api/upload')) {
    const body = await readAll(request);
    const facts = { bytes: body.length, host: request.headers.host, ...locals, url: request.url };
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const cookie of ['a=1', 'b=2']) headers.append('set-cookie', cookie);
    return new Response(JSON.stringify(facts), { headers });
  }
  switch (path) {
    case '/large':
      return new Response(page, { headers: html });
    case '/slow':
      await sleep(Number(new URL(request.url!, 'http://x').searchParams.get('ms') ?? 300));
      return new Response('done', { headers: { 'content-type': 'text/plain' } });
    case '/stream':
      return new Response(Readable.toWeb(Readable.from(twoPieces())) as ReadableStream, {
        headers: html,
      });
    case '/redirect':
      return new Response(null, { status: 302, headers: { location: '/large' } });
    case '/policy':
      return new Response('x', { headers: { ...html, 'content-security-policy': "script-src 'self'" } });
    case '/own-frame':
      return new Response('x', { headers: { ...html, 'content-security-policy': "frame-ancestors 'self'" } });
    case '/throws':
      throw new Error('render failed');
    case '/bare-500':
      return new Response(null, { status: 500 });
    default:
      return null;
  }
};

async function* twoPieces() {
  yield 'first ';
  await sleep(150);
  yield 'second';
}

let folder: string;
let site: SiteServer;
let port: number;
const ready: Record<string, string | null> = { database: null };

const start = async (extra: Partial<Parameters<typeof createSiteServer>[0]> = {}) => {
  const made = await createSiteServer({
    handler: renderer,
    clientDir: folder,
    policiesFile: join(folder, 'headers.json'),
    readiness: async () => ready,
    siteUrl: 'https://academy.example',
    log: silent,
    uploads: [
      { maxBytes: 4_000_000, paths: /^\/api\/upload\/large$/ },
      { maxBytes: 3_000_000, paths: /^\/api\/upload(\/|$)/ },
    ],
    ...extra,
  });
  return { site: made, port: await made.listen(0, '127.0.0.1') };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-http-'));
  await mkdir(join(folder, '_astro'));
  await mkdir(join(folder, 'about'));
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'about/index.html'), `${page}about`);
  await writeFile(join(folder, '404.html'), `${page}Nothing here`);
  await writeFile(join(folder, 'guarded.html'), page);
  await writeFile(
    join(folder, 'headers.json'),
    JSON.stringify([
      {
        pathname: '/guarded/',
        headers: [{ key: 'Content-Security-Policy', value: "script-src 'self'; img-src data:;" }],
      },
    ]),
  );
  await writeFile(join(folder, '_astro/app.a1b2c3.js'), 'export const words = "many";\n'.repeat(100));
  await writeFile(join(folder, 'clip.mp4'), Buffer.alloc(10_000, 7));
  await precompressFiles(folder);
  ({ site, port } = await start());
});

afterAll(async () => {
  await site.drain(100);
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function ask(
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
    at = port,
    agent,
  }: {
    method?: string;
    headers?: Record<string, string>;
    body?: Buffer | string;
    at?: number;
    agent?: Agent;
  } = {},
): Promise<Answer> {
  return new Promise((done, fail) => {
    const request = httpRequest({ host: '127.0.0.1', port: at, path, method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        done({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
      response.on('error', fail);
    });
    request.on('error', fail);
    request.end(body);
  });
}

/** Sends bytes as they are and resolves to everything that comes back before the connection ends. */
function raw(bytes: string, { at = port, waitMs = 3_000 } = {}): Promise<string> {
  return new Promise((done) => {
    let text = '';
    const socket = connect(at, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setTimeout(waitMs, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => done(text));
  });
}

function expectSecured(headers: IncomingHttpHeaders) {
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['content-security-policy']).toContain('frame-ancestors');
  expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
  expect(headers['permissions-policy']).toContain('camera=()');
  expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
  expect(headers['strict-transport-security']).toMatch(/^max-age=\d+/);
  expect(headers['x-request-id']).toMatch(/^[0-9a-f]{10}-\w+$/);
}

describe('public files', () => {
  test('a page answers under each of its addresses', async () => {
    for (const path of [
      '/about',
      '/about/',
      '/about.html',
      '/about/index.html',
      '/about?utm=1',
      '/%61bout',
    ]) {
      const { status, headers, body } = await ask(path);
      expect(status, path).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(body.toString()).toBe(`${page}about`);
    }
  });

  test('brotli is preferred, then gzip, and a refused coding is not sent', async () => {
    const brotli = await ask('/', { headers: { 'accept-encoding': 'gzip, br;q=0.5' } });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.body).toString()).toBe(page);
    const gzipped = await ask('/', { headers: { 'accept-encoding': 'gzip, br;q=0' } });
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzipped.body).toString()).toBe(page);
    const plain = await ask('/', { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const answer of [brotli, gzipped, plain]) expect(answer.headers.vary).toBe('Accept-Encoding');
    expect(new Set([brotli, gzipped, plain].map((answer) => answer.headers.etag)).size).toBe(3);
  });

  test('a known version is not sent again', async () => {
    const { headers } = await ask('/');
    for (const known of [headers.etag!, `"other", W/${headers.etag}`, '*']) {
      const again = await ask('/', { headers: { 'if-none-match': known } });
      expect(again.status).toBe(304);
      expect(again.body.length).toBe(0);
      expect(again.headers.etag).toBe(headers.etag);
      expectSecured(again.headers);
    }
    expect((await ask('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('only hashed files are immutable', async () => {
    expect((await ask('/_astro/app.a1b2c3.js')).headers['cache-control']).toContain('immutable');
    expect((await ask('/')).headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  });

  test('HEAD gives the headers alone, and writing to a file is refused', async () => {
    const head = await ask('/', { method: 'HEAD' });
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(page)));
    expect(head.body.length).toBe(0);
    const post = await ask('/about', { method: 'POST', body: 'x' });
    expect(post.status).toBe(405);
    expect(post.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('a video can be sought in', async () => {
    const part = await ask('/clip.mp4', { headers: { range: 'bytes=100-199' } });
    expect([part.status, part.body.length]).toEqual([206, 100]);
    expect(part.headers['content-range']).toBe('bytes 100-199/10000');
    expect((await ask('/clip.mp4', { headers: { range: 'bytes=-10' } })).headers['content-range']).toBe(
      'bytes 9990-9999/10000',
    );
    expect((await ask('/clip.mp4', { headers: { range: 'bytes=99999-' } })).status).toBe(416);
    // No range at all, as it ends before it begins.
    const backwards = await ask('/clip.mp4', { headers: { range: 'bytes=5-2' } });
    expect([backwards.status, backwards.headers['content-length']]).toEqual([200, '10000']);
  });

  test('the compressed copies have no address of their own', async () => {
    expect((await ask('/index.html.br')).status).toBe(404);
  });

  test('an unknown path gives 404 with the page for it', async () => {
    const missing = await ask('/nothing');
    expect(missing.status).toBe(404);
    expect(missing.body.toString()).toContain('Nothing here');
    expectSecured(missing.headers);
    expect(missing.headers['cache-control']).toBe('no-store');
    expect((await ask('/404')).status).toBe(404);
  });

  test.each([
    '/_astro/',
    '/_astro',
    '/.git/config',
    '/.env',
    '/package.json',
    '/server/entry.mjs',
    '/about/.',
  ])('%s is none: neither lists of folders nor files beside the build', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });
});

describe('every answer', () => {
  test.each([
    ['/', 200],
    ['/large', 200],
    ['/redirect', 302],
    ['/nothing', 404],
    ['/throws', 500],
    ['/bare-500', 500],
    ['/%ff', 400],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/api/nothing', 404],
  ])('%s carries the security headers and an id', async (path, status) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    expectSecured(answer.headers);
  });

  test('so do answers to what is not HTTP', async () => {
    for (const [bytes, status] of [
      ['NONSENSE\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
      ['BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 405],
      ['CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n', 405],
    ] as const) {
      const answer = await raw(bytes);
      expect(answer).toContain(`HTTP/1.1 ${status} `);
      expect(answer).toContain('X-Content-Type-Options: nosniff');
      expect(answer).toMatch(/X-Request-Id: \w+-\w+/);
    }
  });

  test('no promise of https is made on an http site', async () => {
    const other = await start({ siteUrl: 'http://localhost:4321' });
    const { headers } = await ask('/', { at: other.port });
    expect(headers['strict-transport-security']).toBeUndefined();
    await other.site.drain(100);
  });

  test('a policy of the page is completed, and one that names its ancestors is kept', async () => {
    expect((await ask('/policy')).headers['content-security-policy']).toBe(
      "script-src 'self'; frame-ancestors 'none'",
    );
    const own = await ask('/own-frame');
    expect(own.headers['content-security-policy']).toBe("frame-ancestors 'self'");
    expect(own.headers['x-frame-options']).toBeUndefined();
  });

  test('ids differ and are not taken from outside', async () => {
    const headers = { 'x-request-id': 'mine' };
    const answers = await Promise.all([ask('/', { headers }), ask('/api/echo', { headers })]);
    const ids = answers.map((answer) => answer.headers['x-request-id']);
    expect(ids).not.toContain('mine');
    expect(ids[0]).not.toBe(ids[1]);
    expect(JSON.parse(answers[1]!.body.toString()).requestId).toBe(ids[1]);
  });
});

describe('rendered answers', () => {
  test('name their encoding', async () => {
    expect((await ask('/large')).headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await ask('/nothing')).headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('leave a line in the log that says who asked for what, and what came of it', async () => {
    const lines: Record<string, unknown>[] = [];
    const logged = await start({
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
      handler: async (_request, locals) => {
        locals.user = { id: 42 };
        return Response.json({}, { status: 403 });
      },
    });
    await fetch(`http://127.0.0.1:${logged.port}/api/admin/orders?token=secret`, { method: 'PUT' });
    await logged.site.drain(1_000);
    expect(lines).toContainEqual(
      expect.objectContaining({
        time: expect.any(Number),
        requestId: expect.any(String),
        method: 'PUT',
        url: '/api/admin/orders?token=[redacted]',
        status: 403,
        userId: 42,
        ip: '127.0.0.1',
      }),
    );
  });

  test('are packed when that is accepted and worth it, never stored unless they say so', async () => {
    const packed = await ask('/large', { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.headers['content-length']).toBe(String(packed.body.length));
    expect(packed.headers.vary).toBe('Accept-Encoding');
    expect(packed.headers['cache-control']).toBe('no-store');
    expect(gunzipSync(packed.body).toString()).toBe(page);
    const small = await ask('/api/echo', { headers: { 'accept-encoding': 'gzip' } });
    expect(small.headers['content-encoding']).toBeUndefined();
    expect(small.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  });

  test('leave in pieces when they take long', async () => {
    expect((await ask('/stream')).body.toString()).toBe('first second');
    const packed = await ask('/stream', { headers: { 'accept-encoding': 'gzip' } });
    expect(gunzipSync(packed.body).toString()).toBe('first second');
  });

  test('errors are JSON for the API and a page for people', async () => {
    const api = await ask('/api/nothing');
    expect(JSON.parse(api.body.toString())).toEqual({
      code: 'not_found',
      message: 'Not found.',
      requestId: api.headers['x-request-id'],
    });
    const failed = await ask('/throws');
    expect(failed.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(failed.body.toString()).toContain(failed.headers['x-request-id']);
    expect(failed.body.toString()).not.toContain('render failed');
  });

  test('a foreign Host, an absolute address and forwarded headers do not reach the renderer', async () => {
    const { body } = await ask('/echo', { headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' } });
    expect(JSON.parse(body.toString()).host).toBe('academy.example');
    const answer = await raw(
      'GET http://evil.test/echo HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toContain('"host":"academy.example"');
    expect(answer).toContain('"url":"/echo"');
  });
});

describe('bad requests', () => {
  test.each([
    ['/%00', 400],
    ['/a%00b', 400],
    ['/echo?name=%00', 400],
    ['/%', 400],
    ['/%zz', 400],
    ['/%ed%a0%80', 400],
    ['/a\\b', 400],
    ['/../package.json', 404],
    ['/about/..;/index.html', 404],
    ['/%2e%2e/package.json', 404],
    ['/%2e%2e%2fpackage.json', 404],
    ['/about/%2e/', 404],
    ['/%252e%252e/package.json', 404],
    ['//evil.test/', 404],
    [`/${'a'.repeat(9_000)}`, 414],
  ])('%s', async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });

  test('TRACE and other methods are refused, OPTIONS tells what is taken', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'PURGE']) {
      const answer = await ask('/echo', { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toContain('GET');
    }
    const options = await ask('/about', { method: 'OPTIONS' });
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expectSecured(options.headers);
  });

  test('too many headers', async () => {
    const headers = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x-h-${index}`, '1']));
    expect((await ask('/', { headers })).status).toBe(431);
  });

  test('a body that says it is too large is refused before it is sent', async () => {
    const answer = await raw('POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 60000000\r\n\r\nstart');
    expect(answer).toContain('HTTP/1.1 413 ');
    expect(answer).toContain('"code":"too_large"');
    const expecting = await raw(
      'POST /api/echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 60000000\r\n\r\n',
    );
    expect(expecting.startsWith('HTTP/1.1 413 ')).toBe(true);
  });

  test('the caller sees the refusal although it sends the whole body', async () => {
    const answer = await ask('/api/echo', { method: 'POST', body: Buffer.alloc(3_500_000) });
    expect(answer.status).toBe(413);
    expect(answer.headers.connection).toBe('close');
  });

  test('a body of unknown length is counted', async () => {
    const chunk = `${(65_536).toString(16)}\r\n${'a'.repeat(65_536)}\r\n`;
    const head = 'POST /api/echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await raw(head + chunk.repeat(17))).toContain('HTTP/1.1 413 ');
    const fits = await raw(`${head.replace('Host: x', 'Host: x\r\nConnection: close')}${chunk}0\r\n\r\n`);
    expect(fits).toContain('"bytes":65536');
  });

  test('paths that take uploads take more', async () => {
    const body = Buffer.alloc(2_000_000);
    expect((await ask('/api/upload', { method: 'POST', body })).status).toBe(200);
    expect((await ask('/api/echo', { method: 'POST', body })).status).toBe(413);
    const larger = Buffer.alloc(3_000_001);
    expect((await ask('/api/upload', { method: 'POST', body: larger })).status).toBe(413);
    expect((await ask('/api/upload/large', { method: 'POST', body: larger })).status).toBe(200);
  });

  test('a body or a head that never comes to an end is given up', async () => {
    const slow = await start({ bodyTimeoutMs: 200, headersTimeoutMs: 300 });
    const [body, chunked, head] = await Promise.all([
      raw('POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nstart', {
        at: slow.port,
        waitMs: 6_000,
      }),
      raw('POST /api/echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nstart\r\n', {
        at: slow.port,
        waitMs: 6_000,
      }),
      raw('GET / HTTP/1.1\r\nHost: x\r\nX-Slow', { at: slow.port, waitMs: 6_000 }),
    ]);
    expect(body).toContain('HTTP/1.1 408 ');
    expect(body).toContain('"code":"request_timeout"');
    expect(chunked).toContain('HTTP/1.1 408 ');
    expect(head).toContain('HTTP/1.1 408 ');
    // It still serves.
    expect((await ask('/', { at: slow.port })).status).toBe(200);
    await slow.site.drain(100);
  });
});

describe('the caller’s address', () => {
  const ipOf = async (at: number, forwarded: string) =>
    JSON.parse((await ask('/echo', { at, headers: { 'x-forwarded-for': forwarded } })).body.toString())
      .clientIp;

  test('is the peer’s unless the peer is a trusted proxy', async () => {
    expect(await ipOf(port, '6.6.6.6')).toBe('127.0.0.1');
  });

  test('is the rightmost one that no trusted proxy has', async () => {
    const behind = await start({ trustProxy: ['127.0.0.1', '10.0.0.0/8'] });
    expect(await ipOf(behind.port, '6.6.6.6, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9');
    expect(await ipOf(behind.port, '6.6.6.6, nonsense, 10.1.2.3')).toBe('10.1.2.3');
    expect(await ipOf(behind.port, '2001:db8::7')).toBe('2001:db8:0:0::/64');
    await behind.site.drain(100);
  });
});

describe('what an answer may load', () => {
  const policyOf = async (path: string) => (await ask(path)).headers['content-security-policy'];

  test('is said in a header also by pages of the build', async () => {
    const policy = "script-src 'self'; img-src data:; frame-ancestors 'none'";
    expect(await policyOf('/guarded')).toBe(policy);
    const { headers } = await ask('/guarded');
    const unchanged = await ask('/guarded', { headers: { 'if-none-match': headers.etag! } });
    expect([unchanged.status, unchanged.headers['content-security-policy']]).toEqual([304, policy]);
  });

  test('is nothing for refusals, redirects and data', async () => {
    for (const path of ['/%zz', '/redirect', '/throws', '/healthz', '/echo'])
      expect([path, await policyOf(path)]).toEqual([path, expect.stringMatching(/^default-src 'none';/)]);
    expect(await policyOf('/large')).toBe("frame-ancestors 'none'");
  });
});

describe('health', () => {
  test('says which part is not ready', async () => {
    ready.database = 'does not answer';
    const answer = await ask('/readyz');
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body.toString())).toEqual({
      status: 'not ready',
      checks: { database: 'does not answer' },
    });
    expect((await ask('/healthz')).status).toBe(200);
    ready.database = null;
    expect((await ask('/readyz')).status).toBe(200);
  });
});

describe('figures', () => {
  const token = 'a-token-that-nobody-guesses';
  const authorization = `Bearer ${token}`;

  test('are at no address without a token for them', async () => {
    expect((await ask('/metrics', { headers: { authorization } })).status).toBe(404);
  });

  test('are for readers with the token, and count what was answered', async () => {
    const other = await start({ metrics: createMetrics({ token, read: async () => [] }) });
    const at = other.port;
    const unasked = await ask('/metrics', { at });
    expect([unasked.status, unasked.headers['www-authenticate']]).toEqual([401, 'Bearer realm="metrics"']);
    // Whoever mistyped the token has to see that it arrived.
    const wrong = await ask('/metrics', { at, headers: { authorization: 'Bearer wrong' } });
    expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([403, undefined]);
    expect(unasked.body.toString()).toContain('needs an authorization');
    expect(wrong.body.toString()).toContain('not allowed');
    await ask('/', { at });
    await ask('/large', { at });
    const answer = await ask('/metrics', { at, headers: { authorization } });
    expect(answer.status).toBe(200);
    expectSecured(answer.headers);
    expect(answer.headers['cache-control']).toBe('no-store');
    const figures = answer.body.toString();
    expect(figures).toContain('http_files_total 1');
    expect(figures).toContain('http_requests_total{method="GET",route="none",status="200"} 1');
    expect((await ask('/metrics', { at, method: 'POST', headers: { authorization } })).status).toBe(405);
    await other.site.drain(100);
  });
});

describe('shutdown', () => {
  test('what is running is finished, and no connection is left', async () => {
    const other = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const running = Array.from({ length: 8 }, () => ask('/slow?ms=900', { at: other.port, agent }));
    await sleep(100);
    const draining = other.site.drain(5_000);
    const answers = await Promise.all(running);
    expect(answers.every(({ status, headers }) => status === 200 && headers.connection === 'close')).toBe(
      true,
    );
    expect(await draining).toBe(0);
    await expect(ask('/', { at: other.port })).rejects.toThrow('ECONNREFUSED');
    agent.destroy();
  });

  test('a request on a connection that was idle when the shutdown began is answered', async () => {
    const other = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await ask('/', { at: other.port, agent });
    const draining = other.site.drain(5_000);
    const late = await ask('/large', { at: other.port, agent });
    expect([late.status, late.headers.connection]).toEqual([200, 'close']);
    expect(await draining).toBe(0);
    agent.destroy();
  });

  test('what does not finish in time is cut and counted', async () => {
    const other = await start();
    const stuck = ask('/slow?ms=5000', { at: other.port }).catch((error: Error) => error.message);
    await sleep(100);
    expect(await other.site.drain(300)).toBe(1);
    expect(await stuck).toMatch(/hang up|ECONNRESET/);
  });
});
