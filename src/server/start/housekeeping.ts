import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { missedSearches, pictures } from '#db/schema/catalogue.ts';
import { mailOutbox, rateLimits, storedFiles } from '#db/schema/machinery.ts';
import { providerEvents } from '#db/schema/store.ts';
import { webhookEvents } from '#db/schema/webhooks.ts';
import { forgetBytes } from '#src/server/files/files.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { sweepAbandoned } from '#src/server/files/uploads.ts';

const KEEP_DAYS = 90;
const WEBHOOK_DAYS = 30;
const BATCH = 5_000;

async function forgetPictures(): Promise<void> {
  await db().transaction(async (tx) => {
    const gone = await tx.execute<{ sha256: string }>(sql`
      delete from ${storedFiles}
      where ${storedFiles.path} like '/pictures/%' and ${storedFiles.createdAt} < now() - interval '1 hour'
        and not exists (
          select from ${pictures} where split_part(${pictures.path}, '/', 3) = split_part(${storedFiles.path}, '/', 3)
        )
      returning sha256`);
    for (const { sha256 } of gone) await sendJob(tx, forgetBytes, { sha256 });
  });
}

async function deleteAll(table: PgTable, ended: SQL): Promise<void> {
  const batch = sql`delete from ${table} where ctid = any(array(select ctid from ${table} where ${ended} limit ${BATCH}))`;
  for (let deleted = BATCH; deleted === BATCH; ) ({ count: deleted } = await db().execute(batch));
}

export const housekeeping: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'site.housekeeping',
  data: z.unknown().optional(),
  retries: 2,
  retryDelaySeconds: 60,
  leaseSeconds: 600,
  cron: '17 * * * *',
  run: async () => {
    await sweepAbandoned();
    await forgetPictures();
    const old = sql`now() - make_interval(days => ${KEEP_DAYS})`;
    await deleteAll(rateLimits, sql`${rateLimits.expire} < now()`);
    await deleteAll(providerEvents, sql`${providerEvents.receivedAt} < ${old}`);
    await deleteAll(
      webhookEvents,
      sql`${webhookEvents.createdAt} < now() - make_interval(days => ${WEBHOOK_DAYS})`,
    );
    await deleteAll(missedSearches, sql`${missedSearches.day} < ${old}`);
    await deleteAll(
      mailOutbox,
      sql`${mailOutbox.status} = 'sent' and coalesce(${mailOutbox.sentAt}, ${mailOutbox.createdAt}) < ${old}`,
    );
  },
};
