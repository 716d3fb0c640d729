import { spawn } from 'node:child_process';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { CODE_FOLDER, env } from './env.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';

const AUTOMATIC = /^auto-[\d-]+\.tar\.gz$/;
const AFTER_FAILURE_HOURS = 1;
const VERIFIED_EVERY_MS = 6.5 * 86_400_000;
const verified = z.object({ name: z.string(), problem: z.string().nullable() });

const folder = () => join(env().dataDir, 'backups');

const automaticName = (moment: number) =>
  `auto-${new Date(moment).toISOString().slice(0, 19).replace(/[:T]/g, '-')}.tar.gz`;

const TOLERANCE_MS = 60_000;
/** A backup dated in the future proves nothing and is removed first. */
const SET_BACK_MS = 8 * 86_400_000;

async function aheadArchives(): Promise<string[]> {
  const latest = Date.now() + TOLERANCE_MS;
  const names = (await readdir(folder()).catch(() => [])).filter((name) => name.endsWith('.tar.gz')).sort();
  const times = await Promise.all(names.map(async (name) => (await stat(join(folder(), name))).mtimeMs));
  return names.filter(
    (name, index) => times[index]! > latest || (AUTOMATIC.test(name) && name > automaticName(latest)),
  );
}

async function setArchivesBack(): Promise<void> {
  for (const [index, name] of (await aheadArchives()).entries()) {
    const moment = Date.now() - SET_BACK_MS + index * 1_000;
    const now = AUTOMATIC.test(name) ? automaticName(moment) : name;
    await utimes(join(folder(), name), moment / 1000, moment / 1000);
    await rename(join(folder(), name), join(folder(), now));
    log.error({ name, now }, 'a backup was dated in the future, and is dated back');
  }
}

async function writeBeside(out: string, verifies: boolean): Promise<string | null> {
  const program = join(CODE_FOLDER, 'src/backup-process.ts');
  const child = spawn(process.execPath, [program, out, ...(verifies ? ['verified'] : [])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.pid) setPriority(child.pid, 10);
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(-2_000);
  });
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  }).finally(() => process.off('exit', end));
  if (code === 0) return null;
  const reason = complaint.trim().split('\n').at(-1) || `The backup ended with ${code}.`;
  if (code === 2) return reason;
  throw new Error(reason);
}

export const noteVerified: JobDefinition<typeof verified> = {
  name: 'site.backup-verified',
  data: verified,
  retries: 0,
  retryDelaySeconds: 60,
  leaseSeconds: 60,
  keptDays: 30,
  run: async ({ name, problem }) => {
    if (problem) log.error({ name, problem }, 'the backup cannot be restored');
  },
};

async function isToBeVerified(): Promise<boolean> {
  const { verifiedAt, unrestorable, mayVerify } = await verifiedState();
  const isDue = unrestorable !== null || !verifiedAt || Date.now() - verifiedAt.getTime() > VERIFIED_EVERY_MS;
  return mayVerify && isDue;
}

async function verifiedState(): Promise<{
  verifiedAt: Date | null;
  unrestorable: string | null;
  mayVerify: boolean;
}> {
  const [row] = await db().execute<{
    verified: string | null;
    problem: string | null;
    mayVerify: boolean;
  }>(sql`
    select (select max(created_on) from pgboss.job
        where name = ${noteVerified.name} and data->>'problem' is null)::text as verified,
      (select data->>'problem' from pgboss.job where name = ${noteVerified.name}
        order by created_on desc limit 1) as problem,
      (select rolcreatedb or rolsuper from pg_roles where rolname = current_user) as "mayVerify"`);
  return {
    verifiedAt: row!.verified ? new Date(row!.verified) : null,
    unrestorable: row!.problem,
    mayVerify: row!.mayVerify,
  };
}

export const makeBackup: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'site.backup',
  data: z.unknown().optional(),
  retries: 0,
  retryDelaySeconds: 60,
  leaseSeconds: 6 * 3600,
  run: async () => {
    const { backups } = env();
    if (!backups || backups === 'elsewhere') return;
    const name = automaticName(Date.now());
    const verifies = await isToBeVerified();
    const problem = await writeBeside(join(folder(), name), verifies).catch((error: Error) => {
      log.error({ err: error }, 'the backup could not be written');
      throw error;
    });
    log.info({ name }, 'wrote a backup');
    if (verifies) await sendJob(db(), noteVerified, { name, problem });
    const names = (await readdir(folder())).filter((one) => AUTOMATIC.test(one)).sort();
    for (const old of names.slice(0, -backups.keep)) await rm(join(folder(), old), { force: true });
  },
};

export const lookForBackup: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'site.backup-due',
  data: z.unknown().optional(),
  retries: 0,
  retryDelaySeconds: 60,
  leaseSeconds: 60,
  cron: '*/10 * * * *',
  atStart: true,
  run: async () => {
    const { backups } = env();
    await setArchivesBack();
    if (!backups || backups === 'elsewhere') return;
    const [recent] = await db().execute(sql`
      select 1 from pgboss.job where name = ${makeBackup.name} and (
        state in ('created', 'retry', 'active')
        or state = 'completed' and completed_on > now() - make_interval(hours => ${backups.everyHours})
        or state = 'failed' and completed_on > now() - make_interval(hours => ${AFTER_FAILURE_HOURS})) limit 1`);
    if (!recent) await sendJob(db(), makeBackup, undefined);
  },
};

/** Backups dated in the future are only in `ahead`. */
export async function backupState() {
  const names = await readdir(folder()).catch(() => []);
  const [[row], verification, ...times] = await Promise.all([
    db().execute<{ completed: string | null; problem: string | null }>(sql`
      select (select max(completed_on) from pgboss.job where name = ${makeBackup.name} and state = 'completed')::text as completed,
        (select coalesce(output->>'message', 'it was cut off') from pgboss.job
          where name = ${makeBackup.name} and state = 'failed'
            and completed_on > coalesce((select max(completed_on) from pgboss.job
              where name = ${makeBackup.name} and state = 'completed'), '-infinity')
          order by completed_on desc limit 1) as problem`),
    verifiedState(),
    ...names
      .filter((name) => name.endsWith('.tar.gz'))
      .map(async (name) => (await stat(join(folder(), name))).mtimeMs),
  ]);
  const moments = [...times, ...(row?.completed ? [Date.parse(row.completed)] : [])].filter(
    (moment) => moment <= Date.now() + TOLERANCE_MS,
  );
  const last = moments.length > 0 ? new Date(Math.max(...moments)) : null;
  return { last, problem: row?.problem ?? null, ahead: await aheadArchives(), ...verification };
}
