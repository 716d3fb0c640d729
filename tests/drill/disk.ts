import { hashPassword } from '#db/passwords.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { ADMIN, ask, type Drill, ended, load, must, needsRoot, READS, signIn, told, until } from './drill.ts';

async function upload(url: string, token: string, bytes: number): Promise<{ status: number; body: string }> {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(bytes).fill(97)], 'notes.txt', { type: 'text/plain' }));
  const answer = await fetch(`${url}/api/admin/files`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, body: await answer.text() };
}

export const diskFull: Drill = {
  name: 'disk-full',
  faults: 'F9',
  does: 'an upload into a data folder without room, then one after there is room again',
  needs: needsRoot,
  async run(stage) {
    const small = join(stage.folder, 'a');
    await mkdir(small, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', small]);
    try {
      const site = await stage.site('a', { SEED_DEMO: 'off' });
      const admin = postgres(stage.databaseUrl, { max: 1 });
      await admin`insert into users (username, email, password_hash, role)
        values ('drill', ${ADMIN.email}, ${await hashPassword(ADMIN.password)}, 'admin')`;
      await admin.end();
      const token = await signIn(site.url, ADMIN);
      const full = await upload(site.url, token, 6_000_000);
      must([503, 507].includes(full.status), `a full disk was answered ${full.status}: ${full.body}`);
      const left = readdirSync(small, { recursive: true })
        .map(String)
        .filter((name) => /files\/.+\/.+/.test(name));
      must(left.length === 0, `half a file was left: ${left.join(', ')}`);
      const fits = await upload(site.url, token, 100_000);
      must(fits.status < 300, `after it was freed: ${fits.status} ${fits.body}`);
      must((await ask(site.url, '/readyz')).status === 200, 'the site is not ready');
      site.process.kill('SIGKILL');
      await ended(site);
      return `full: ${full.status}, nothing left behind; a file that fits: ${fits.status}`;
    } finally {
      spawnSync('umount', ['-l', small]);
    }
  },
};

export const diskFullWhileRunning: Drill = {
  name: 'disk-full-while-running',
  faults: 'F20',
  does: 'the disk with the built-in database and the files fills up under a running site and is written to until the database gives up, then room is made',
  needs: needsRoot,
  async run(stage) {
    const small = join(stage.folder, 'a');
    await mkdir(small, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=500m,mode=711', 'tmpfs', small]);
    try {
      const site = await stage.site('a', { DATABASE_URL: undefined });
      const token = await signIn(site.url, ADMIN);
      const disk = async () => {
        const { status, body } = await ask(site.url, '/readyz');
        return `${status} ${(body.checks as Record<string, string>).disk}`;
      };
      must((await disk()) === '200 ok', `before: ${await disk()}`);
      const filler = join(small, 'filler');
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=16k'], { stdio: 'ignore' });
      const said = await until(
        'the word of readiness',
        3,
        async () => (await disk()) === '200 degraded: full',
      );
      const visitors = load(site.url, READS, 4);
      const learners = load(site.url, ['/api/my-enrollments', '/api/auth/me', '/api/cart'], 4, token);
      const written = [];
      for (let turn = 0; turn < 5; turn += 1) {
        written.push((await ask(site.url, '/api/auth/login', { body: ADMIN })).status);
        written.push((await upload(site.url, token, 1_000_000)).status);
      }
      must(
        written.every((status) => [200, 503, 507].includes(status)),
        `writing was answered ${written.join(', ')}`,
      );
      const read = [await visitors.end(), await learners.end()];
      must(
        read.every((statuses) => [...statuses.keys()].join() === '200'),
        `visitors saw ${told(read[0]!)}, learners ${told(read[1]!)}`,
      );
      // More than the files hold that the database has ready for what it writes.
      const cluster = join(small, 'postgres');
      const admin = postgres({
        host: '127.0.0.1',
        port: Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3]),
        username: 'postgres',
        password: readFileSync(join(cluster, 'site-password'), 'utf8').trim(),
        database: 'academy',
        max: 1,
      });
      const refused = await (async () => {
        for (let turn = 0; turn < 300; turn += 1) {
          await admin`select pg_logical_emit_message(true, 'drill', repeat('x', 1000000))`;
        }
        return 'nothing';
      })().catch((error: Error) => error.message);
      await admin.end({ timeout: 1 });
      must((await ask(site.url, '/')).status === 200, 'the pages that need no database do not show');
      await rm(filler);
      const after = await until('room', 30, async () => (await disk()) === '200 ok');
      must(
        (await ask(site.url, '/api/auth/login', { body: ADMIN })).status === 200,
        'nobody can sign in afterwards',
      );
      site.process.kill('SIGTERM');
      must((await ended(site)) === 0, 'the site did not end in good order');
      return `told after ${said.toFixed(1)} s; visitors ${told(read[0]!)}, learners ${told(read[1]!)}, writing ${written.join(', ')}; the database refused more with “${refused}” and ended; with room again it was back after ${after.toFixed(1)} s`;
    } finally {
      spawnSync('umount', ['-l', small]);
    }
  },
};
