import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { env } from '#src/server/start/env.ts';
import { clientAddress } from './client-address.ts';

const DAY_MS = 86_400_000;
const seen = z.object({ address: z.string() });

export const noteProxy: JobDefinition<typeof seen> = {
  name: 'site.untrusted-proxy',
  data: seen,
  retries: 0,
  retryDelaySeconds: 60,
  leaseSeconds: 60,
  keptDays: 2,
  run: async ({ address }) => {
    log.warn({ address }, 'all requests come from one address that TRUST_PROXY does not name');
  },
};

export function noteUntrustedProxies(): (address: string) => void {
  let notedAt = 0;
  return (address) => {
    if (Date.now() - notedAt < DAY_MS) return;
    notedAt = Date.now();
    sendJob(db(), noteProxy, { address }).catch((error: unknown) => {
      log.warn({ err: error, address }, 'a proxy that TRUST_PROXY does not name could not be noted');
    });
  };
}

export async function untrustedProxy(): Promise<{ address: string; since: Date } | null> {
  const rows = await db().execute<{ address: string; since: string }>(sql`
    select data->>'address' as address, min(created_on)::text as since from pgboss.job
    where name = ${noteProxy.name} and created_on > now() - interval '2 days'
    group by 1 order by max(created_on) desc`);
  const addressOf = clientAddress(env().trustProxy);
  const found = rows.find(({ address }) => addressOf(address, '192.0.2.1') === address);
  return found ? { address: found.address, since: new Date(found.since) } : null;
}
