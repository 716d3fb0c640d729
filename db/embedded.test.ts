import { execFileSync, spawn } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './embedded.ts';
import { MACHINE } from './lock-file.ts';
import { migrateDatabase, pendingMigrations } from './migrate.ts';

let dataDir: string;
const started: { stop(): Promise<void> }[] = [];

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'embedded-')), 'data');
  await mkdir(join(dataDir, '..'), { recursive: true });
  // mkdtemp's 0700 would shut the server's own account out.
  execFileSync('chmod', ['755', join(dataDir, '..')]);
});

afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
  await rm(join(dataDir, '..'), { recursive: true, force: true });
});

async function start() {
  const server = await startEmbeddedPostgres({ dataDir });
  started.push(server);
  return server;
}

async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return (await sql.unsafe(text)) as unknown as T[];
  } finally {
    await sql.end();
  }
}

/** Starts the server from a process of its own and resolves to that process once it is up. */
async function startInChild() {
  const module = fileURLToPath(new URL('./embedded.ts', import.meta.url));
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(server.url);
    process.on('SIGTERM', () => server.stop().then(() => process.exit(0)));
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((done, fail) => {
    child.stdout.once('data', (line: Buffer) => done(line.toString().trim()));
    child.once('exit', (code) => fail(new Error(`ended with ${code}`)));
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  return { child, url, ended };
}

test('a new database is UTF-8, ordered by code point, durable, and closed to those without the password', async () => {
  const server = await start();
  const [facts] = await query<Record<string, unknown>>(
    server.url,
    `select current_database() as name, pg_encoding_to_char(encoding) as encoding, datlocprovider as provider,
            'é' < 'z' as linguistic, lower('ÀÉ') as lower, current_setting('synchronous_commit') as durable,
            current_setting('max_connections') as connections
       from pg_database where datname = current_database()`,
  );
  expect(facts).toEqual({
    name: 'academy',
    encoding: 'UTF8',
    provider: 'b',
    linguistic: false,
    lower: 'àé',
    durable: 'on',
    connections: '60',
  });
  expect(server.extensions).toEqual(['pg_trgm', 'unaccent']);
  await query(server.url, 'create extension pg_trgm; create extension unaccent');
  const wrong = new URL(server.url);
  wrong.password = 'guess';
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
  const secret = await stat(join(dataDir, 'postgres/site-password'));
  expect(secret.mode & 0o777).toBe(0o600);
});

test('the unix socket works too', async () => {
  const server = await start();
  expect(Buffer.byteLength(server.socketPath)).toBeLessThan(103);
  const sql = postgres(server.url, { path: server.socketPath, max: 1 });
  const [row] = await sql`select inet_client_addr() is null as "overSocket"`;
  await sql.end();
  expect(row).toEqual({ overSocket: true });
});

test('data survives a restart', async () => {
  const first = await start();
  await query(first.url, "create table kept (word text); insert into kept values ('still here')");
  await first.stop();
  await expect(query(first.url, 'select 1')).rejects.toThrow();
  const second = await start();
  expect(second.attached).toBe(false);
  expect(await query(second.url, 'select word from kept')).toEqual([{ word: 'still here' }]);
});

test('after the parent was killed the next one attaches, and then stops the server itself', async () => {
  const { child, url, ended } = await startInChild();
  await query(url, "create table kept (word text); insert into kept values ('written before')");
  child.kill('SIGKILL');
  await ended;
  const next = await start();
  expect(next.attached).toBe(true);
  expect(await query(next.url, 'select word from kept')).toEqual([{ word: 'written before' }]);
  await next.stop();
  await expect(query(next.url, 'select 1')).rejects.toThrow();
});

test('a copy that attached does not stop the server under the one that still uses it', async () => {
  const { child, url, ended } = await startInChild();
  const guest = await start();
  expect(guest.attached).toBe(true);
  await guest.stop();
  expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  child.kill('SIGTERM');
  await ended;
  await expect(query(url, 'select 1')).rejects.toThrow();
});

test('two that start at the same moment share one server', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  expect(one.url).toBe(two.url);
  expect([one.attached, two.attached].sort()).toEqual([false, true]);
});

test('a start that was killed half way leaves nothing that harms the next', async () => {
  await mkdir(join(dataDir, 'postgres.unfinished-1234'), { recursive: true });
  execFileSync('chmod', ['755', dataDir]);
  await writeFile(join(dataDir, 'postgres.lock'), `999999999 ${MACHINE} gone`);
  const server = await start();
  expect(await query(server.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  expect((await readdir(dataDir)).sort()).toEqual(['postgres']);
});

test('data of another PostgreSQL is refused in one line', async () => {
  const server = await start();
  await server.stop();
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '14\n');
  const failure = await start().catch((error: Error) => error.message);
  expect(failure).toMatch(/was written by PostgreSQL 14 and the installed one is \d+/);
  expect(failure).not.toContain('\n');
});

test('instances that migrate together apply each migration once', async () => {
  const server = await start();
  const folder = join(dataDir, 'migrations');
  await mkdir(join(folder, 'meta'), { recursive: true });
  await writeFile(
    join(folder, 'meta/_journal.json'),
    JSON.stringify({
      version: '7',
      dialect: 'postgresql',
      entries: [
        { idx: 0, version: '7', when: 1_700_000_000_000, tag: '0000_one', breakpoints: true },
        { idx: 1, version: '7', when: 1_700_000_100_000, tag: '0001_two', breakpoints: true },
      ],
    }),
  );
  await writeFile(join(folder, '0000_one.sql'), 'create table one (id int);');
  await writeFile(
    join(folder, '0001_two.sql'),
    'select pg_sleep(0.3);\n--> statement-breakpoint\ncreate table two (id int);',
  );
  expect(await pendingMigrations(server.url, folder)).toHaveLength(2);
  const applied = await Promise.all([1, 2, 3].map(() => migrateDatabase(server.url, folder)));
  expect(applied.sort()).toEqual([0, 0, 2]);
  expect(await pendingMigrations(server.url, folder)).toEqual([]);
  const rows = await query<{ count: number }>(
    server.url,
    'select count(*)::int as count from drizzle.__drizzle_migrations',
  );
  expect(rows).toEqual([{ count: 2 }]);
});

test('the migrations of this repository apply to an empty database', async () => {
  const server = await start();
  const names = await pendingMigrations(server.url);
  expect(await migrateDatabase(server.url)).toBe(names.length);
  expect(await migrateDatabase(server.url)).toBe(0);
});

test.runIf(process.getuid?.() === 0)(
  'a data folder below a folder that is closed to the server’s account still works',
  async () => {
    execFileSync('chmod', ['700', join(dataDir, '..')]);
    const lines: string[] = [];
    const server = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
    started.push(server);
    expect(lines.join('\n')).toContain('may not enter');
    const real = (
      await query<{ folder: string }>(server.url, "select current_setting('data_directory') as folder")
    )[0]!.folder;
    expect(real.startsWith('/var/lib/')).toBe(true);
    await query(server.url, 'create table kept (id int)');
    await server.stop();
    const again = await start();
    expect(await query(again.url, 'select * from kept')).toEqual([]);
    expect(await readFile(join(dataDir, 'postgres/PG_VERSION'), 'utf8')).toMatch(/^\d+/);
    await again.stop();
    await rm(real, { recursive: true, force: true });
  },
);

test('a server that was killed is started again at the same address', async () => {
  const server = await start();
  await query(server.url, 'create table kept (n int)');
  await query(server.url, 'insert into kept values (1)');
  const first = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  process.kill(Number.parseInt(first, 10), 'SIGKILL');
  await expect
    .poll(() => query(server.url, 'select n from kept').catch((error: Error) => error.message), {
      timeout: 30_000,
    })
    .toEqual([{ n: 1 }]);
  expect(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).not.toBe(first);
  await server.stop();
  await expect(stat(join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT');
});

test('a copy of the data folder of a running server gets a server of its own', async () => {
  const original = await start();
  await query(original.url, 'create table notes (text text)');
  const copy = join(dataDir, '..', 'copy');
  await query(original.url, 'checkpoint');
  execFileSync('cp', ['-a', dataDir, copy]);
  const other = await startEmbeddedPostgres({ dataDir: copy });
  started.push(other);
  expect(other.attached).toBe(false);
  expect(new URL(other.url).port).not.toBe(new URL(original.url).port);
  await query(other.url, `insert into notes values ('of the copy')`);
  expect(await query(original.url, 'select * from notes')).toEqual([]);
  // The original is still its own, and found again.
  expect((await start()).attached).toBe(true);
});

test('a server that a process of another container uses is refused, and taken over once that one is silent', async () => {
  const server = await start();
  await server.stop();
  const users = join(dataDir, 'postgres/site-users.json');
  await writeFile(users, JSON.stringify(['1-elsewhere-abc']));
  let isUsed = true;
  const heartbeat = setInterval(() => {
    if (isUsed) utimesSync(users, new Date(), new Date());
  }, 200);
  await expect(start()).rejects.toThrow('is in use by a process of another container or machine');
  isUsed = false;
  clearInterval(heartbeat);
  expect((await start()).attached).toBe(false);
});
