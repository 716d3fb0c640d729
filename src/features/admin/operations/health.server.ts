import { statfs } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { db, poolUse, sqlClient } from '#db/client.ts';
import { FileStoreError } from '#db/file-store.ts';
import { NewerDatabaseError, pendingMigrations } from '#db/migrate.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { type JudgeHealth, judgeHealth } from '#src/judge/client.ts';
import { backupState } from '#src/server/start/backups.ts';
import { env } from '#src/server/start/env.ts';
import { fileStore } from '#src/server/files/files.ts';
import { log } from '#src/server/log.ts';
import type { Reading } from '#src/server/metrics.ts';
import {
  ago,
  clockPart,
  figure,
  jobsPart,
  LATE_MINUTES,
  minutesAgo,
  type Part,
  proxyPart,
  RECONCILIATION,
} from './health-of-work.server.ts';
import { diskState, type HealthPart, megabytes, moment, type PartState, worst } from './health.ts';
import { counted } from '#src/shared/counted.ts';

/** Milliseconds. */
const PART_TIMEOUT_MS = 2_000;
const DAY_MS = 86_400_000;

async function asked(name: string, ask: () => Promise<Part>): Promise<Part & { name: string }> {
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
        ? `${counted(pending.length, 'migration')} not applied.`
        : isFull
          ? 'Nearly all connections of the server are taken.'
          : 'Answers, and is up to date.'),
    ...(pending.length > 0
      ? { todo: 'Restart the site, which applies them.' }
      : isFull
        ? { todo: 'Raise max_connections, or run fewer instances.' }
        : {}),
    figures: [
      figure('academy_database_migrations_pending', 'Migrations that are not applied', pending.length),
      figure('academy_database_newer', 'Whether the database is newer than the program', newer ? 1 : 0),
      figure('academy_pool_in_use', 'Database connections in use', pool.inUse),
      figure('academy_pool_waiting', 'Queries that wait for a connection', pool.waiting),
    ],
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

/** More than a quarter of an hour of retries. */
const LATE_TRIES = 7;
/** Unsent when due, or refused again and again; one refusal or a wait for tomorrow is normal. */
const isLate = sql`${mailOutbox.status} = 'queued' and ${mailOutbox.createdAt} < now() - make_interval(mins => ${LATE_MINUTES})
  and (${mailOutbox.dueAt} < now() - interval '1 minute' or ${mailOutbox.attempts} >= ${LATE_TRIES})`;

async function mailCounts() {
  const [row] = await db().execute<{
    queued: number;
    failed: number;
    late: number;
    refused: number;
    since: string | null;
    error: string | null;
    leaves: boolean;
  }>(sql`
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'failed')::int as failed,
      coalesce(extract(epoch from now() - min(created_at) filter (where ${isLate})) / 60, 0)::float8 as late,
      count(*) filter (where status = 'queued' and last_error is not null)::int as refused,
      min(created_at) filter (where status = 'failed' or last_error is not null or ${isLate})::text as since,
      (array_agg(last_error order by status <> 'queued', id desc) filter (where last_error is not null))[1] as error,
      coalesce((select max(sent_at) from mail_outbox where status = 'sent') >
        min(created_at) filter (where status = 'queued' and last_error is not null), false) as leaves
    from mail_outbox where status in ('queued', 'failed')`);
  return row!;
}

async function mailPart(): Promise<Part> {
  const { queued, failed, late, refused, since, error, leaves } = await mailCounts();
  const { smtpUrl, mailFrom } = env();
  const isStuck = refused > 0 && !leaves;
  const reason = error ? ` The mail server's last words: ${error}` : '';
  return {
    state: late > 0 ? 'failing' : failed > 0 || isStuck ? 'warning' : 'ok',
    summary:
      late > 0
        ? `A mail has waited for ${counted(Math.round(late), 'minute')}.${reason}`
        : failed > 0
          ? `${counted(failed, 'mail')} could not be sent.${reason}`
          : refused > 0
            ? `${counted(refused, 'mail')} refused for now.${reason}`
            : 'Mails leave as they are written.',
    ...(failed > 0
      ? { todo: 'Mend what the mail server says, then send them again at /admin/mail.' }
      : late > 0 || isStuck
        ? { todo: 'Mend what the mail server says: they are tried again by themselves.' }
        : {}),
    since: since ? new Date(since) : null,
    href: failed > 0 ? '/admin/mail?status=failed' : '/admin/mail',
    figures: [
      figure('academy_mails_queued', 'Mails that wait to be sent', queued),
      figure('academy_mails_refused', 'Mails that were refused and are tried again', refused),
      figure('academy_mails_failed', 'Mails that could not be sent', failed),
    ],
    facts: [
      { label: 'Sent through', value: smtpUrl ? new URL(smtpUrl).hostname : 'files in the data folder' },
      { label: 'From', value: mailFrom },
      { label: 'Waiting', value: counted(queued, 'mail') },
      { label: 'Refused for now', value: counted(refused, 'mail') },
      { label: 'Failed', value: counted(failed, 'mail') },
    ],
  };
}

function judgeFigures({ pools, counters }: JudgeHealth): Reading[] {
  return [
    ...Object.entries(pools).flatMap(([pool, facts]) =>
      'processes' in facts
        ? [
            figure('academy_judge_processes', 'Processes of a judge pool', facts.processes, { pool }),
            figure('academy_judge_queued', 'Programs that wait for a judge pool', facts.queued, { pool }),
          ]
        : [figure('academy_judge_up', 'Whether a judge answers', facts.ok ? 1 : 0, { pool })],
    ),
    ...Object.entries(counters?.verdicts ?? {}).map(([verdict, count]) =>
      figure('academy_judge_verdicts', 'Verdicts since the start', count ?? 0, { verdict }),
    ),
  ];
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
        ? 'Judges programs behind fewer walls than it should.'
        : started
          ? 'Judges programs.'
          : 'Starts with the first program.'),
    ...(problems.length > 0 || health.missing.length > 0
      ? { todo: 'The log says what to do, in lines that begin with "judge:".' }
      : {}),
    figures: judgeFigures(health),
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

/** Minutes; they are settled every five. */
const UNSETTLED_MINUTES = 60;

async function paymentsPart(): Promise<Part> {
  const { stripe } = env();
  const [row] = await db().execute<{
    flagged: number;
    since: string | null;
    event: string | null;
    idle: number | null;
  }>(sql`
    select count(distinct order_id)::int as flagged, min(created_at)::text as since,
      (select max(received_at)::text from provider_events) as event,
      (select (extract(epoch from now() - max(completed_on)) / 60)::float8 from pgboss.job
        where name = ${RECONCILIATION} and state = 'completed') as idle
    from order_flags where settled_at is null`);
  const { flagged, since, event, idle } = row!;
  const isUnsettled = idle !== null && idle >= UNSETTLED_MINUTES;
  const mode = !stripe
    ? 'not set up'
    : stripe.sandbox
      ? 'built-in sandbox'
      : stripe.live
        ? 'live'
        : 'test keys';
  return {
    state: !stripe || isUnsettled ? 'failing' : flagged > 0 ? 'warning' : 'ok',
    summary: !stripe
      ? 'No payment can be taken.'
      : isUnsettled
        ? `Open payments were last settled ${ago(idle)}.`
        : flagged > 0
          ? `${counted(flagged, 'order')} to look at.`
          : 'No order waits for somebody to look at it.',
    todo: !stripe
      ? 'Set STRIPE_SECRET_KEY and its neighbors.'
      : isUnsettled
        ? '"npm run admin -- reconcile" settles them now and says what is in the way.'
        : flagged > 0
          ? 'See /admin/orders?status=look.'
          : '',
    since: isUnsettled ? minutesAgo(idle) : since ? new Date(since) : null,
    href: flagged > 0 ? '/admin/orders?status=look' : '/admin/reconciliation',
    figures: [figure('academy_orders_flagged', 'Orders that somebody has to look at', flagged)],
    facts: [
      { label: 'Provider', value: mode },
      { label: 'Last event', value: event ? moment(new Date(event)) : 'none yet' },
      { label: 'Reconciled', value: idle === null ? 'not yet' : ago(idle) },
      { label: 'Flagged orders', value: String(flagged) },
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
  const seconds = (at: Date | null) => Math.floor((at?.getTime() ?? 0) / 1000);
  return {
    state: problem || ahead.length > 0 || unrestorable ? 'failing' : isOld ? 'warning' : 'ok',
    summary: problem
      ? `The last one could not be written: ${problem}`
      : ahead.length > 0
        ? `${ahead[0]} is dated in the future and does not count.`
        : unrestorable
          ? `The last one that was tried cannot be restored: ${unrestorable}`
          : !last
            ? 'There is none yet.'
            : isOld
              ? 'The last one is older than a day.'
              : 'The last one is younger than a day.',
    ...(unrestorable && !problem && ahead.length === 0
      ? { todo: 'The next one is tried again; "npm run rehearse -- FILE" tries one now.' }
      : problem || isOld
        ? { todo: `Run "npm run backup"${backups ? '' : ', or set BACKUP_EVERY'}.` }
        : {}),
    since: isOld ? last : null,
    figures: [
      figure('academy_backup_last_seconds', 'When the last backup was made', seconds(last)),
      figure(
        'academy_backup_verified_seconds',
        'When a backup was last restored for a trial',
        seconds(verifiedAt),
      ),
      figure(
        'academy_backup_unrestorable',
        'Whether the last trial of a backup failed',
        unrestorable ? 1 : 0,
      ),
    ],
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

async function diskPart(): Promise<Part> {
  const { dataDir } = env();
  const disk = await statfs(dataDir);
  const free = disk.bavail * disk.bsize;
  const part = diskState(free, disk.blocks * disk.bsize);
  return {
    ...part,
    ...(part.state === 'ok'
      ? {}
      : { todo: 'Make room where DATA_DIR lies: the site writes nothing on a full disk.' }),
    figures: [figure('academy_disk_free_bytes', 'Free bytes where the data folder lies', free)],
  };
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
    ...(problem && s3 ? { todo: 'See whether it runs and S3_* names it: pages are served meanwhile.' } : {}),
    figures: [figure('academy_file_store_up', 'Whether files can be read', problem ? 0 : 1)],
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

/**
 * A part that hangs or fails says so and delays no other.
 * @param site state of the serving process, if another
 */
export async function siteHealth(
  site = processPart,
): Promise<{ state: PartState; parts: (HealthPart & Pick<Part, 'figures'>)[] }> {
  const parts = await Promise.all([
    asked('Site', site),
    asked('Database', databasePart),
    asked('Background work', jobsPart),
    asked('Mail', mailPart),
    asked('Payments', paymentsPart),
    asked('Judge', judgePart),
    asked('Clock', clockPart),
    asked('Proxy', proxyPart),
    asked('Disk', diskPart),
    asked('Files', filesPart),
    asked('Backups', backupPart),
  ]);
  return { state: worst(parts.map(({ state }) => state)), parts };
}

const STATE_VALUES = { ok: 0, warning: 1, failing: 2 } as const;

/** For `/metrics`. */
export async function readings(): Promise<Reading[]> {
  const { parts } = await siteHealth();
  return parts.flatMap(({ name, state, figures = [] }) => [
    figure(
      'academy_part_state',
      'How a part of the site is: 0 ok, 1 to be looked at, 2 failing',
      STATE_VALUES[state],
      {
        part: name,
      },
    ),
    ...figures,
  ]);
}
