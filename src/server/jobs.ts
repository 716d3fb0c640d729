import { sql } from 'drizzle-orm';
import { fromDrizzle, type Job, PgBoss } from 'pg-boss';
import type { z } from 'zod';
import type { Executor } from '#db/client.ts';
import { log } from './log.ts';

/** Runs at least once: `run` must be safe to repeat. */
export type JobDefinition<S extends z.ZodType = z.ZodType> = {
  /** Letters, digits, dots and dashes. */
  name: string;
  data: S;
  retries: number;
  retryDelaySeconds: number;
  leaseSeconds: number;
  /** 7 where it is left out. */
  keptDays?: number;
  /** A cron expression in UTC. */
  cron?: string;
  /** 1 where it is left out. */
  parallel?: number;
  atStart?: boolean;
  run: (data: z.output<S>, attempt: { isLast: boolean }) => Promise<void>;
};

const DEAD_LETTERS = 'dead-letters';
const SCHEMA = 'pgboss';
/** Unknown to the library's types: milliseconds until the driver gives up a frozen server's connection. */
const FOR_THE_DRIVER = { query_timeout: 20_000 };

// biome-ignore lint/suspicious/noExplicitAny: jobs of any data live in one list
type AnyJob = JobDefinition<any>;

let sender: Promise<PgBoss> | undefined;
let worker: PgBoss | undefined;

function boss(options: { url: string; max: number; works: boolean }): PgBoss {
  const made = new PgBoss({
    connectionString: options.url,
    max: options.max,
    schema: SCHEMA,
    supervise: options.works,
    schedule: options.works,
    migrate: options.works,
    createSchema: options.works,
    application_name: 'academy-jobs',
    ...FOR_THE_DRIVER,
    ...(options.works ? { useListenNotify: true } : {}),
  });
  made.on('error', (error) => log.error({ err: error }, 'a background worker failed'));
  return made;
}

function databaseUrl(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set.');
  return url;
}

/** Queues a job in the caller's transaction: it exists exactly if the transaction commits. */
export async function sendJob<S extends z.ZodType>(
  executor: Executor,
  job: JobDefinition<S>,
  data: z.input<S>,
  { startAfter }: { startAfter?: Date } = {},
): Promise<void> {
  sender ??= worker ? Promise.resolve(worker) : boss({ url: databaseUrl(), max: 1, works: false }).start();
  const open = await sender.catch((error: unknown) => {
    sender = undefined;
    throw error;
  });
  await open.send(job.name, data as object, {
    db: fromDrizzle(executor, sql),
    ...(startAfter ? { startAfter } : {}),
  });
}

async function prepareQueues(open: PgBoss, jobs: readonly AnyJob[]): Promise<void> {
  await open.createQueue(DEAD_LETTERS, { retentionSeconds: 90 * 86_400 });
  for (const job of jobs) {
    const options = {
      retryLimit: job.retries,
      retryDelay: job.retryDelaySeconds,
      retryBackoff: true,
      retryDelayMax: 3600,
      expireInSeconds: job.leaseSeconds,
      deadLetter: DEAD_LETTERS,
      notify: true,
      deleteAfterSeconds: (job.keptDays ?? 7) * 86_400,
    };
    await open.createQueue(job.name, options);
    await open.updateQueue(job.name, options);
    if (job.cron) await open.schedule(job.name, job.cron);
  }
}

/** For test databases and the command line: works on nothing. */
export async function installJobs(url: string, jobs: readonly AnyJob[]): Promise<void> {
  const open = boss({ url, max: 2, works: true });
  await open.start();
  try {
    await prepareQueues(open, jobs);
  } finally {
    await open.stop({ graceful: false });
  }
}

/** One job at a time, so that each succeeds or fails on its own; the next is asked for at once. */
async function workOn(open: PgBoss, job: AnyJob): Promise<void> {
  const worker: string = await open.work(
    job.name,
    { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 4, includeMetadata: true },
    async (batch: (Job<unknown> & { retryCount: number; retryLimit: number })[]) => {
      // The library's burst modes need batches, which fail together, or counts that are a minute old.
      open.notifyWorker(worker);
      for (const one of batch) {
        const isLast = one.retryCount >= one.retryLimit;
        try {
          await job.run(job.data.parse(one.data ?? undefined), { isLast });
        } catch (error) {
          const about = { job: job.name, jobId: one.id, err: error };
          if (isLast) log.error(about, 'a job was given up');
          else log.warn(about, 'a job failed');
          throw error;
        }
      }
    },
  );
}

export async function startJobs(jobs: readonly AnyJob[]): Promise<void> {
  const open = boss({ url: databaseUrl(), max: 4, works: true });
  await open.start();
  await prepareQueues(open, jobs);
  for (const job of jobs) {
    for (let lane = 0; lane < (job.parallel ?? 1); lane += 1) await workOn(open, job);
  }
  for (const job of jobs.filter(({ atStart }) => atStart)) await open.send(job.name);
  worker = open;
  sender = Promise.resolve(open);
}

export async function stopJobs(timeoutSeconds = 5): Promise<void> {
  const open = worker ?? (await sender?.catch(() => undefined));
  worker = undefined;
  sender = undefined;
  await open?.stop({ graceful: true, timeout: timeoutSeconds * 1000 });
}
