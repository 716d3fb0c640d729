import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, inject, vi } from 'vitest';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { stopJobs } from '#src/server/jobs.ts';
import { databaseOn } from './database-url.ts';

// A password's hash is made to be expensive, and hundreds of tests sign somebody in. The files that prove what it costs
// take this back with `vi.unmock`.
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof import('@node-rs/argon2')>();
  return {
    ...real,
    hash: (password: string, options: object) =>
      real.hash(password, { ...options, memoryCost: 64, timeCost: 1 }),
  };
});

// Each test file works on a copy of the migrated database, so that files cannot see each other's rows.
const { url, template } = inject('postgres');
const name = `test_${randomUUID().replaceAll('-', '')}`;
const dataDir = await mkdtemp(join(tmpdir(), 'academy-data-'));
await onServer((admin) => admin.unsafe(`create database ${name} template ${template}`));
process.env.DATABASE_URL = databaseOn(url, name);
process.env.DATA_DIR = dataDir;
process.env.SITE_URL = 'http://localhost:4321';
connectDatabase(process.env.DATABASE_URL, { max: 12 });

afterAll(async () => {
  await stopJobs(1);
  await closeDatabase(1);
  await onServer((admin) => admin.unsafe(`drop database if exists ${name} with (force)`));
  await rm(dataDir, { recursive: true, force: true });
});

async function onServer(work: (admin: postgres.Sql) => Promise<unknown>): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
