import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { bundles, orderItems, seats } from '#db/schema/store.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '#db/schema/webhooks.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { clock, deliverWebhook, SENDERS_OF_ONE } from './deliver.ts';

type Kind = (typeof webhookEvents.$inferSelect)['kind'];

const EVENTS_AT_ONCE = 100;

const wanted = (organisationId: SQL, kind: Kind) => sql`exists (
  select from ${webhookEndpoints} w
  where w.organisation_id = ${organisationId} and not w.paused and ${kind}::text = any(w.kinds))`;

async function write(tx: Tx, rows: SQL): Promise<void> {
  const written = await tx.execute<{ organisation_id: number }>(sql`
    insert into ${webhookEvents} (organisation_id, kind, user_id, email, data, dedupe_key) ${rows}
    on conflict (organisation_id, dedupe_key) do nothing
    returning organisation_id`);
  for (const organisationId of new Set(written.map((row) => row.organisation_id))) {
    await sendJob(tx, spreadWebhooks, { organisationId });
  }
}

const seatFacts = sql`
  from ${seats} s
  left join ${bundles} b on b.id = s.bundle_id
  left join ${users} u on u.id = s.user_id`;
const seatData = sql`jsonb_build_object(
  'seatId', s.id,
  'course', case when c.id is not null then jsonb_build_object('id', c.id, 'title', c.title) end,
  'bundle', case when b.id is not null then jsonb_build_object('id', b.id, 'title', b.title) end,
  'person', case when s.email is not null then jsonb_build_object('email', s.email, 'name', u.username) end)`;

export async function recordSeats(tx: Tx, seatIds: readonly number[]): Promise<void> {
  if (seatIds.length === 0) return;
  await write(
    tx,
    sql`select s.organisation_id, 'seat', s.user_id, s.email, ${seatData} || jsonb_build_object('state',
      case when s.ended_at is not null then 'ended' when s.user_id is not null then 'taken'
        when s.email is not null then 'offered' else 'free' end), null
      ${seatFacts}
      left join ${courses} c on c.id = s.course_id
      where s.id in (select value::int from jsonb_array_elements_text(${JSON.stringify(seatIds)}::jsonb))
        and ${wanted(sql`s.organisation_id`, 'seat')}`,
  );
}

/** Tells the organisation whose seat a learner holds; once for each seat. */
export async function recordLearners(
  tx: Tx,
  kind: 'enrolled' | 'completed' | 'certificate',
  courseId: number,
  learners: readonly { userId: number; more?: Record<string, unknown> }[],
): Promise<void> {
  if (learners.length === 0) return;
  // A seat that was taken back and given again is another enrollment.
  const occasion = sql`${`${kind}:`}::text || s.id || ':' || s.user_id || ':' || extract(epoch from s.taken_at)
    || case when s.bundle_id is null then '' else ':' || c.id end`;
  await write(
    tx,
    sql`select s.organisation_id, ${kind}::text, s.user_id, s.email, ${seatData} || coalesce(l.more, '{}'), ${occasion}
      ${seatFacts}
      join jsonb_to_recordset(${JSON.stringify(learners)}::jsonb) as l("userId" int, more jsonb) on l."userId" = s.user_id
      join ${courses} c on c.id = ${courseId}
      where s.ended_at is null and (s.course_id = c.id or exists (
          select from ${orderItems} head join ${orderItems} line
            on line.order_id = head.order_id and line.bundle_id = head.bundle_id
          where head.id = s.order_item_id and line.course_id = c.id))
        and ${wanted(sql`s.organisation_id`, kind)}`,
  );
}

export async function recordOrder(
  tx: Tx,
  event: {
    organisationId: number;
    kind: 'order' | 'refund';
    occasion: string;
    data: Record<string, unknown>;
  },
): Promise<void> {
  const { organisationId, kind, occasion, data } = event;
  await write(
    tx,
    sql`select ${organisationId}::int, ${kind}::text, null::int, null::text, ${JSON.stringify(data)}::jsonb,
        ${`${kind}:${occasion}`}::text
      where ${wanted(sql`${organisationId}::int`, kind)}`,
  );
}

export const spreadWebhooks: JobDefinition<z.ZodObject<{ organisationId: z.ZodNumber }>> = {
  name: 'webhooks.spread',
  data: z.object({ organisationId: z.number().int() }),
  retries: 12,
  retryDelaySeconds: 10,
  leaseSeconds: 120,
  run: async ({ organisationId }) => {
    await db().transaction(async (tx) => {
      const fresh = await tx.execute<{ id: string }>(sql`
        update ${webhookEvents} set spread = true
        where id in (
          select id from ${webhookEvents} where organisation_id = ${organisationId} and not spread
          order by created_at limit ${EVENTS_AT_ONCE} for update skip locked)
        returning id`);
      if (fresh.length === 0) return;
      const ids = JSON.stringify(fresh.map(({ id }) => id));
      const made = await tx.execute<{ id: number }>(sql`
        insert into ${webhookDeliveries} (event_id, endpoint_id)
        select e.id, w.id from ${webhookEvents} e
        join ${webhookEndpoints} w on w.organisation_id = e.organisation_id
        where e.id in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb)) and not w.paused
          and (e.endpoint_id = w.id or (e.endpoint_id is null and e.kind = any(w.kinds)))
        on conflict do nothing
        returning id`);
      // As many as its organisation may have sent at a time; each that ends sends on the next.
      for (const { id } of made.slice(0, SENDERS_OF_ONE))
        await sendJob(tx, deliverWebhook, { deliveryId: id });
      if (fresh.length === EVENTS_AT_ONCE) await sendJob(tx, spreadWebhooks, { organisationId });
    });
  },
};

export const sweepWebhooks: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'webhooks.sweep',
  data: z.unknown().optional(),
  retries: 2,
  retryDelaySeconds: 30,
  leaseSeconds: 60,
  cron: '*/5 * * * *',
  atStart: true,
  run: () =>
    db().transaction(async (tx) => {
      const waiting = await tx.execute<{ organisation_id: number }>(sql`
        select distinct organisation_id from ${webhookEvents}
        where not spread and created_at < now() - interval '2 minutes'`);
      for (const row of waiting) await sendJob(tx, spreadWebhooks, { organisationId: row.organisation_id });
      await tx.execute(sql`
        update ${webhookDeliveries} set status = 'failed', leased_until = null,
          last_error = coalesce(last_error, 'It could not be sent before its time was over.')
        where id in (
          select id from ${webhookDeliveries} where status = 'queued' and due_at <= ${clock} and ends_at <= ${clock}
          order by due_at limit 500 for update skip locked)`);
      // A few of each organisation, so that thousands of one do not hide those of others; they send on the
      // rest.
      const overdue = await tx.execute<{ id: number }>(sql`
        update ${webhookDeliveries} set due_at = now()
        where id in (
          select d.id from (
            select distinct organisation_id from ${webhookEndpoints}) o
          cross join lateral (
            select x.id from ${webhookDeliveries} x join ${webhookEndpoints} w on w.id = x.endpoint_id
            where w.organisation_id = o.organisation_id and x.status = 'queued'
              and x.due_at < now() - interval '2 minutes'
            order by x.due_at limit ${SENDERS_OF_ONE} for update of x skip locked) d)
        returning id`);
      for (const { id } of overdue) await sendJob(tx, deliverWebhook, { deliveryId: id });
    }),
};

export const WEBHOOK_JOBS = [spreadWebhooks, deliverWebhook, sweepWebhooks] as const;
