import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#db/embedded.ts';
import { type PaymentSandbox, startPaymentSandbox } from '#src/payment-sandbox/server.ts';
import { nginxConfiguration } from '../support/nginx.ts';
import { freePort, type RunningSite, startSite } from '../support/site.ts';

/** A database, and whatever of the site a drill starts on it. */
export interface Stage {
  folder: string;
  /** Where the build lies that the sites are started from. */
  buildDir: string;
  /** Where the database is reached: a door that can be shut. */
  databaseUrl: string;
  door: Door;
  /** Starts an instance of the site, all on the same database and card provider; from another project's folder where one is named. */
  site(name: string, env?: Record<string, string | undefined>, project?: string): Promise<RunningSite>;
  /** The instances by nginx, as `deploy/nginx.conf` has it, at one address; without its limits unless told otherwise. */
  proxy(sites: readonly RunningSite[], options?: { limits?: boolean }): Promise<string>;
  /** PgBouncer in front of the database; `ignores` names the settings of a connection that it overlooks. */
  pooler(mode: string, ignores?: string): Promise<{ url: string; stop(): void }>;
  /** Exim, which takes mail over STARTTLS from the user academy alone, and keeps it. */
  mailAgent(password: string): Promise<MailAgent>;
  /** Stops the database and starts it again. */
  restartDatabase(): Promise<void>;
  /** Stops all processes of the database where they are; gives what lets them go on. */
  freezeDatabase(): () => void;
  output(): string;
  stop(): Promise<void>;
}

/** A mail server of the system's. */
export interface MailAgent {
  port: number;
  /** The file of its certificate, which it has signed itself. */
  certificate: string;
  /** Whether it answers each recipient with 451. */
  putOff(later: boolean): void;
  /** Its log's line for each mail that it took. */
  taken(): string[];
}

/** Stands between the site and the database, so that connections can be cut and refused without touching either. */
export interface Door {
  port: number;
  to: number;
  /** `open`; `shut`: accepts and closes at once; `gone`: nothing listens. */
  set(state: 'open' | 'shut'): void;
  cutAll(): number;
  /** How many connections go through it. */
  open(): number;
  close(): Promise<void>;
}

async function openDoor(to: number): Promise<Door> {
  const pairs = new Set<[Socket, Socket]>();
  let state: 'open' | 'shut' = 'open';
  const door: Door = {
    port: 0,
    to,
    set: (next) => {
      state = next;
    },
    cutAll: () => {
      const count = pairs.size;
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      return count;
    },
    open: () => pairs.size,
    close: () =>
      new Promise((done) => {
        door.cutAll();
        server.close(() => done());
      }),
  };
  const server: Server = createServer((client) => {
    if (state === 'shut') return void client.destroy();
    const database = openSocket(door.to, '127.0.0.1');
    const pair: [Socket, Socket] = [client, database];
    pairs.add(pair);
    for (const [socket, other] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        other.destroy();
        pairs.delete(pair);
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  door.port = (server.address() as { port: number }).port;
  return door;
}

/** Whether anybody listens at a port of this machine. */
function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = openSocket(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}

/** A new database with a card provider beside it. */
export async function startStage({
  folder,
  buildDir,
  publicPort,
}: {
  folder: string;
  buildDir: string;
  publicPort: number;
}): Promise<Stage> {
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const databaseFolder = join(folder, 'database');
  let database: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir: databaseFolder });
  const real = new URL(database.url);
  const door = await openDoor(Number(real.port));
  const url = new URL(database.url);
  url.port = String(door.port);
  const secret = () => randomBytes(18).toString('hex');
  const keys = { secretKey: `sk_test_sandbox_${secret()}`, publishableKey: `pk_test_sandbox_${secret()}` };
  const webhookSecret = `whsec_${secret()}`;
  const sandbox: PaymentSandbox = await startPaymentSandbox({
    port: 0,
    ...keys,
    webhook: { url: `http://127.0.0.1:${publicPort}/api/stripe/webhook`, secret: webhookSecret },
  });
  const siteUrl = `http://localhost:${publicPort}`;
  const sites: RunningSite[] = [];
  /** Programs of the system's that a drill started. */
  const helpers: ChildProcess[] = [];
  let nginx: ChildProcess | undefined;
  return {
    folder,
    buildDir,
    databaseUrl: url.href,
    door,
    async site(name, env = {}, project) {
      const dataDir = join(folder, name);
      await mkdir(dataDir, { recursive: true });
      const site = await startSite({
        buildDir,
        port: env.PORT ? Number(env.PORT) : await freePort(),
        dataDir,
        ...(project ? { project } : {}),
        env: {
          DATABASE_URL: url.href,
          SITE_URL: siteUrl,
          SEED_DEMO: 'on',
          STRIPE_SECRET_KEY: keys.secretKey,
          STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
          STRIPE_WEBHOOK_SECRET: webhookSecret,
          PAYMENT_SANDBOX_PORT: String(sandbox.port),
          TRUST_PROXY: '127.0.0.1',
          ...env,
        },
      });
      sites.push(site);
      return site;
    },
    async proxy(behind, { limits = false } = {}) {
      const [first, second] = behind.map(({ url: address }) => `127.0.0.1:${new URL(address).port}`);
      const configuration = nginxConfiguration(join(folder, 'nginx'), 'nginx.conf', (text) =>
        text
          .replace('site-a:4321', first!)
          .replace(/.*site-b:4321.*/, (line) => (second ? line.replace('site-b:4321', second) : ''))
          .replace('listen 80;', `listen 127.0.0.1:${publicPort};`)
          // One machine asks for many people here.
          .replace('limit_req_status 429;', (line) => (limits ? line : `${line}\nlimit_req_dry_run on;`)),
      );
      nginx = spawn('nginx', ['-c', configuration], { stdio: 'ignore' });
      for (let attempt = 0; attempt < 100; attempt += 1) {
        if (
          await fetch(`http://127.0.0.1:${publicPort}/healthz`).then(
            (answer) => answer.ok,
            () => false,
          )
        )
          break;
        await sleep(50);
      }
      return `http://127.0.0.1:${publicPort}`;
    },
    async pooler(mode, ignores = 'statement_timeout, idle_in_transaction_session_timeout') {
      const port = await freePort();
      const { username, password, pathname } = real;
      const configuration = join(folder, `pgbouncer-${mode}.ini`);
      await writeFile(
        configuration,
        `[databases]
${pathname.slice(1)} = host=127.0.0.1 port=${real.port} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
${ignores && `ignore_startup_parameters = ${ignores}`}
`,
      );
      // It does not run as root.
      const user = ['-u', 'nobody'];
      const pgbouncer = spawn('pgbouncer', [...user, configuration], { stdio: 'ignore' });
      helpers.push(pgbouncer);
      const address = new URL(url);
      address.port = String(port);
      for (let attempt = 0; attempt < 100 && !(await listens(port)); attempt += 1) await sleep(50);
      return { url: address.href, stop: () => void pgbouncer.kill('SIGKILL') };
    },
    async mailAgent(password) {
      const port = await freePort();
      const place = join(folder, 'exim');
      const later = join(place, 'later');
      const certificate = join(place, 'cert.pem');
      await mkdir(place);
      execFileSync(
        'openssl',
        [
          ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'],
          ...[
            '-addext',
            'subjectAltName=DNS:localhost',
            '-keyout',
            join(place, 'key.pem'),
            '-out',
            certificate,
          ],
        ],
        { stdio: 'ignore' },
      );
      const configuration = join(place, 'exim.conf');
      await writeFile(
        configuration,
        `spool_directory = ${place}
log_file_path = ${place}/%slog
pid_file_path = ${place}/exim.pid
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
keep_environment =
host_lookup =
queue_only
tls_advertise_hosts = *
tls_certificate = ${certificate}
tls_privatekey = ${place}/key.pem
auth_advertise_hosts = \${if def:tls_in_cipher {*}}
acl_smtp_mail = check_sender
acl_smtp_rcpt = check_recipient
begin acl
check_sender:
  deny !authenticated = *
  accept
check_recipient:
  defer condition = \${if exists{${later}}}
  accept
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{academy}}{eq{$auth3}{${password}}}}}
  server_set_id = $auth2
`,
      );
      // It gives its rights up, to the user that Debian made for it, and trusts no configuration that this user may write.
      execFileSync('chown', ['Debian-exim:Debian-exim', place]);
      execFileSync('chmod', ['644', join(place, 'key.pem')]);
      helpers.push(spawn('exim4', ['-C', configuration, '-bdf'], { stdio: 'ignore' }));
      for (let attempt = 0; attempt < 100 && !(await listens(port)); attempt += 1) await sleep(50);
      return {
        port,
        certificate,
        putOff: (isLater) => (isLater ? writeFileSync(later, '') : rmSync(later)),
        taken: () =>
          readFileSync(join(place, 'mainlog'), 'utf8')
            .split('\n')
            .filter((line) => line.includes(' <= ')),
      };
    },
    async restartDatabase() {
      await database.stop();
      database = await startEmbeddedPostgres({ dataDir: databaseFolder });
      door.to = Number(new URL(database.url).port);
    },
    freezeDatabase() {
      const first = Number.parseInt(
        readFileSync(join(databaseFolder, 'postgres/postmaster.pid'), 'utf8'),
        10,
      );
      const parents = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
      const all = [first, ...parents.filter(([, parent]) => parent === first).map(([child]) => child)];
      for (const one of all) process.kill(one, 'SIGSTOP');
      return () => {
        for (const one of all) process.kill(one, 'SIGCONT');
      };
    },
    output: () => sites.map((site) => site.output().slice(-3_000)).join('\n--\n'),
    async stop() {
      nginx?.kill('SIGQUIT');
      for (const helper of helpers) helper.kill('SIGKILL');
      for (const site of sites) {
        site.process.kill('SIGKILL');
        if (site.process.exitCode === null && site.process.signalCode === null)
          await new Promise((done) => site.process.once('exit', done));
      }
      await sandbox.close();
      await door.close();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
