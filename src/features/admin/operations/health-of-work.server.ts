import { sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import type { Reading } from '#src/server/metrics.ts';
import { env } from '#src/server/start/env.ts';
import { untrustedProxy } from '#src/server/http/untrusted-proxy.ts';
import { counted } from '#src/shared/counted.ts';
import { futureDates } from './future-dates.server.ts';
import { type HealthPart, moment } from './health.ts';

/** Figures are for `/metrics`. */
export type Part = Omit<HealthPart, 'name'> & { figures?: Reading[] };

export const figure = (
  name: string,
  help: string,
  value: number,
  labels: Record<string, string> = {},
): Reading => ({ name, help, value, labels });

/** Minutes. */
export const LATE_MINUTES = 15;
export const RECONCILIATION = 'store.reconcile';
const GIVEN_UP_SHOWN = 5;

export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** "3 minutes ago", "2 days ago". */
export function ago(minutes: number): string {
  const said =
    minutes < 120
      ? counted(Math.floor(minutes), 'minute')
      : minutes < 48 * 60
        ? counted(Math.floor(minutes / 60), 'hour')
        : counted(Math.floor(minutes / 1440), 'day');
  return `${said} ago`;
}

type QueueRow = { name: string; waiting: number; active: number; oldest: number | null; dead: boolean };

/** Dead letters are jobs given up. */
async function queues(): Promise<QueueRow[]> {
  return db().execute<QueueRow>(sql`
    select name, count(*) filter (where state in ('created', 'retry') and start_after <= now())::int as waiting,
      count(*) filter (where state = 'active')::int as active,
      (extract(epoch from now() - min(start_after) filter (where state in ('created', 'retry') and start_after <= now())) / 60)::float8 as oldest,
      name = 'dead-letters' as dead
    from pgboss.job where state in ('created', 'retry', 'active') group by name order by name`);
}

type ScheduleRow = { name: string; last: number | null; failed: number | null; reason: string | null };

/** Minutes since the last success and failure of each schedule. */
async function schedules(): Promise<ScheduleRow[]> {
  return db().execute<ScheduleRow>(sql`
    select s.name, (extract(epoch from now() - ended.last) / 60)::float8 as last,
      (extract(epoch from now() - failure.completed_on) / 60)::float8 as failed, failure.reason
    from (select distinct name from pgboss.schedule) s
    left join lateral (select max(completed_on) as last from pgboss.job
      where name = s.name and state = 'completed') ended on true
    left join lateral (select completed_on, output->>'message' as reason from pgboss.job
      where name = s.name and state = 'failed' order by completed_on desc limit 1) failure on true
    order by s.name`);
}

type GivenUp = { id: string | null; name: string | null; at: string; reason: string | null };

async function givenUp(): Promise<GivenUp[]> {
  return db().execute<GivenUp>(sql`
    select source_id as id, source_name as name, created_on::text as at, source_output->>'message' as reason
    from pgboss.job where name = 'dead-letters' and state = 'created'
    order by created_on desc limit ${GIVEN_UP_SHOWN}`);
}

/** Their work stays undone. */
export async function forgetGivenUp(): Promise<number> {
  const gone = await db().execute(sql`delete from pgboss.job where name = 'dead-letters' returning 1`);
  return gone.length;
}

export async function jobsPart(): Promise<Part> {
  const [rows, scheduled, dead] = await Promise.all([queues(), schedules(), givenUp()]);
  const deadCount = rows.find((row) => row.dead)?.waiting ?? 0;
  const live = rows.filter((row) => !row.dead);
  const oldest = Math.max(0, ...live.map((row) => row.oldest ?? 0));
  const isLate = oldest >= LATE_MINUTES;
  const failing = scheduled.filter(({ last, failed }) => failed !== null && failed < (last ?? Infinity));
  const [first] = failing;
  const sum = (key: 'waiting' | 'active') => live.reduce((total, row) => total + row[key], 0);
  return {
    state: isLate ? 'failing' : first || deadCount > 0 ? 'warning' : 'ok',
    summary: isLate
      ? `Due work waits for ${counted(Math.floor(oldest), 'minute')}.`
      : first
        ? `${first.name} failed when it last ran: ${first.reason ?? 'it was cut off'}`
        : deadCount > 0
          ? `${counted(deadCount, 'job')} failed for good.`
          : 'Nothing waits longer than it should.',
    ...(isLate
      ? { todo: 'Restart an instance: no worker takes it.' }
      : first
        ? { todo: 'It is tried again when it comes round; the log names it in "a job failed".' }
        : deadCount > 0
          ? {
              todo: 'The log has each as "a job was given up", with the id below; "npm run admin -- forget-jobs" clears the list.',
            }
          : {}),
    since: isLate
      ? minutesAgo(oldest)
      : first
        ? minutesAgo(first.failed!)
        : dead.length > 0
          ? new Date(dead.at(-1)!.at)
          : null,
    figures: [
      ...rows.map(({ name, waiting }) =>
        figure('academy_jobs_waiting', 'Due jobs by queue', waiting, { queue: name }),
      ),
      figure('academy_jobs_given_up', 'Jobs that failed for good', deadCount),
      ...scheduled.map(({ name, last }) =>
        figure(
          'academy_job_last_run_seconds',
          'When a scheduled job last ran to its end; 0 where none is remembered',
          last === null ? 0 : Math.floor(minutesAgo(last).getTime() / 1000),
          { job: name },
        ),
      ),
    ],
    facts: [
      { label: 'Waiting', value: counted(sum('waiting'), 'job') },
      { label: 'Running', value: counted(sum('active'), 'job') },
      { label: 'Given up', value: counted(deadCount, 'job') },
      ...dead.map(({ id, name, at, reason }) => ({
        label: `Given up ${moment(new Date(at))}`,
        value: `${name ?? 'a job'} ${id ?? ''}: ${reason ?? 'no reason is known'}`,
      })),
      ...scheduled.map(({ name, last }) => ({
        label: `Last run of ${name}`,
        value: last === null ? 'none is remembered' : ago(last),
      })),
    ],
  };
}

/** Seconds of skew to the database. */
const CLOCK_SECONDS = 60;
/** Minutes; schedules are checked twice a minute. */
const SCHEDULE_MINUTES = 10;

export async function clockPart(): Promise<Part> {
  const [future, [row]] = await Promise.all([
    futureDates(),
    db().execute<{ ahead: number; idle: number | null }>(sql`
      select (${Date.now()}::float8 / 1000 - extract(epoch from clock_timestamp()))::float8 as ahead,
        (extract(epoch from now() - cron_on) / 60)::float8 as idle from pgboss.version`),
  ]);
  const ahead = Math.round(row!.ahead);
  const idle = Math.floor(row!.idle ?? 0);
  const isOff = Math.abs(ahead) > CLOCK_SECONDS;
  const isStill = idle >= SCHEDULE_MINUTES;
  return {
    state: future.size > 0 || isStill ? 'failing' : isOff ? 'warning' : 'ok',
    summary:
      future.size > 0
        ? `A clock was ahead, and what it dated is in the future: ${[...future.keys()].join(', ')}.`
        : isStill
          ? `No schedule has run for ${counted(idle, 'minute')}.`
          : isOff
            ? 'The clocks of this machine and of the database differ.'
            : 'Nothing is dated in the future.',
    ...(future.size > 0
      ? { todo: 'It is set back within five minutes.' }
      : isStill
        ? { todo: 'Restart the site.' }
        : isOff
          ? { todo: 'Set both by NTP.' }
          : {}),
    since: future.size === 0 && isStill ? minutesAgo(idle) : null,
    figures: [
      figure('academy_clock_ahead_seconds', "Seconds that this clock is ahead of the database's", ahead),
    ],
    facts: [
      { label: 'Against the database', value: `${ahead > 0 ? '+' : ''}${ahead} s` },
      ...[...future].map(([label, count]) => ({ label: `In the future: ${label}`, value: String(count) })),
    ],
  };
}

export async function proxyPart(): Promise<Part> {
  const found = await untrustedProxy();
  return {
    state: found ? 'warning' : 'ok',
    summary: found
      ? `Requests come from ${found.address} alone, in the name of others (X-Forwarded-For): limits count all visitors as one.`
      : 'Visitors are told apart by their addresses.',
    ...(found
      ? {
          todo: `If that is your proxy, add it to TRUST_PROXY and restart: TRUST_PROXY=${[...env().trustProxy, found.address].join(',')}`,
        }
      : {}),
    since: found?.since ?? null,
    facts: [{ label: 'TRUST_PROXY', value: env().trustProxy.join(', ') || 'not set' }],
  };
}
