import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLink } from '#src/features/authoring/publishing/check-links.server.ts';
import { askOutside, type OutsideNetwork } from './outside.ts';

let server: Server;
let port: number;
let behave: (socket: Socket) => void;
const open = new Set<Socket>();

beforeAll(async () => {
  server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.once('data', () => behave(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  for (const socket of open) socket.destroy();
  server.close();
});

const network: OutsideNetwork = {
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  isAllowed: (_address, at) => at === port,
};
const LIMIT_MS = 600;

/** Sends a text again and again until the other side has gone. */
const endlessly = (text: string, everyMs: number) => (socket: Socket) => {
  const timer = setInterval(() => !socket.destroyed && socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
};
const says = (text: string | Buffer) => (socket: Socket) => void socket.write(text);
const first = (text: string, then: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(text);
  then(socket);
};
const OK = 'HTTP/1.1 200 OK\r\n';
const zipped = gzipSync('small');

/** What the other side does, and the status that comes of it; null: no answer. */
const KINDS: [string, (socket: Socket) => void, number | null][] = [
  ['101', says('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'), 101],
  ['101 without a word of which', says('HTTP/1.1 101 Switching Protocols\r\n\r\n'), 101],
  ['a flood of 100', endlessly('HTTP/1.1 100 Continue\r\n\r\n', 1), null],
  ['102 and 103 in turn', endlessly('HTTP/1.1 102 P\r\n\r\nHTTP/1.1 103 E\r\nLink: <a>\r\n\r\n', 1), null],
  ['one 100, then the answer', says(`HTTP/1.1 100 Continue\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`), 200],
  ['no answer', () => {}, null],
  ['half a header', says('HTTP/1.1 200 OK\r\nContent-Le'), null],
  ['a header that is too large', says(`${OK}X: ${'a'.repeat(40_000)}\r\n\r\n`), null],
  ['headers without end', first(OK, endlessly('X-More: yes\r\n', 5)), null],
  ['a body without end', first(`${OK}\r\n`, endlessly('a'.repeat(50_000), 1)), 200],
  ['a body that comes drop by drop', first(`${OK}Content-Length: 900\r\n\r\n`, endlessly('a', 50)), null],
  [
    'less than it said, then the end',
    (socket) => void socket.end(`${OK}Content-Length: 50\r\n\r\nshort`),
    null,
  ],
  ['more than it said', says(`${OK}Content-Length: 2\r\n\r\nokay and more`), null],
  ['a length that is no number', says(`${OK}Content-Length: many\r\n\r\n`), null],
  ['a reset', (socket) => void socket.resetAndDestroy(), null],
  ['a close at once', (socket) => void socket.end(), null],
  ['a close after the headers', (socket) => void socket.end(`${OK}Content-Length: 5\r\n\r\n`), null],
  [
    'gzip',
    (socket) =>
      void socket.end(
        Buffer.concat([
          Buffer.from(`${OK}Content-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`),
          zipped,
        ]),
      ),
    200,
  ],
  ['a redirect', says('HTTP/1.1 307 T\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n'), 307],
  ['HTTP/0.9', (socket) => void socket.end('<p>hello</p>'), null],
  ['garbage', (socket) => void socket.end(Buffer.from([0, 1, 2, 3, 255, 254])), null],
  ['an alert of TLS', (socket) => void socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 40])), null],
  ['a second answer behind the first', says(`${OK}Content-Length: 0\r\n\r\n${OK}\r\n`), 200],
  ['chunks without end', first(`${OK}Transfer-Encoding: chunked\r\n\r\n`, endlessly('1\r\na\r\n', 20)), null],
  [
    'a chunk whose extension has no end',
    first(`${OK}Transfer-Encoding: chunked\r\n\r\n1;`, endlessly('x=y;'.repeat(1000), 1)),
    null,
  ],
  ['204 with a body', says('HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nbody'), null],
  ['304', says('HTTP/1.1 304 Not Modified\r\n\r\n'), 304],
  ['a whole answer, then silence', says(`${OK}Connection: keep-alive\r\nContent-Length: 2\r\n\r\nok`), 200],
];

describe('whatever the other side answers', () => {
  it.each(KINDS)('settles and closes its connection: %s', async (_name, answer, status) => {
    behave = answer;
    const came = await askOutside(new URL(`http://out.test:${port}/`), {
      method: 'POST',
      headers: { 'content-length': '2' },
      body: '{}',
      bytes: 65_536,
      // Never ends by itself: the limit alone has to.
      signal: new AbortController().signal,
      limitMs: LIMIT_MS,
      network,
    }).then(
      (one) => one.status,
      (error: unknown) => {
        expect(error).toBeInstanceOf(Error);
        return null;
      },
    );
    expect(came).toBe(status);
    await expect.poll(() => open.size, { timeout: 2_000 }).toBe(0);
  });

  it('ends a name that is never found, and a request whose caller has gone', async () => {
    const asked = { method: 'GET', headers: {}, bytes: 10, limitMs: 200 } as const;
    const never = { ...network, resolve: () => new Promise<never>(() => {}) };
    const url = new URL(`http://out.test:${port}/`);
    const signal = new AbortController().signal;
    await expect(askOutside(url, { ...asked, signal, network: never })).rejects.toThrow('in time');
    await expect(
      askOutside(url, { ...asked, signal: AbortSignal.abort(new Error('gone')), network }),
    ).rejects.toThrow('gone');
  });

  it('takes no other protocol for a link that works', async () => {
    behave = KINDS[0]![1];
    expect(await checkLink(`http://out.test:${port}/`, network)).toMatchObject({
      kind: 'unsure',
      why: 'answers 101',
    });
  });
});
