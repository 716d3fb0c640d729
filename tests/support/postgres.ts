import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#db/embedded.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { ALL_JOBS } from '#src/jobs.ts';
import { installJobs } from '#src/server/jobs.ts';
import { databaseOn } from './database-url.ts';
import { temporaryFolder } from './site.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server on which tests make databases, and the migrated database that they copy. */
    postgres: { url: string; template: string };
  }
}

/** Of this run alone: two runs may share the server of `TEST_DATABASE_URL`. */
const TEMPLATE = `academy_test_template_${randomBytes(6).toString('hex')}`;

/** Starts one PostgreSQL for the run (or takes `TEST_DATABASE_URL`) and prepares the database that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const dataDir = given ? null : await temporaryFolder('academy-test-');
  const server = dataDir ? await startEmbeddedPostgres({ dataDir }) : null;
  const url = given ?? server!.url;
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  // Nothing here has to outlive a loss of power.
  if (server) {
    await admin.unsafe('alter system set fsync = off');
    await admin.unsafe('alter system set full_page_writes = off');
    await admin`select pg_reload_conf()`;
  }
  await admin.unsafe(`create database ${TEMPLATE}`);
  const templateUrl = databaseOn(url, TEMPLATE);
  await migrateDatabase(templateUrl);
  await installJobs(templateUrl, ALL_JOBS);
  await admin.end();
  project.provide('postgres', { url, template: TEMPLATE });
  return async () => {
    if (!server) await dropTemplate(url);
    await server?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  };
}

async function dropTemplate(url: string): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`drop database if exists ${TEMPLATE} with (force)`).finally(() => admin.end());
}
