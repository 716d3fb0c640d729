import { statfs } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { db, poolUse, sqlClient } from '#db/client.ts';
import { FileStoreError } from '#db/file-store.ts';
import { NewerDatabaseError, pendingMigrations } from '#db/migrate.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { orders, providerEvents } from '#db/schema/store.ts';
import { isFlagged } from '#src/features/store/orders/flags.server.ts';
import { judgeHealth } from '#src/judge/client.ts';
import { backupState } from '#src/server/start/backups.ts';
import { env } from '#src/server/start/env.ts';
import { fileStore } from '#src/server/files/files.ts';
import { log } from '#src/server/log.ts';
import type { Reading } from '#src/server/metrics.ts';
import { futureDates } from './future-dates.server.ts';
import { diskState, type HealthPart, megabytes, type PartState, worst } from './health.ts';
import { counted } from '#src/shared/counted.ts';

/** Milliseconds that a part may take to say how it is. */
const PART_TIMEOUT_MS = 2_000;
const DAY_MS = 86_400_000;
/** Minutes that due work may wait before somebody should look. */
const LATE_MINUTES = 15;

type Part = Omit<HealthPart, 'name'>;

async function asked(name: string, ask: () => Promise<Part>): Promise<HealthPart> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Part>((done) => {
    timer = setTimeout(
      () => done({ state: 'failing', summary: 'Does not answer.', facts: [] }),
      PART_TIMEOUT_MS,
    );
  });
  const answer = ask().catch((error: unknown): Part => {
    log.warn({ err: error, part: name }, 'a part of the site could not say how it is');
    return { state: 'failing', summary: 'Could not be asked. The log says why.', facts: [] };
  });
  return { name, ...(await Promise.race([answer, late]).finally(() => clearTimeout(timer))) };
}

async function databasePart(): Promise<Part> {
  const began = performance.now();
  const [row] = await db().execute<{ version: string; size: string; connections: number; most: number }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database())::text as size,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as most`);
  const ms = performance.now() - began;
  let newer: string | null = null;
  const pending = await pendingMigrations(sqlClient()).catch((error: unknown) => {
    if (!(error instanceof NewerDatabaseError)) throw error;
    newer = error.message;
    return [];
  });
  const pool = poolUse();
  const isFull = row!.connections > row!.most * 0.9;
  return {
    state: newer || pending.length > 0 ? 'failing' : isFull || pool.waiting > 0 ? 'warning' : 'ok',
    summary:
      newer ??
      (pending.length > 0
        ? `${counted(pending.length, 'migration')} not applied: restart the site.`
        : isFull
          ? 'Nearly all connections of the server are taken.'
          : 'Answers, and is up to date.'),
    facts: [
      { label: 'PostgreSQL', value: row!.version },
      { label: 'Answer', value: `${ms.toFixed(1)} ms` },
      { label: 'Size', value: megabytes(Number(row!.size)) },
      {
        label: 'Connections here',
        value: `${pool.inUse} of ${pool.max} in use${pool.waiting > 0 ? `, ${pool.waiting} waiting` : ''}`,
      },
      { label: 'Connections in all', value: `${row!.connections} of ${row!.most}` },
    ],
  };
}

type QueueRow = { name: string; waiting: number; active: number; oldest: string | null; dead: boolean };

/** Due and running jobs by queue; dead letters are jobs that were given up. */
async function queues(): Promise<QueueRow[]> {
  return db().execute<QueueRow>(sql`
    select name, count(*) filter (where state in ('created', 'retry') and start_after <= now())::int as waiting,
      count(*) filter (where state = 'active')::int as active,
      (extract(epoch from now() - min(start_after) filter (where state in ('created', 'retry') and start_after <= now())) / 60)::int::text as oldest,
      name = 'dead-letters' as dead
    from pgboss.job where state in ('created', 'retry', 'active') group by name order by name`);
}

async function jobsPart(): Promise<Part> {
  const rows = await queues();
  const dead = rows.find((row) => row.dead)?.waiting ?? 0;
  const live = rows.filter((row) => !row.dead);
  const late = live.filter((row) => Number(row.oldest ?? 0) >= LATE_MINUTES);
  return {
    state: late.length > 0 ? 'failing' : dead > 0 ? 'warning' : 'ok',
    summary:
      late.length > 0
        ? `Due work waits for ${counted(Math.max(...late.map((row) => Number(row.oldest))), 'minute')}: does a worker run?`
        : dead > 0
          ? `${counted(dead, 'job')} failed for good. The log names each.`
          : 'Nothing waits longer than it should.',
    facts: [
      {
        label: 'Waiting',
        value: counted(
          live.reduce((sum, row) => sum + row.waiting, 0),
          'job',
        ),
      },
      {
        label: 'Running',
        value: counted(
          live.reduce((sum, row) => sum + row.active, 0),
          'job',
        ),
      },
      { label: 'Given up', value: counted(dead, 'job') },
    ],
  };
}

/** Tries after which a mail has been refused for more than a quarter of an hour, by the pauses between them. */
const LATE_TRIES = 7;
/**
 * A mail that should be gone: nobody took it when it was due, or its receiver has refused it again and again. One that
 * was refused once, or has to wait for tomorrow, goes as it should.
 */
const isLate = sql`${mailOutbox.status} = 'queued' and ${mailOutbox.createdAt} < now() - make_interval(mins => ${LATE_MINUTES})
  and (${mailOutbox.dueAt} < now() - interval '1 minute' or ${mailOutbox.attempts} >= ${LATE_TRIES})`;

async function mailCounts() {
  const [row] = await db()
    .select({
      queued: sql<number>`count(*) filter (where ${mailOutbox.status} = 'queued')`.mapWith(Number),
      failed: sql<number>`count(*) filter (where ${mailOutbox.status} = 'failed')`.mapWith(Number),
      late: sql<number>`coalesce(extract(epoch from now() - min(${mailOutbox.createdAt}) filter (where ${isLate})) / 60, 0)`.mapWith(
        Number,
      ),
      refused:
        sql<number>`count(*) filter (where ${mailOutbox.status} = 'queued' and ${mailOutbox.lastError} is not null)`.mapWith(
          Number,
        ),
    })
    .from(mailOutbox)
    .where(sql`${mailOutbox.status} in ('queued', 'failed')`);
  return row!;
}

async function mailPart(): Promise<Part> {
  const { queued, failed, late, refused } = await mailCounts();
  const { smtpUrl, mailFrom } = env();
  return {
    state: late > 0 ? 'failing' : failed > 0 ? 'warning' : 'ok',
    summary:
      late > 0
        ? `A mail has waited for ${counted(Math.round(late), 'minute')}.`
        : failed > 0
          ? `${counted(failed, 'mail')} could not be sent.`
          : refused > 0
            ? `${counted(refused, 'mail')} refused for now: tried again by itself.`
            : 'Mails leave as they are written.',
    href: failed > 0 ? '/admin/mail?status=failed' : '/admin/mail',
    facts: [
      { label: 'Sent through', value: smtpUrl ? new URL(smtpUrl).hostname : 'files in the data folder' },
      { label: 'From', value: mailFrom },
      { label: 'Waiting', value: counted(queued, 'mail') },
      { label: 'Failed', value: counted(failed, 'mail') },
    ],
  };
}

async function judgePart(): Promise<Part> {
  const health = await judgeHealth();
  const pools = Object.entries(health.pools);
  const started = pools.some(([, pool]) => !('processes' in pool) || pool.processes > 0);
  const problems = pools.flatMap(([name, pool]) =>
    'problem' in pool
      ? pool.problem
        ? [`${name}: ${pool.problem}`]
        : []
      : pool.ok
        ? []
        : [`${name} does not answer`],
  );
  const modes = {
    idle: 'not started, as no program was sent yet',
    local: 'beside the site',
    remote: 'on its own',
  };
  return {
    state: !health.ok ? 'failing' : health.missing.length > 0 ? 'warning' : 'ok',
    summary:
      problems[0] ??
      (health.missing.length > 0
        ? 'Judges programs behind fewer walls than it should: the log says what to do.'
        : started
          ? 'Judges programs.'
          : 'Starts with the first program.'),
    facts: [
      { label: 'Runs', value: modes[health.mode] },
      { label: 'Walls', value: health.layers.join(', ') || 'not known before it runs' },
      ...(health.missing.length > 0
        ? [{ label: 'Walls missing', value: health.missing.map(({ name }) => name).join(', ') }]
        : []),
      ...pools.map(([name, pool]) => ({
        label: name,
        value:
          'processes' in pool
            ? `${counted(pool.processes, 'process', 'processes')}, ${pool.busy} busy, ${pool.queued} waiting, ${pool.residentMb} MB`
            : pool.ok
              ? 'answers'
              : 'does not answer',
      })),
    ],
  };
}

async function paymentsPart(): Promise<Part> {
  const { stripe } = env();
  const [[flagged], [event]] = await Promise.all([
    db()
      .select({ count: sql<number>`count(*)`.mapWith(Number) })
      .from(orders)
      .where(isFlagged()),
    db()
      .select({ last: sql<string | null>`max(${providerEvents.receivedAt})::text` })
      .from(providerEvents),
  ]);
  const mode = !stripe
    ? 'not set up'
    : stripe.sandbox
      ? 'built-in sandbox'
      : stripe.live
        ? 'live'
        : 'test keys';
  return {
    state: !stripe ? 'failing' : flagged!.count > 0 ? 'warning' : 'ok',
    summary: !stripe
      ? 'No payment can be taken.'
      : flagged!.count > 0
        ? `${counted(flagged!.count, 'order')} to look at.`
        : 'No order waits for somebody to look at it.',
    href: flagged!.count > 0 ? '/admin/orders?status=flagged' : '/admin/reconciliation',
    facts: [
      { label: 'Provider', value: mode },
      { label: 'Last event', value: event!.last ? `${event!.last.slice(0, 16)} UTC` : 'none yet' },
      { label: 'Flagged orders', value: String(flagged!.count) },
    ],
  };
}

async function backupPart(): Promise<Part> {
  const { backups } = env();
  if (backups === 'elsewhere') {
    return { state: 'ok', summary: 'Made by other means, as BACKUP_EVERY says.', facts: [] };
  }
  const { last, problem, ahead, verifiedAt, unrestorable, mayVerify } = await backupState();
  const isOld = !last || Date.now() - last.getTime() > DAY_MS;
  const moment = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    state: problem || ahead.length > 0 || unrestorable ? 'failing' : isOld ? 'warning' : 'ok',
    summary: problem
      ? `The last one could not be written: ${problem}`
      : ahead.length > 0
        ? `${ahead[0]} is dated in the future and does not count.`
        : unrestorable
          ? `The last one that was tried cannot be restored: ${unrestorable} The next one is tried again; "npm run rehearse -- FILE" tries one now.`
          : !last
            ? 'There is none yet: run "npm run backup", or set BACKUP_EVERY.'
            : isOld
              ? 'The last one is older than a day.'
              : 'The last one is younger than a day.',
    facts: [
      { label: 'Last', value: last ? moment(last) : 'none' },
      {
        label: 'Restored for a trial',
        value: verifiedAt
          ? moment(verifiedAt)
          : !backups
            ? 'never: only those by the clock are'
            : mayVerify
              ? 'not yet: with the next one'
              : 'never, as the database\'s role may not make another database: "alter role NAME createdb" allows it',
      },
      {
        label: 'By the clock',
        value: backups
          ? `every ${backups.everyHours % 24 ? counted(backups.everyHours, 'hour') : counted(backups.everyHours / 24, 'day')}, ${backups.keep} kept`
          : 'no, as BACKUP_EVERY is not set',
      },
      { label: 'Where', value: 'backups in the data folder' },
    ],
  };
}

/** Seconds that this machine's clock may differ from the database's. */
const CLOCK_SECONDS = 60;
/** Minutes after which schedules that did not run stand still: they are looked at twice a minute. */
const SCHEDULE_MINUTES = 10;

async function clockPart(): Promise<Part> {
  const [future, [row]] = await Promise.all([
    futureDates(),
    db().execute<{ ahead: number; idle: number | null }>(sql`
      select (${Date.now()}::float8 / 1000 - extract(epoch from clock_timestamp()))::float8 as ahead,
        (extract(epoch from now() - cron_on) / 60)::float8 as idle from pgboss.version`),
  ]);
  const ahead = Math.round(row!.ahead);
  const idle = Math.floor(row!.idle ?? 0);
  const isOff = Math.abs(ahead) > CLOCK_SECONDS;
  return {
    state: future.size > 0 || idle >= SCHEDULE_MINUTES ? 'failing' : isOff ? 'warning' : 'ok',
    summary:
      future.size > 0
        ? `A clock was ahead, and what it dated is in the future: ${[...future.keys()].join(', ')}. It is set back within five minutes.`
        : idle >= SCHEDULE_MINUTES
          ? `No schedule has run for ${counted(idle, 'minute')}: restart the site.`
          : isOff
            ? 'The clocks of this machine and of the database differ: set both by NTP.'
            : 'Nothing is dated in the future.',
    facts: [
      { label: 'Against the database', value: `${ahead > 0 ? '+' : ''}${ahead} s` },
      ...[...future].map(([label, count]) => ({ label: `In the future: ${label}`, value: String(count) })),
    ],
  };
}

async function diskPart(): Promise<Part> {
  const { dataDir } = env();
  const disk = await statfs(dataDir);
  return diskState(disk.bavail * disk.bsize, disk.blocks * disk.bsize);
}

async function filesPart(): Promise<Part> {
  const { s3 } = env();
  const problem = await fileStore()
    .check()
    .then(
      () => null,
      (error: unknown) => {
        if (error instanceof FileStoreError) return error.message;
        throw error;
      },
    );
  return {
    state: problem ? 'failing' : 'ok',
    summary: problem ?? (s3 ? 'The object store answers.' : 'They lie in the data folder.'),
    facts: s3 ? [{ label: 'Bucket', value: s3.bucket }] : [],
  };
}

async function processPart(): Promise<Part> {
  const { siteUrl, production } = env();
  const seconds = Math.round(process.uptime());
  const hours = Math.floor(seconds / 3600);
  return {
    state: 'ok',
    summary: `Runs since ${hours > 0 ? counted(hours, 'hour') : counted(Math.max(1, Math.floor(seconds / 60)), 'minute')}.`,
    facts: [
      { label: 'Address', value: siteUrl },
      { label: 'Node', value: process.version },
      { label: 'Memory', value: megabytes(process.memoryUsage.rss()) },
      { label: 'Mode', value: production ? 'production' : 'development' },
    ],
  };
}

/** How each part of the site is, for the people who run it. A part that hangs or fails says so and holds up none. */
export async function siteHealth(): Promise<{ state: PartState; parts: HealthPart[] }> {
  const parts = await Promise.all([
    asked('Site', processPart),
    asked('Database', databasePart),
    asked('Background work', jobsPart),
    asked('Mail', mailPart),
    asked('Payments', paymentsPart),
    asked('Judge', judgePart),
    asked('Clock', clockPart),
    asked('Disk', diskPart),
    asked('Files', filesPart),
    asked('Backups', backupPart),
  ]);
  return { state: worst(parts.map(({ state }) => state)), parts };
}

/** The same as numbers, for the figures at `/metrics`. */
export async function readings(): Promise<Reading[]> {
  const pool = poolUse();
  const [rows, mail, judge, disk, flagged, backups] = await Promise.all([
    queues(),
    mailCounts(),
    judgeHealth(),
    statfs(env().dataDir),
    db().$count(orders, isFlagged()),
    backupState(),
  ]);
  const seconds = (at: Date | null) => Math.floor((at?.getTime() ?? 0) / 1000);
  const pools = Object.entries(judge.pools).flatMap(([pool, facts]): Reading[] =>
    'processes' in facts
      ? [
          {
            name: 'academy_judge_processes',
            help: 'Processes of a judge pool',
            value: facts.processes,
            labels: { pool },
          },
          {
            name: 'academy_judge_queued',
            help: 'Programs that wait for a judge pool',
            value: facts.queued,
            labels: { pool },
          },
        ]
      : [
          {
            name: 'academy_judge_up',
            help: 'Whether a judge answers',
            value: facts.ok ? 1 : 0,
            labels: { pool },
          },
        ],
  );
  const verdicts = Object.entries(judge.counters?.verdicts ?? {}).map(
    ([verdict, value]): Reading => ({
      name: 'academy_judge_verdicts',
      help: 'Verdicts since the start',
      value: value ?? 0,
      labels: { verdict },
    }),
  );
  return [
    { name: 'academy_pool_in_use', help: 'Database connections in use', value: pool.inUse },
    { name: 'academy_pool_waiting', help: 'Queries that wait for a connection', value: pool.waiting },
    ...rows.map(
      ({ name, waiting }): Reading => ({
        name: 'academy_jobs_waiting',
        help: 'Due jobs by queue',
        value: waiting,
        labels: { queue: name },
      }),
    ),
    { name: 'academy_mails_queued', help: 'Mails that wait to be sent', value: mail.queued },
    { name: 'academy_mails_failed', help: 'Mails that could not be sent', value: mail.failed },
    { name: 'academy_orders_flagged', help: 'Orders that somebody has to look at', value: flagged },
    {
      name: 'academy_disk_free_bytes',
      help: 'Free bytes where the data folder lies',
      value: disk.bavail * disk.bsize,
    },
    {
      name: 'academy_backup_last_seconds',
      help: 'When the last backup was made',
      value: seconds(backups.last),
    },
    {
      name: 'academy_backup_verified_seconds',
      help: 'When a backup was last restored for a trial',
      value: seconds(backups.verifiedAt),
    },
    {
      name: 'academy_backup_unrestorable',
      help: 'Whether the last trial of a backup failed',
      value: backups.unrestorable ? 1 : 0,
    },
    ...pools,
    ...verdicts,
  ];
}
