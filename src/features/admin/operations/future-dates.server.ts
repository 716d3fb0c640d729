import { sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { SESSION_IDLE_DAYS } from '#src/features/account/session.server.ts';
import { log } from '#src/server/log.ts';

/** Seconds of clock skew. */
const TOLERANCE_SECONDS = 60;
const MEND_EVERY_MS = 300_000;

/** Due times that a fast clock may have left in the future. `beyond`: the rightful distance; `set`: another value than now. */
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
  // pg-boss waits until each has passed; null continues at once.
  ...past('schedules', 'pgboss.version', ['cron_on', 'bam_on', 'flow_on', 'reindex_on'], { set: 'null' }),
  ...past('schedules', 'pgboss.version', ['monitor_backoff_on'], { set: 'null', beyond: '1 day' }),
  ...past('schedules', 'pgboss.queue', ['monitor_on', 'monitor_claim_on', 'maintain_on'], { set: 'null' }),
  // Job retries are at most an hour apart; a mail may wait a day.
  ...past('jobs', 'pgboss.job', ['start_after'], {
    only: `state in ('created', 'retry') and created_on > now() + interval '${TOLERANCE_SECONDS} seconds'`,
  }),
  ...past('jobs', 'pgboss.job', ['start_after'], { only: `state = 'retry'`, beyond: '1 hour' }),
  ...past('leases of jobs', 'pgboss.job', ['started_on', 'heartbeat_on'], { only: `state = 'active'` }),
  ...past('jobs', 'pgboss.job', ['created_on'], { only: `state in ('created', 'retry', 'active')` }),
  // Ended long ago, so that what follows is due.
  ...past('jobs that ended', 'pgboss.job', ['completed_on'], { set: `now() - interval '8 days'` }),
  ...past('mails', 'mail_outbox', ['due_at'], { only: `status = 'queued'`, beyond: '1 day' }),
  ...past('mails', 'mail_outbox', ['due_at'], {
    only: `status = 'queued' and created_at > now() + interval '${TOLERANCE_SECONDS} seconds'`,
  }),
  // A tried mail's id has the time in it and must not change.
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
  // No limit is longer than a day.
  ...past('limits', 'rate_limits', ['expire'], { beyond: '1 day' }),
  ...past('publish checks', 'publish_runs', ['moved_at']),
  ...past('videos', 'videos', ['moved_at']),
  ...past('looks at links', 'link_checks', ['tried_at']),
];

const isFuture = ({ column, beyond = '0', only = 'true' }: Moment) =>
  `${column} > now() + interval '${TOLERANCE_SECONDS} seconds' + interval '${beyond}' and ${only}`;

/** Counts by name; empty for none. */
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

/**
 * Resets future times.
 * @returns what there was
 */
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
 * Now and every five minutes, by a timer: the schedules are among the times.
 * @returns ends it
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
