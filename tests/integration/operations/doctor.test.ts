import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { siteHealth } from '#src/features/admin/operations/health.server.ts';
import { freePort } from '../../support/site.ts';

// Processes that load the site's code: on a busy machine that takes long.
vi.setConfig({ testTimeout: 240_000 });

const root = resolve(import.meta.dirname, '../../..');

async function run(command: string) {
  const env = { ...process.env, PORT: String(await freePort()) };
  return new Promise<{ code: unknown; lines: string[] }>((done) => {
    execFile(process.execPath, ['scripts/admin.ts', command], { cwd: root, env }, (error, stdout) =>
      done({ code: error ? error.code : 0, lines: stdout.trim().split('\n') }),
    );
  });
}

it('npm run doctor tells of each part what /admin/health does, and clears the list of given-up jobs by another command', async () => {
  await db().execute(sql`
    insert into pgboss.job (name, source_name, source_id, source_output)
    values ('dead-letters', 'store.refund', 'a6b4d1a2-0000-4000-8000-000000000001', '{"message": "no such refund"}')`);
  const { code, lines } = await run('doctor');
  const line = (name: string) => lines.find((one) => one.startsWith(`${name}  `));
  for (const { name } of (await siteHealth()).parts) expect(line(name)).toBeDefined();
  // Nothing serves a site here, and no payment can be taken.
  expect(code).toBe(1);
  expect(line('Site')).toMatch(/Failing .*Does not answer at port \d+/);
  expect(line('Database')).toMatch(/OK .*Answers, and is up to date/);
  expect(line('Judge')).toMatch(/Judges programs/);
  expect(line('Background work')).toMatch(
    /Look at it +\d{4}-\d\d-\d\d .* UTC +1 job failed for good\. .*forget-jobs/,
  );
  expect(lines.join('\n')).toContain('store.refund a6b4d1a2-0000-4000-8000-000000000001: no such refund');
  expect(await run('forget-jobs')).toEqual({ code: 0, lines: ['Cleared 1 job that had been given up.'] });
});
