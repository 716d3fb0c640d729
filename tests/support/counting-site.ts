import { createServer as createNetServer, connect, type Socket } from 'node:net';
import { createServer } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// A program of its own: it serves a release's pages without background work, counts what each request asks of the database,
// and says it in headers of the answer. One request at a time.
//
//   node tests/support/counting-site.ts <folder of the release> <address of the database>

const [folder, address] = process.argv.slice(2) as [string, string];
const database = new URL(address);

/** What the request that is answered now asked of the database, and how often it waited for it with nothing else on its way. */
let statements: string[] = [];
let waits = 0;
/** On all connections. */
let unanswered = 0;

const LENGTH_BYTES = 4;

/** Splits one direction of PostgreSQL's protocol into messages: type and body. */
function messages(each: (type: string, body: Buffer) => void, startsWithoutType: boolean) {
  let rest = Buffer.alloc(0);
  let isUntyped = startsWithoutType;
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    while (true) {
      const typeBytes = isUntyped ? 0 : 1;
      if (rest.length < typeBytes + LENGTH_BYTES) return;
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      if (!isUntyped) each(String.fromCharCode(rest[0]!), rest.subarray(1 + LENGTH_BYTES, end));
      isUntyped = false;
      rest = rest.subarray(end);
    }
  };
}

const textAt = (body: Buffer, start: number) => body.toString('utf8', start, body.indexOf(0, start));

/** Passes a connection on to the database and counts what is asked on it. */
function pass(client: Socket): void {
  const server = connect(Number(database.port || 5432), database.hostname);
  const texts = new Map<string, string>();
  const expected: ('described' | 'ready')[] = [];
  let text = '';
  let isNamed = false;
  const expect = (answer: 'described' | 'ready', counts = true) => {
    if (unanswered === 0 && counts) waits += 1;
    unanswered += 1;
    expected.push(answer);
  };
  const fromClient = messages((type, body) => {
    const first = textAt(body, 0);
    if (type === 'P') {
      text = textAt(body, Buffer.byteLength(first) + 1);
      isNamed = first !== '';
      texts.set(first, text);
    } else if (type === 'B') text = texts.get(textAt(body, Buffer.byteLength(first) + 1)) ?? '';
    // Of a statement with a name a connection asks once; of one without, each time.
    else if (type === 'H') expect('described', !isNamed);
    else if (type === 'E') statements.push(text);
    else if (type === 'S') expect('ready');
    else if (type === 'Q') {
      statements.push(first);
      expect('ready');
    }
  }, true);
  const fromServer = messages((type) => {
    const isReady = type === 'Z';
    if (!isReady && !(expected[0] === 'described' && (type === 'T' || type === 'n'))) return;
    while (expected.length > 0) {
      unanswered -= 1;
      if (expected.shift() === 'ready' || !isReady) return;
    }
  }, false);
  client.on('data', (bytes) => {
    fromClient(bytes);
    server.write(bytes);
  });
  server.on('data', (bytes) => {
    fromServer(bytes);
    client.write(bytes);
  });
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const)
    one.on('close', () => other.destroy()).on('error', () => other.destroy());
}

/** What a header has room for. */
const HEADER_MAX = 14_000;

/** The beginning of a statement, and where it reads. */
const shown = (statement: string) =>
  [statement.slice(0, 90), / from .{0,60}/s.exec(statement)?.[0], / where .{0,90}/s.exec(statement)?.[0]]
    .join(' … ')
    .replaceAll(/\s+/g, ' ');

const listen = (server: ReturnType<typeof createNetServer>): Promise<number> =>
  new Promise((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port)),
  );

const counted = new URL(address);
counted.hostname = '127.0.0.1';
counted.port = String(await listen(createNetServer(pass)));

/** A module of the release: of the sources there is a second copy here. */
const load = (path: string) => import(pathToFileURL(join(folder, path)).href);

const { connectDatabase } = await load('db/client.ts');
connectDatabase(counted.href, { max: 4 });
const { handler } = await load('site/server/entry.mjs');
for (const name of await readdir(join(folder, 'site/server/chunks'))) {
  if (name.endsWith('.mjs')) await load(`site/server/chunks/${name}`);
}
const { createSiteServer } = await load('src/server/http/http.ts');
const { log } = await load('src/server/log.ts');
const { setEnvironment } = await load('src/server/start/env.ts');

const front = createServer();
const port = await listen(front);
setEnvironment({ SITE_URL: `http://localhost:${port}`, PORT: String(port) });
const site = await createSiteServer({
  handler,
  clientDir: join(folder, 'site/client'),
  policiesFile: join(folder, 'site/_headers.json'),
  readiness: async () => ({}),
  siteUrl: `http://localhost:${port}`,
  trustProxy: ['127.0.0.1'],
  log,
});
front.on('request', (request, response) => {
  statements = [];
  waits = 0;
  const { writeHead } = response;
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    response.setHeader(
      'x-statements',
      Buffer.from(statements.map(shown).join('\n')).toString('base64').slice(0, HEADER_MAX),
    );
    response.setHeader('x-statement-count', String(statements.length));
    response.setHeader('x-waits', String(waits));
    return writeHead.apply(response, args);
  }) as typeof writeHead;
  site.server.emit('request', request, response);
});
process.send?.(port) ?? console.log(port);
