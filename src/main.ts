import { existsSync } from 'node:fs';
import { readdir, statfs } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { writeResponse } from 'astro/app/node';
import postgres from 'postgres';
import {
  CODE_FOLDER,
  ConfigurationError,
  env,
  PROJECT_FOLDER,
  setEnvironment,
} from '#src/server/start/env.ts';
import { PREFETCH_RULES_PATH } from './features/company/prefetch.ts';
import { DEGRADED, type PageHandler, type PathHandler, type Readiness } from '#src/server/http/site.ts';
import { log } from './server/log.ts';
import { checkFileStore, checkStart, listenError, startWarnings } from '#src/server/start/start-checks.ts';
import type { Metrics } from './server/metrics.ts';
import { UPLOAD_RULES } from '#src/server/files/upload-rules.ts';
import type { VisitorCache } from '#src/server/rendering/visitor-cache.ts';

const DRAIN_MS = 10_000;
const SHUTDOWN_MS = 25_000;
/** What draining and background work leave of the shutdown. */
const MAIL_MS = 9_000;
/** SIGHUP: the terminal was closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const SAME_SIGNAL_MS = 1_000;
const DATABASE_WAIT_MS = 10_000;
const OLDEST_POSTGRES = 150_000;
const CHECK_TIMEOUT_MS = 1_500;
/** Free bytes below which uploads and an embedded database fail. */
const FULL_DISK_BYTES = 32_000_000;
/** Long enough for the start and the first pages to have the processor. */
const JUDGE_PREPARATION_AFTER_MS = 3_000;
// Health checks are public: however many arrive, the database is asked once a second.
const READINESS_REUSE_MS = 1_000;

const isDev = process.argv.includes('--dev');
const bootedAt = performance.now();

/** The boot cannot go on; the message is one line for the operator. */
class BootError extends Error {
  override name = 'BootError';
}

class BootStopped extends Error {}

interface Step {
  name: string;
  stop: () => Promise<unknown>;
}

/** What runs, in the order it was started. */
const steps: Step[] = [];
let stopping: Promise<void> | null = null;
let booted: Promise<void> = Promise.resolve();

function started(name: string, stop: () => Promise<unknown>): void {
  steps.push({ name, stop });
  if (stopping) throw new BootStopped();
}

function shutDown(exitCode: number, reason: string): Promise<void> {
  stopping ??= (async () => {
    log.info({ reason }, 'shutting down');
    setTimeout(() => {
      log.error('the shutdown took too long');
      process.exit(exitCode || 1);
    }, SHUTDOWN_MS).unref();
    // A boot under way stops at its next step, and what it had started is known then.
    await booted.catch(() => {});
    await stopSteps();
    process.exit(exitCode);
  })();
  return stopping;
}

async function stopSteps(): Promise<void> {
  for (const step of steps.splice(0).reverse()) {
    try {
      await step.stop();
    } catch (error) {
      log.error({ err: error }, `could not stop ${step.name}`);
    }
  }
}

function listenToSignals(): void {
  let firstAt: number | null = null;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      firstAt ??= performance.now();
      // One Ctrl+C comes twice, from the terminal and from npm; a second one after that is impatience.
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(130);
      void shutDown(0, signal);
    });
  }
  // Without a listener Node answers this one by opening its inspector to every program of the machine.
  process.on('SIGUSR1', () => {});
  // With the terminal gone nobody reads: what cannot be written there is no reason to end in disorder.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'a promise failed and nobody noticed'),
  );
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error nobody caught');
    void shutDown(1, 'uncaught exception');
  });
}

/**
 * Ends the site in good order when npm is gone: npm hands signals to the shell that it runs scripts in, and a shell
 * that is no `exec` dies of them without telling us.
 */
function endWithParent(): void {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event || parent === 1) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    void shutDown(0, 'npm has ended');
  }, 500);
  watch.unref();
}

/** Starts or finds the database, gives its address, and puts it into DATABASE_URL for everything that follows. */
async function startDatabase(): Promise<string> {
  const { databaseUrl, dataDir } = env();
  if (databaseUrl) {
    await checkDatabase(databaseUrl);
    return databaseUrl;
  }
  const [{ startEmbeddedPostgres }, { refuseUnfinishedRestore }] = await Promise.all([
    import('#db/embedded.ts'),
    import('#db/migrate.ts'),
  ]);
  await refuseUnfinishedRestore(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, log: (line) => log.info(line) });
  // Asked before DATABASE_URL is set, which turns the default off.
  const { seedDemo } = env();
  setEnvironment({
    DATABASE_URL: server.url,
    DATABASE_SOCKET: server.socketPath,
    SEED_DEMO: seedDemo ? 'on' : 'off',
  });
  started('PostgreSQL', () => server.stop());
  return server.url;
}

/** Waits a little for a database that is starting up; refuses one that is too old or not UTF-8. */
async function checkDatabase(url: string): Promise<void> {
  const { host, pathname } = new URL(url);
  const deadline = Date.now() + DATABASE_WAIT_MS;
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  let told = false;
  try {
    while (true) {
      try {
        const [facts] = await sql<{ version: number; encoding: string }[]>`
          select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`;
        if (facts!.version < OLDEST_POSTGRES) {
          throw new BootError(
            `DATABASE_URL: ${host} runs PostgreSQL ${Math.floor(facts!.version / 10_000)}, and 15 or newer is needed`,
          );
        }
        if (facts!.encoding !== 'UTF8') {
          throw new BootError(
            `DATABASE_URL: the database ${pathname.slice(1)} is encoded as ${facts!.encoding}, and UTF8 is needed`,
          );
        }
        const { sessionFault } = await import('#db/session.ts');
        const fault = await sessionFault(url);
        if (fault) throw new BootError(`DATABASE_URL: ${fault}`);
        return;
      } catch (error) {
        if (error instanceof BootError) throw error;
        const { code = '', message } = error as { code?: string; message: string };
        const startsSoon = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|57P03|CONNECT_TIMEOUT|CONNECTION_CLOSED/.test(
          code,
        );
        if (!startsSoon || Date.now() > deadline || stopping) {
          throw new BootError(
            `DATABASE_URL: cannot use the database ${pathname.slice(1)} on ${host}: ${message || code}`,
          );
        }
        if (!told) {
          told = true;
          console.log(
            `Waiting up to ${DATABASE_WAIT_MS / 1000} s for the database ${pathname.slice(1)} on ${host} (DATABASE_URL): ${message || code}`,
          );
        }
        await new Promise((done) => setTimeout(done, 500));
      }
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Fills an empty database with the demo catalogue and accounts. Gives true if it did. */
async function seedWhenEmpty(): Promise<boolean> {
  if (!env().seedDemo) return false;
  const { seedDemo, SeedError } = await import('#src/features/authoring/transfer/demo-courses.server.ts');
  return seedDemo().catch((error: unknown) => {
    throw error instanceof SeedError ? new BootError(`The demo data has a mistake: ${error.message}`) : error;
  });
}

/** Starts the stand-in for the card provider where no keys are set; gives the handler of its public path. */
async function startSandbox(): Promise<PathHandler | undefined> {
  const { stripe } = env();
  if (stripe && !stripe.sandbox) return undefined;
  const { createSandboxProxyHandler } = await import('#src/payment-sandbox/http/proxy.ts');
  if (stripe?.sandbox) {
    // Another instance runs it; its keys and port came with the environment.
    return createSandboxProxyHandler({ port: stripe.sandbox.port });
  }
  const { claimStandIn, startSandboxOfDataFolder } = await import('./sandbox-process.ts');
  started('the claim of the payment sandbox', await claimStandIn(process.env.DATABASE_URL!));
  const sandbox = await startSandboxOfDataFolder();
  started('the payment sandbox', () => sandbox.close());
  return createSandboxProxyHandler({ port: sandbox.port });
}

/** Starts the background work of all features. */
async function startBackgroundWork(): Promise<void> {
  const [{ startJobs, stopJobs }, { ALL_JOBS }] = await Promise.all([
    import('#src/server/jobs.ts'),
    import('#src/jobs.ts'),
  ]);
  const { mailsAreNoted } = await import('#src/server/mail/mail.ts');
  // Ended after the work that hands mails over, and before the database.
  started('mails that are being handed over', () => mailsAreNoted(MAIL_MS));
  await startJobs(ALL_JOBS);
  started('background work', () => stopJobs(5));
  const { watchFutureDates } = await import('#src/features/admin/operations/future-dates.server.ts');
  started('the look at dates in the future', watchFutureDates());
  const { flushCourseCounts } = await import('#src/features/catalogue/course-counts.server.ts');
  started('the counts of course views', flushCourseCounts);
}

/**
 * Sets the judge up; its processes start with the first program to judge. Its artifacts are made in the background where
 * the build has not made them, so that the first learner after an update need not wait for it.
 */
async function startJudging(): Promise<void> {
  const { startJudge, stopJudge, prepareJudge } = await import('./judge/client.ts');
  startJudge({ urls: env().judgeUrls, log: (line) => log.info(line) });
  const timer = setTimeout(() => void prepareJudge(), JUDGE_PREPARATION_AFTER_MS);
  started('the judge', async () => {
    clearTimeout(timer);
    await stopJudge();
  });
}

async function readiness(): Promise<Record<string, string | null>> {
  const [{ sqlClient }, { NewerDatabaseError, pendingMigrations }] = await Promise.all([
    import('#db/client.ts'),
    import('#db/migrate.ts'),
  ]);
  const check = async (ask: () => Promise<string | null>): Promise<string | null> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((done) => {
      timer = setTimeout(() => done('does not answer'), CHECK_TIMEOUT_MS);
    });
    return Promise.race([ask().catch(() => 'fails'), late]).finally(() => clearTimeout(timer));
  };
  const database = await check(async () => {
    await sqlClient()`select 1`;
    return null;
  });
  const migrations = database
    ? 'unknown'
    : await check(async () => {
        const pending = await pendingMigrations(sqlClient()).catch((error: unknown) => {
          // An upgrade beside this process: what it adds takes nothing from a version that runs.
          if (error instanceof NewerDatabaseError) return 'newer' as const;
          throw error;
        });
        if (pending === 'newer') return `${DEGRADED} newer than this program`;
        return pending.length === 0 ? null : `${pending.length} pending`;
      });
  const { judgeHealth } = await import('./judge/client.ts');
  const { fileStore } = await import('#src/server/files/files.ts');
  const [judge, disk, files] = await Promise.all([
    check(async () => ((await judgeHealth()).ok ? null : 'does not start')),
    check(async () => {
      const { bavail, bsize } = await statfs(env().dataDir);
      return bavail * bsize < FULL_DISK_BYTES ? 'full' : null;
    }),
    check(async () => {
      await fileStore().check();
      return null;
    }),
  ]);
  const degraded = (reason: string | null) => reason && `${DEGRADED} ${reason}`;
  // Only coding lessons need a judge, and only what is written needs room; each says so itself.
  return { database, migrations, judge: degraded(judge), disk: degraded(disk), files: degraded(files) };
}

function reused(ask: Readiness): Readiness {
  let last: { at: number; answer: ReturnType<Readiness> } | null = null;
  return () => {
    if (!last || Date.now() - last.at > READINESS_REUSE_MS) last = { at: Date.now(), answer: ask() };
    return last.answer;
  };
}

/** The figures at /metrics, where a token for them is set. */
async function metrics(visitorCache: VisitorCache): Promise<{ metrics?: Metrics }> {
  const { metricsToken: token } = env();
  if (!token) return {};
  const [{ createMetrics }, { readings }] = await Promise.all([
    import('./server/metrics.ts'),
    import('#src/features/admin/operations/health.server.ts'),
  ]);
  const shared = () => {
    const { answers, bytes } = visitorCache.use();
    return [
      { name: 'academy_visitor_answers', help: 'Answers kept for visitors', value: answers },
      {
        name: 'academy_visitor_answer_bytes',
        help: 'Bytes of answers kept for visitors',
        value: bytes,
      },
    ];
  };
  return {
    metrics: createMetrics({ token, read: async () => [...shared(), ...(await readings())] }),
  };
}

/** This instance's answers to visitors, until any instance changes what they show. */
async function startVisitorCache(): Promise<VisitorCache> {
  const [{ listenTo }, { createVisitorCache }] = await Promise.all([
    import('#db/listen.ts'),
    import('#src/server/rendering/visitor-cache.ts'),
  ]);
  const listener = listenTo('catalogue_changed', {
    url: process.env.DATABASE_URL!,
    socketPath: process.env.DATABASE_SOCKET,
    onMessage: (tag) => cache.clear(tag),
    onState: (listening, err) => {
      if (listening) log.info('changes of the catalogue are heard');
      else
        log.warn({ err }, 'changes of the catalogue are not heard: visitors share pages for a moment only');
    },
  });
  const cache = createVisitorCache({ provenAt: listener.provenAt });
  started('listening to the database', () => listener.stop());
  return cache;
}

/** The public files in a release's folder. */
const clientOf = (release: string) => join(release, 'site/client');

/** The public files of every other release that there is now; the newest first, as most who ask come from it. */
async function otherClientDirs(): Promise<string[]> {
  const folder = dirname(CODE_FOLDER);
  const names = (await readdir(folder).catch(() => [])).sort().reverse();
  return names.map((name) => clientOf(join(folder, name)));
}

/**
 * Loads the renderer and at once every page's module, which it would load with the first request for that page: whatever
 * becomes of the folder, this process has what it needs.
 */
async function loadPages(): Promise<PageHandler> {
  const folder = join(CODE_FOLDER, 'site/server');
  const { handler } = (await import(pathToFileURL(join(folder, 'entry.mjs')).href)) as {
    handler: PageHandler;
  };
  for (const name of await readdir(join(folder, 'chunks'))) {
    if (name.endsWith('.mjs')) await import(pathToFileURL(join(folder, 'chunks', name)).href);
  }
  return handler;
}

/**
 * Makes the site of the release that this code lies in. Loading its pages takes the processor for seconds, in which
 * background work would wait for the database in vain.
 *
 * @returns what opens it to visitors
 */
async function makeBuiltSite(sandbox: PathHandler | undefined): Promise<() => Promise<void>> {
  const { port, host, siteUrl, trustProxy } = env();
  const [{ createSiteServer }, handler] = await Promise.all([
    import('#src/server/http/http.ts'),
    loadPages(),
  ]);
  const visitorCache = await startVisitorCache();
  const { noteUntrustedProxies } = await import('#src/server/http/untrusted-proxy.ts');
  const site = await createSiteServer({
    handler,
    visitorCache,
    clientDir: clientOf(CODE_FOLDER),
    policiesFile: join(CODE_FOLDER, 'site/_headers.json'),
    otherClientDirs,
    readiness: reused(readiness),
    siteUrl,
    trustProxy,
    onUntrustedProxy: noteUntrustedProxies(),
    log,
    visitorPageHeaders: [['Speculation-Rules', `"${PREFETCH_RULES_PATH}"`]],
    uploads: UPLOAD_RULES,
    ...(sandbox ? { sandboxProxy: sandbox } : {}),
    ...(await metrics(visitorCache)),
  });
  return async () => {
    await site.listen(port, host).catch((error: NodeJS.ErrnoException) => {
      throw listenError(error);
    });
    (await import('#src/server/http/own-address.ts')).siteListens();
    started('the HTTP server', async () => {
      const cut = await site.drain(DRAIN_MS);
      if (cut > 0) log.warn({ cut }, 'requests were cut by the shutdown');
    });
  };
}

/** The health checks of the HTTP server, for tools that wait for a development server. */
async function answerDevelopmentHealth(askAll: boolean, response: ServerResponse): Promise<void> {
  const checks = askAll ? await readiness() : {};
  const failed = Object.values(checks).some((reason) => reason !== null && !reason.startsWith(DEGRADED));
  response.writeHead(failed ? 503 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ status: failed ? 'not ready' : 'ready', checks }));
}

/** Gives Astro's development server what the HTTP server gives the build: health checks and the sandbox's path. */
function developmentMiddleware(
  sandbox: PathHandler | undefined,
  write: typeof writeResponse,
): AstroIntegration {
  return {
    name: 'site-process',
    hooks: {
      'astro:server:setup': ({ server }) => {
        server.middlewares.use((request, response, next) => {
          if (request.url === '/healthz' || request.url === '/readyz') {
            void answerDevelopmentHealth(request.url === '/readyz', response);
            return;
          }
          if (sandbox && request.url?.startsWith('/payment-sandbox/')) {
            void sandbox(request).then((answer) => write(answer, response));
            return;
          }
          next();
        });
      },
    },
  };
}

/** Serves the sources through Astro's development server. */
async function serveSources(sandbox: PathHandler | undefined): Promise<void> {
  const [{ dev }, { writeResponse: write }] = await Promise.all([import('astro'), import('astro/app/node')]);
  const own = new Set(SIGNALS.flatMap((signal) => process.listeners(signal)));
  const server = await dev({ root: PROJECT_FOLDER, integrations: [developmentMiddleware(sandbox, write)] });
  // It would end this process on a signal by itself, and leave the database behind.
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal)) if (!own.has(listener)) process.off(signal, listener);
  }
  started("Astro's development server", () => server.stop());
}

async function boot(): Promise<void> {
  const { siteUrl } = env();
  if (!isDev && !existsSync(clientOf(CODE_FOLDER)))
    throw new BootError('These are the sources, and a release is started: run "npm start"');
  await checkStart();
  for (const warning of startWarnings()) log.warn(warning);
  await checkFileStore();
  const url = await startDatabase();
  const { migrateDatabase } = await import('#db/migrate.ts');
  const applied = await migrateDatabase(url);
  if (applied > 0) log.info({ applied }, 'applied migrations');
  const { connectDatabase, closeDatabase } = await import('#db/client.ts');
  connectDatabase(url, { socketPath: process.env.DATABASE_SOCKET });
  started('the database connections', () => closeDatabase());
  const seeded = await seedWhenEmpty();
  const sandbox = await startSandbox();
  const open = isDev ? () => serveSources(sandbox) : await makeBuiltSite(sandbox);
  await startBackgroundWork();
  await startJudging();
  await open();
  const seconds = ((performance.now() - bootedAt) / 1000).toFixed(1);
  const { stripe } = env();
  console.log(
    [
      `\nThe site is ready at ${siteUrl} (${seconds} s)`,
      ...(stripe?.sandbox ? ['Payments run in test mode: no card is charged.'] : []),
      ...(seeded ? ['Demo accounts: admin@example.com and student@example.com, password learn-demo'] : []),
      '',
    ].join('\n'),
  );
}

/** Errors of modules that a start loads when it needs them; their messages are for the operator. */
const EXPLAINED = new Set([
  'EmbeddedPostgresError',
  'FileStoreError',
  'NewerDatabaseError',
  'OldDatabaseError',
  'UnfinishedRestoreError',
  'UnfitDatabaseError',
]);

/** Says in one line why the boot failed, where that is known. */
function explain(error: unknown): void {
  if (error instanceof ConfigurationError) console.error(`Configuration: ${error.message}`);
  else if (error instanceof BootError || EXPLAINED.has((error as Error).name)) {
    console.error(`Cannot start: ${(error as Error).message}`);
  } else log.fatal({ err: error }, 'the site could not start');
}

process.env.NODE_ENV ??= isDev ? 'development' : 'production';
listenToSignals();
endWithParent();
booted = boot();
booted.catch(async (error: unknown) => {
  if (stopping) return;
  explain(error);
  await stopSteps();
  process.exit(1);
});
