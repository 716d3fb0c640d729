import { sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { SESSION_IDLE_DAYS } from '#src/features/account/session.server.ts';
import { log } from '#src/server/log.ts';

/** Seconds that clocks of instances may differ. */
const TOLERANCE_SECONDS = 60;
const MEND_EVERY_MS = 300_000;

/**
 * Moments that work waits for, which a clock that was ahead may have left in the future. `beyond`: how far ahead one may
 * rightly be; `set` where the moment becomes something else than now.
 */
type Moment = {
  what: string;
  table: string;
  column: string;
  beyond?: string;
  only?: string;
  set?: string;
};

const past = (
  what: string,
  table: string,
  columns: readonly string[],
  more: Partial<Moment> = {},
): Moment[] => columns.map((column) => ({ what, table, column, ...more }));

const MOMENTS: readonly Moment[] = [
  // The library compares each with now and does nothing until it has passed; null lets it go on at once.
  ...past('schedules', 'pgboss.version', ['cron_on', 'bam_on', 'flow_on', 'reindex_on'], { set: 'null' }),
  ...past('schedules', 'pgboss.version', ['monitor_backoff_on'], { set: 'null', beyond: '1 day' }),
  ...past('schedules', 'pgboss.queue', ['monitor_on', 'monitor_claim_on', 'maintain_on'], { set: 'null' }),
  // The retries of a job are an hour apart at most, and a mail may wait for a day.
  ...past('jobs', 'pgboss.job', ['start_after'], {
    only: `state in ('created', 'retry') and created_on > now() + interval '${TOLERANCE_SECONDS} seconds'`,
  }),
  ...past('jobs', 'pgboss.job', ['start_after'], { only: `state = 'retry'`, beyond: '1 hour' }),
  ...past('leases of jobs', 'pgboss.job', ['started_on', 'heartbeat_on'], { only: `state = 'active'` }),
  ...past('jobs', 'pgboss.job', ['created_on'], { only: `state in ('created', 'retry', 'active')` }),
  // What has ended counts as ended long ago, so that what comes round with it is due.
  ...past('jobs that ended', 'pgboss.job', ['completed_on'], { set: `now() - interval '8 days'` }),
  ...past('mails', 'mail_outbox', ['due_at'], { only: `status = 'queued'`, beyond: '1 day' }),
  ...past('mails', 'mail_outbox', ['due_at'], {
    only: `status = 'queued' and created_at > now() + interval '${TOLERANCE_SECONDS} seconds'`,
  }),
  // The moment is part of a mail's id, which stays the same once it was tried.
  ...past('mails', 'mail_outbox', ['created_at'], { only: `(attempts = 0 or status <> 'queued')` }),
  ...past('mails', 'mail_outbox', ['sent_at']),
  ...past('webhooks', 'webhook_deliveries', ['due_at'], { only: `status = 'queued'`, beyond: '6 hours' }),
  ...past('leases of webhooks', 'webhook_deliveries', ['leased_until'], {
    beyond: '30 seconds',
    set: 'null',
  }),
  ...past('webhooks', 'webhook_deliveries', ['ends_at'], {
    only: `status = 'queued'`,
    beyond: '3 days',
    set: `now() + interval '3 days'`,
  }),
  ...past('webhooks', 'webhook_events', ['created_at'], { only: 'not spread' }),
  ...past('rests of webhooks', 'webhook_endpoints', ['rested_at']),
  ...past('sessions', 'sessions', ['created_at']),
  ...past('sessions', 'sessions', ['proven_at'], { set: 'null' }),
  ...past('sessions', 'sessions', ['expires_at'], {
    beyond: `${SESSION_IDLE_DAYS} days`,
    set: `now() + interval '${SESSION_IDLE_DAYS} days'`,
  }),
  ...past('refused sign-ins', 'sign_in_failures', ['at']),
  // No limit counts for longer than a day.
  ...past('limits', 'rate_limits', ['expire'], { beyond: '1 day' }),
  ...past('publish checks', 'publish_runs', ['moved_at']),
  ...past('videos', 'videos', ['moved_at']),
  ...past('looks at links', 'link_checks', ['tried_at']),
];

const isFuture = ({ column, beyond = '0', only = 'true' }: Moment) =>
  `${column} > now() + interval '${TOLERANCE_SECONDS} seconds' + interval '${beyond}' and ${only}`;

/** What is dated in the future, with how much of each there is; empty where nothing is. */
export async function futureDates(): Promise<Map<string, number>> {
  const counts = MOMENTS.map(
    (one) => `select '${one.what}' as what, count(*)::int as count from ${one.table} where ${isFuture(one)}`,
  );
  const rows = await db().execute<{ what: string; count: number }>(
    sql.raw(`select what, sum(count)::int as count from (${counts.join(' union all ')}) t
      group by what having sum(count) > 0 order by what`),
  );
  return new Map(rows.map(({ what, count }) => [what, count]));
}

/** Sets what is dated in the future back, so that work that waits for it goes on. Gives what there was. */
export async function mendFutureDates(): Promise<Map<string, number>> {
  const found = await futureDates();
  if (found.size === 0) return found;
  log.error(
    { found: Object.fromEntries(found) },
    'a clock was ahead: what was dated in the future is set back',
  );
  for (const one of MOMENTS) {
    await db().execute(
      sql.raw(`update ${one.table} set ${one.column} = ${one.set ?? 'now()'} where ${isFuture(one)}`),
    );
  }
  return found;
}

/**
 * Looks for moments in the future now and every five minutes, by a timer of this process: the schedules are among them.
 *
 * @returns what ends it
 */
export function watchFutureDates(): () => Promise<void> {
  const look = () =>
    void mendFutureDates().catch((error: unknown) =>
      log.warn({ err: error }, 'it could not be looked for what is dated in the future'),
    );
  look();
  const timer = setInterval(look, MEND_EVERY_MS);
  return async () => clearInterval(timer);
}
