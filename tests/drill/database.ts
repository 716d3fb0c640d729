import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import {
  ADMIN,
  ask,
  type Drill,
  isAlive,
  load,
  must,
  needsRoot,
  READS,
  signIn,
  STUDENT,
  told,
  until,
} from './drill.ts';

export const databaseBreaks: Drill = {
  name: 'database-breaks',
  faults: 'F2',
  does: 'every database connection is cut for five seconds on end, then the database accepts and closes, then it restarts, all under load',
  async run(stage) {
    const site = await stage.site('a');
    const token = await signIn(site.url, STUDENT);
    const works = async () =>
      (await ask(site.url, '/api/my-enrollments', { token })).status === 200 &&
      (await ask(site.url, '/courses')).status === 200;
    const running = load(site.url, READS, 16);
    let cut = 0;
    for (let turn = 0; turn < 50; turn += 1) {
      cut += stage.door.cutAll();
      await sleep(100);
    }
    const afterCuts = await until('an answer after the cuts', 5, works);
    stage.door.set('shut');
    stage.door.cutAll();
    await sleep(4_000);
    stage.door.set('open');
    const afterShut = await until('an answer after the shut door', 5, works);
    await stage.restartDatabase();
    const afterRestart = await until('an answer after the restart', 5, works);
    const statuses = await running.end();
    must(isAlive(site), 'the site ended');
    const strange = [...statuses.keys()].filter((status) => !['200', '503'].includes(status));
    must(strange.length === 0, `users saw ${told(statuses)}`);
    must(running.slowestMs() < 10_000, `an answer took ${running.slowestMs()} ms`);
    return `${cut} connections cut; works again after ${afterCuts.toFixed(1)} s, ${afterShut.toFixed(1)} s and ${afterRestart.toFixed(1)} s; ${told(statuses)}; slowest ${running.slowestMs()} ms`;
  },
};

export const databaseFrozen: Drill = {
  name: 'database-frozen',
  faults: 'F18',
  does: 'the database’s processes are stopped where they are for fifteen seconds, with learners and visitors asking, then they go on',
  async run(stage) {
    const site = await stage.site('a');
    const token = await signIn(site.url, STUDENT);
    const own = ['/api/my-enrollments', '/api/cart', '/api/auth/me', '/api/progress'];
    const works = async () =>
      (await ask(site.url, own[0]!, { token })).status === 200 &&
      (await ask(site.url, '/courses')).status === 200;
    const before = load(site.url, [...own, '/courses/1'], 16, token);
    await sleep(2_000);
    await before.end();
    const connections = stage.door.open();
    const thaw = stage.freezeDatabase();
    let learners: ReturnType<typeof load>;
    let visitors: ReturnType<typeof load>;
    let signIns: ReturnType<typeof ask>[] = [];
    let unready: number;
    try {
      learners = load(site.url, own, 16, token);
      visitors = load(site.url, READS, 8);
      signIns = Array.from({ length: 4 }, () => ask(site.url, '/api/auth/login', { body: STUDENT }));
      unready = await until(
        'the refusal of readiness',
        5,
        async () => (await ask(site.url, '/readyz')).status === 503,
      );
      await sleep(15_000);
      // What is asked from now on may be answered by the database again.
      await Promise.all([learners.end(), visitors.end()]);
    } finally {
      thaw();
    }
    const again = await until('an answer after it went on', 2, works);
    const statuses = [
      ...learners.statuses.keys(),
      ...(await Promise.all(signIns)).map(({ status }) => `${status}`),
    ];
    must(
      statuses.every((status) => status === '503'),
      `learners saw ${told(learners.statuses)}, sign-ins ${statuses.slice(learners.statuses.size).join(', ')}`,
    );
    must(
      [...visitors.statuses.keys()].every((status) => ['200', '503'].includes(status)),
      `visitors saw ${told(visitors.statuses)}`,
    );
    const waits = [learners.slowest, visitors.slowest];
    for (const answer of signIns) waits.push({ path: '/api/auth/login', ms: Math.round((await answer).ms) });
    const slowest = waits.sort((a, b) => b.ms - a.ms)[0]!;
    must(slowest.ms <= 5_000, `an answer from ${slowest.path} took ${slowest.ms} ms`);
    const after = load(site.url, [...own, '/courses/1'], 16, token);
    await sleep(2_000);
    const later = await after.end();
    must([...later.keys()].join() === '200', `afterwards learners saw ${told(later)}`);
    const admin = postgres(stage.databaseUrl, { max: 1 });
    await until('the end of what was asked while it was frozen', 5, async () => {
      const [stuck] = await admin`select count(*)::int as count from pg_stat_activity
        where application_name = 'academy' and state <> 'idle' and now() - state_change > interval '1 s'`;
      return stuck!.count === 0;
    });
    await admin.end();
    await until('connections as before', 5, async () => stage.door.open() <= connections + 2);
    must(isAlive(site), 'the site ended');
    return `not ready after ${unready.toFixed(1)} s; learners ${told(learners.statuses)}, visitors ${told(visitors.statuses)}, slowest ${slowest.ms} ms; works again after ${again.toFixed(2)} s; ${connections} connections before, ${stage.door.open()} after`;
  },
};

export const pooler: Drill = {
  name: 'pooler',
  faults: 'F2',
  does: 'PgBouncer stands between: in session mode the site works and hears changes; in the other modes it does not start',
  needs: () =>
    spawnSync('pgbouncer', ['--version']).error ? 'needs PgBouncer (apt-get install pgbouncer)' : needsRoot(),
  async run(stage) {
    const refusal = async (mode: string) => {
      const pooler = await stage.pooler(mode);
      try {
        const site = await stage.site(mode, { DATABASE_URL: pooler.url });
        throw new Error(`the site started at ${site.url} behind a pooler in ${mode} mode`);
      } catch (error) {
        const line = /Cannot start: (.*)/.exec((error as Error).message)?.[1] ?? '';
        must(line.includes('session mode'), `in ${mode} mode it said: ${(error as Error).message}`);
        return line;
      } finally {
        pooler.stop();
      }
    };
    const admin = postgres(stage.databaseUrl, { max: 1 });
    await admin`alter role postgres set statement_timeout = '5s'`;
    await admin`alter role postgres set idle_in_transaction_session_timeout = '15s'`;
    await admin.end();
    const said = await refusal('transaction');
    await refusal('statement');
    const strict = await stage.pooler('session', '');
    const startup = await stage
      .site('strict', { DATABASE_URL: strict.url })
      .catch((error: Error) => error.message);
    strict.stop();
    must(
      typeof startup === 'string' && startup.includes('ignore_startup_parameters'),
      `without the settings it said: ${startup}`,
    );

    const pooler = await stage.pooler('session');
    const site = await stage.site('a', { DATABASE_URL: pooler.url });
    const boss = await signIn(site.url, ADMIN);
    must((await ask(site.url, '/courses/1')).status === 200, 'the course page does not show');
    await ask(site.url, '/api/courses/1/toggle', { token: boss, method: 'PUT', body: {} });
    const hidden = await until(
      'the hidden course',
      1.2,
      async () => (await ask(site.url, '/courses/1')).status === 404,
    );
    await ask(site.url, '/api/forgot-password', { body: { email: STUDENT.email } });
    const mails = () => readdir(join(stage.folder, 'a', 'mail')).catch(() => []);
    await until('the mail', 10, async () => (await mails()).length > 0);
    const running = load(site.url, READS, 8);
    await sleep(3_000);
    const statuses = await running.end();
    must(
      [...statuses.keys()].every((status) => ['200', '404'].includes(status)),
      `users saw ${told(statuses)}`,
    );
    pooler.stop();
    return `session: hidden after ${hidden.toFixed(2)} s, mail sent, ${told(statuses)}; transaction and statement: “${said.slice(0, 60)}…”`;
  },
};
