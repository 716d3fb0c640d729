import { type ChildProcess, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { parse } from 'yaml';
import { startEmbeddedPostgres } from '#db/embedded.ts';
import { type Built, must, PROJECT } from './image.ts';

const SITE_URL = 'https://academy.example.com';
/** All that an address cannot hold as it is. */
const PASSWORD = 'p@ss/w:rd%2F #1?&+';

type Service = {
  command?: string[];
  environment: Record<string, string>;
  healthcheck?: { test: string[] };
};

/** A service of the compose file, with what the shell gives filled in. */
function service(name: string): Service {
  const text = readFileSync(join(PROJECT, 'deploy/compose.yaml'), 'utf8');
  const given: Record<string, string> = { SITE_URL, DATABASE_PASSWORD: PASSWORD };
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
  const fill = (value: string) => value.replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, key: string) => given[key]!);
  const found = services[name]!;
  const environment = Object.entries(found.environment).map(([key, value]) => [key, fill(value)]);
  // Whoever runs the image has keys of the provider in site.env; a trial has none and asks for the sandbox.
  const trial = name.startsWith('site') ? { PAYMENT_SANDBOX: 'on' } : {};
  return { ...found, environment: { ...Object.fromEntries(environment), ...trial } };
}

async function healthy(
  built: Built,
  test: string[],
  process_: ChildProcess,
  said: () => string,
): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < 90_000) {
    must(process_.exitCode === null, `it ended at its start:\n${said()}`);
    const [program = '', ...rest] = test;
    const child = built.room.start([program, ...rest], {
      user: built.user,
      folder: built.folder,
      env: built.env,
    });
    child.stdout!.resume();
    child.stderr!.resume();
    if ((await new Promise((done) => child.once('close', done))) === 0)
      return (performance.now() - began) / 1000;
    await sleep(500);
  }
  throw new Error(`it was never healthy:\n${said()}`);
}

function startService(built: Built, name: string) {
  const { command, environment, healthcheck } = service(name);
  const child = built.room.start(command ?? built.command, {
    user: built.user,
    folder: built.folder,
    env: { ...built.env, ...environment },
    asFirst: true,
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-100_000);
    });
  return {
    said: () => output,
    healthy: () => healthy(built, healthcheck?.test.slice(1) ?? built.health, child, () => output),
    /** As the engine does: a signal to the first process, and nothing else. */
    async stop(): Promise<number> {
      const ended = new Promise<void>((done) => child.once('close', () => done()));
      const first = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
      const began = performance.now();
      process.kill(Number(first), 'SIGTERM');
      await ended;
      return (performance.now() - began) / 1000;
    },
  };
}

/** The database of the compose file at its usual port, with a user of that password; gives its end. */
async function startDatabase(folder: string): Promise<() => Promise<void>> {
  const database = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
  const admin = postgres(database.url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create role academy login superuser password '${PASSWORD}'`);
  await admin.end();
  const port = Number(new URL(database.url).port);
  const forward = createServer((socket) => {
    const onward = connect(port, '127.0.0.1');
    socket.on('error', () => {}).on('close', () => onward.destroy());
    onward.on('error', () => {}).on('close', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  forward.listen(5432, '127.0.0.1');
  return async () => {
    forward.close();
    await database.stop();
  };
}

const PROGRAM = {
  submission: {
    language: 'javascript',
    code: 'const twice = (n) => 2 * n;',
    tests: [{ input: 'twice(21)', expectedOutput: '42' }],
  },
};

/** Starts judge and site from the image as the compose file does, in a network of their own, and asks them. */
export async function tryOut(built: Built, folder: string): Promise<void> {
  execFileSync('ip', ['link', 'set', 'lo', 'up']);
  writeFileSync(join(built.room.root, 'etc/hosts'), '127.0.0.1 localhost database judge\n');
  built.room.seal(['/data'], join(folder, 'volume'));
  const stopDatabase = await startDatabase(folder);

  const judge = startService(built, 'judge');
  console.log(`✓ judge: healthy after ${(await judge.healthy()).toFixed(1)} s`);
  const verdict = await fetch('http://127.0.0.1:4330/judge', {
    method: 'POST',
    body: JSON.stringify(PROGRAM),
  });
  const body = await verdict.text();
  must(
    verdict.status === 200 && body.includes('"kind":"pass"'),
    `the judge answered ${verdict.status}: ${body}\n${judge.said()}`,
  );

  const site = startService(built, 'site-a');
  const after = await site.healthy();
  for (const [path, text] of [
    ['/', '<h1'],
    ['/courses', '<h1'],
    ['/api/courses', '['],
    ['/readyz', '"judge":"ok"'],
  ] as const) {
    const answer = await fetch(`http://127.0.0.1:4321${path}`);
    const page = await answer.text();
    must(
      answer.status === 200 && page.includes(text),
      `${path} answered ${answer.status}: ${page.slice(0, 300)}`,
    );
  }
  must(!site.said().includes('Building the site'), 'the site was built again at its start');
  console.log(`✓ site: healthy after ${after.toFixed(1)} s; pages, catalogue, database and judge answer`);
  const [siteEnd, judgeEnd] = [await site.stop(), await judge.stop()];
  must(site.said().includes('shutting down'), `the site did not end in good order:\n${site.said()}`);
  console.log(`✓ ended by SIGTERM: site after ${siteEnd.toFixed(1)} s, judge after ${judgeEnd.toFixed(1)} s`);
  await stopDatabase();
}
