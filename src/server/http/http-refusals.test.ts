import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#src/shared/errors.ts';
import { errorResponse } from '#src/server/endpoint.ts';
import { createSiteServer, type SiteServer } from './http.ts';
import { SEARCH_SHARE } from '#src/server/limits/limits.ts';
import { createMetrics } from '#src/server/metrics.ts';

const token = 'a-token-that-nobody-guesses';
const lines: Record<string, unknown>[] = [];
let release: () => void = () => {};
/** Searches that are being rendered wait for it. */
let held: Promise<void> = Promise.resolve();
let rendered = 0;
let site: SiteServer;
let port: number;

/** An answer whose second piece comes when something has happened. */
function inPieces(first: string, waited: Promise<void>, second: string): Response {
  async function* pieces() {
    yield first;
    await waited;
    yield second;
  }
  return new Response(Readable.toWeb(Readable.from(pieces())) as ReadableStream, {
    headers: { 'content-type': 'text/plain' },
  });
}

beforeAll(async () => {
  site = await createSiteServer({
    handler: async (request, locals) => {
      rendered += 1;
      if (request.url === '/api/limited') {
        const { status, headers } = errorResponse(new AppError('too_many_requests', 'x'), locals.requestId);
        return new Response('{}', { status, headers });
      }
      if (request.url === '/held') {
        return inPieces('begun, ', held, 'done');
      }
      if (request.url?.startsWith('/courses')) await held;
      return new Response('done');
    },
    readiness: async () => ({}),
    siteUrl: 'https://academy.example',
    trustProxy: ['127.0.0.1'],
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    metrics: createMetrics({ token, read: async () => [] }),
  });
  port = await site.listen(0, '127.0.0.1');
});
afterAll(() => site.drain(100));
beforeEach(() => {
  lines.length = 0;
});

/** Sends bytes and gives the whole answer, for which it waits until the connection ends. */
function send(bytes: string): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      answer += chunk;
      // What is kept alive has been answered by then.
      if (answer.includes('</html>') || answer.includes('done') || answer.includes('}')) socket.end();
    });
    socket.on('close', () => done(answer));
    socket.on('error', fail);
  });
}

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; body: string; headers: Record<string, unknown> }>((done, fail) => {
    const asked = httpRequest({ port, path, method, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      done({
        status: response.statusCode!,
        headers: response.headers,
        body: Buffer.concat(chunks).toString(),
      });
    });
    asked.on('error', fail);
    asked.end();
  });

async function refusals(code: string): Promise<number> {
  const { body } = await ask('/metrics', { authorization: `Bearer ${token}` });
  return Number(new RegExp(`^http_refusals_total\\{code="${code}"\\} (\\d+)$`, 'm').exec(body)?.[1] ?? 0);
}

describe('what is refused before it is rendered has a line in the log and is counted', () => {
  test.each([
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'bad_request'],
    ['two hosts that agree', 'GET / HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n', 400, 'bad_request'],
    ['HTTP/2.0', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad_request'],
    ['HTTP/0.9 in so many words', 'GET / HTTP/0.9\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['HTTP/3.7', 'GET / HTTP/3.7\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['no HTTP', 'hello there\r\n\r\n', 400, 'bad_request'],
    [
      'two codings',
      'POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      501,
      'not_implemented',
    ],
    [
      'chunked twice',
      'POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'an unknown coding',
      'POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n',
      501,
      'not_implemented',
    ],
    [
      'a coding and a length',
      'POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'a coding in HTTP/1.0',
      'POST /api/x HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'bad_request',
    ],
    ['a method that is not taken', 'PURGE / HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
    ['a tunnel', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
    ['a bad target', 'GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    [
      'a body that is too large',
      'POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 60000000\r\n\r\n',
      413,
      'too_large',
    ],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n', 417, 'expectation_failed'],
    [
      'a head that is too large',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('%s', async (_name, bytes, status, code) => {
    const before = await refusals(code);
    rendered = 0;
    lines.length = 0;
    const answer = await send(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const requestId = /^X-Request-Id: (\S+)\r$/im.exec(answer)?.[1];
    expect(answer).toContain("frame-ancestors 'none'");
    expect(answer).toContain('X-Content-Type-Options: nosniff');
    expect(answer).toContain('Strict-Transport-Security: ');
    expect(lines.map((line) => [line.requestId, line.status, line.code])).toEqual([
      [requestId, status, code],
    ]);
    expect(await refusals(code)).toBe(before + 1);
    expect(rendered).toBe(0);
  });

  test('what the endpoint refuses tells its code in the line of its request', async () => {
    const before = await refusals('too_many_requests');
    lines.length = 0;
    expect((await ask('/api/limited')).status).toBe(429);
    expect(lines).toMatchObject([{ msg: 'request', status: 429, code: 'too_many_requests' }]);
    expect(await refusals('too_many_requests')).toBe(before + 1);
  });

  test('HTTP/1.0 needs no host', async () => {
    expect(await send('GET /x HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('what is no request on a connection in use', () => {
  const bad = 'no request\r\n\r\n';
  const good = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  /** Sends `second` when the answer to `first` has come so far, and gives all that was answered. */
  const converse = (first: string, far: string, second: string) =>
    new Promise<string>((done, fail) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(first));
      let answer = '';
      socket.setEncoding('latin1');
      socket.on('data', (chunk: string) => {
        if (!answer.includes(far) && (answer + chunk).includes(far)) socket.write(second);
        answer += chunk;
      });
      socket.on('close', () => done(answer));
      socket.on('error', fail);
    });
  const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

  test('is refused after an answer, and after several that were asked for at once', async () => {
    expect(statuses(await converse(good('/x'), 'done', bad))).toEqual(['200', '400']);
    const three = good('/x') + good('/healthz') + good('/y');
    expect(statuses(await converse(three, 'text/plain', bad)).at(-1)).toBe('400');
  });

  test('ends an answer that is under way, also where another one waits behind it', async () => {
    held = new Promise((done) => {
      release = done;
    });
    for (const second of [bad, good('/x') + bad]) {
      expect(statuses(await converse(good('/held'), 'begun', second))).toEqual(['200']);
    }
    release();
  });
});

describe('searches', () => {
  const most = SEARCH_SHARE.atOnce + SEARCH_SHARE.waiting;

  test('many at once from one address get its share, and another address is served meanwhile', async () => {
    held = new Promise((done) => {
      release = done;
    });
    rendered = 0;
    const from = (ip: string) => ({ 'x-forwarded-for': ip });
    const flood = Array.from({ length: most + 30 }, (_, n) =>
      ask(`/courses?search=word${n}`, from('203.0.113.9')),
    );
    const statuses: number[] = [];
    for (const one of flood) void one.then(({ status }) => statuses.push(status));
    await expect.poll(() => statuses.length).toBe(30);
    expect(new Set(statuses)).toEqual(new Set([429]));
    expect(rendered).toBe(SEARCH_SHARE.atOnce);
    const other = ask('/courses?search=other', from('203.0.113.10'));
    await expect.poll(() => rendered).toBe(SEARCH_SHARE.atOnce + 1);
    // Nothing but searches is counted.
    expect((await ask('/api/other', from('203.0.113.9'))).status).toBe(200);
    release();
    expect((await other).status).toBe(200);
    const answers = await Promise.all(flood);
    const served = answers.filter(({ status }) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(SEARCH_SHARE.atOnce);
    expect(served).toBeLessThanOrEqual(most);
    expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toBe('1');
  });

  test('one that nobody waits for any more leaves its place', async () => {
    held = new Promise((done) => {
      release = done;
    });
    for (let n = 0; n < SEARCH_SHARE.atOnce; n += 1) {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET /courses?search=${n} HTTP/1.1\r\nHost: a\r\n\r\n`),
      );
      socket.on('error', () => {});
      const before = rendered;
      await expect.poll(() => rendered).toBe(before + 1);
      socket.destroy();
    }
    rendered = 0;
    const next = ask('/courses?search=next');
    await expect.poll(() => rendered).toBe(1);
    release();
    expect((await next).status).toBe(200);
  });
});
