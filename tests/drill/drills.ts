import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { connect as openSocket, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { SMTPServer } from 'smtp-server';
import Stripe from 'stripe';
import { hashPassword } from '#db/passwords.ts';
import { makeManyRows } from '../support/many-rows.ts';
import { freePort, type RunningSite } from '../support/site.ts';
import type { Stage } from './stage.ts';

/** One way to break the site. */
export interface Drill {
  name: string;
  /** Faults of the fault list that it is about. */
  faults: string;
  does: string;
  /** Only when it is asked for. */
  long?: boolean;
  /** What is missing here to run it; null where nothing is. */
  needs?: () => string | null;
  /** Gives what was seen; throws where it was not what must be. */
  run(stage: Stage, options: { minutes: number }): Promise<string>;
}

const STUDENT = { email: 'student@example.com', password: 'learn-demo' };
const ADMIN = { email: 'admin@example.com', password: 'learn-demo' };

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const needsNginx = () => (spawnSync('nginx', ['-v']).error ? 'nginx is not installed' : null);
const needsRoot = () => (process.getuid?.() === 0 ? null : 'needs the rights of root');
const FAKETIME = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
];
const needsFaketime = () =>
  FAKETIME.some((path) => existsSync(path)) ? null : 'libfaketime is not installed';

type Answer = {
  status: number;
  body: Record<string, unknown> & { token?: string };
  headers: Headers;
  ms: number;
};

async function ask(
  url: string,
  path: string,
  {
    token,
    body,
    method,
    headers = {},
  }: { token?: string; body?: unknown; method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const began = performance.now();
  const answer = await fetch(url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    body: text.startsWith('{') ? JSON.parse(text) : {},
    headers: answer.headers,
    ms: performance.now() - began,
  };
}

async function signIn(url: string, who: typeof STUDENT): Promise<string> {
  const { status, body } = await ask(url, '/api/auth/login', { body: who });
  must(status === 200 && typeof body.token === 'string', `the sign-in was answered ${status}`);
  return body.token!;
}

/** Asks without a pause until it is told to stop; gives every status, and how the connections failed. */
function load(url: string, paths: readonly string[], connections: number) {
  const statuses = new Map<string, number>();
  let slowest = 0;
  let isOver = false;
  const lanes = Array.from({ length: connections }, async (_, lane) => {
    for (let turn = lane; !isOver; turn += 1) {
      const began = performance.now();
      const outcome = await ask(url, paths[turn % paths.length]!).then(
        ({ status }) => String(status),
        (error: Error) => String((error.cause as { code?: string } | undefined)?.code ?? error.name),
      );
      statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
      slowest = Math.max(slowest, performance.now() - began);
      if (outcome === 'ECONNREFUSED') await sleep(20);
    }
  });
  return {
    statuses,
    slowestMs: () => Math.round(slowest),
    async end(): Promise<Map<string, number>> {
      isOver = true;
      await Promise.all(lanes);
      return statuses;
    },
  };
}

const told = (statuses: Map<string, number>) =>
  [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');

async function until(what: string, seconds: number, holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < seconds * 1000) {
    if (await holds().catch(() => false)) return (performance.now() - began) / 1000;
    await sleep(50);
  }
  throw new Error(`${what} did not come true within ${seconds} s`);
}

const isAlive = (site: RunningSite) => site.process.exitCode === null && site.process.signalCode === null;
const ended = (site: RunningSite) =>
  new Promise<number | null>((done) => {
    if (!isAlive(site)) done(site.process.exitCode);
    else site.process.once('exit', done);
  });

const memoryOf = (site: RunningSite) =>
  Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${site.process.pid}/status`, 'utf8'))![1]) / 1024,
  );

const READS = ['/', '/courses', '/courses/1', '/api/courses', '/api/categories', '/about'];

export const DRILLS: readonly Drill[] = [
  {
    name: 'two-instances',
    faults: 'F5, F6',
    does: 'two instances start together on an empty database behind nginx; sign-in, sign-out, limits, hiding a course and mail are tried across both; one is ended under load',
    needs: needsNginx,
    async run(stage) {
      const [a, b] = await Promise.all([stage.site('a'), stage.site('b')]);
      const admin = postgres(stage.databaseUrl, { max: 1 });
      const [applied] =
        await admin`select count(*)::int as count, count(distinct hash)::int as different from drizzle.__drizzle_migrations`;
      must(applied!.count === applied!.different, 'a migration was applied twice');
      const [seeded] =
        await admin`select count(*)::int as count, count(distinct title)::int as different from courses`;
      must(
        seeded!.count === seeded!.different && seeded!.count > 0,
        'the demo data is there twice, or not at all',
      );
      const url = await stage.proxy([a!, b!]);
      const at = [
        `http://127.0.0.1:${new URL(a!.url).port}`,
        `http://127.0.0.1:${new URL(b!.url).port}`,
      ] as const;

      const token = await signIn(at[0], STUDENT);
      must(
        (await ask(at[1], '/api/auth/me', { token })).status === 200,
        'the other instance does not know the sign-in',
      );
      must(
        (await ask(at[0], '/api/auth/logout', { token, method: 'POST', body: {} })).status < 300,
        'no sign-out',
      );
      const gone = await until(
        'the sign-out',
        1,
        async () => (await ask(at[1], '/api/auth/me', { token })).status === 401,
      );

      const boss = await signIn(at[0], ADMIN);
      const { body: course } = await ask(at[1], '/api/courses/1');
      must(typeof course.title === 'string', 'there is no course 1');
      must((await ask(at[1], '/courses/1')).status === 200, 'the course page does not show');
      await ask(at[0], '/api/courses/1/toggle', { token: boss, method: 'PUT', body: {} });
      const hidden = await until(
        'the hidden course',
        1.2,
        async () => (await ask(at[1], '/courses/1')).status === 404,
      );

      const guesses = { email: 'nobody@example.com', password: 'wrong-password' };
      let allowed = 0;
      for (let turn = 0; turn < 60; turn += 1) {
        const { status } = await ask(at[turn % 2]!, '/api/auth/login', {
          body: guesses,
          headers: { 'x-forwarded-for': '203.0.113.77' },
        });
        if (status === 429) break;
        allowed += 1;
      }
      must(allowed <= 30, `${allowed} guesses were allowed: the limit counts by instance`);

      await ask(at[0], '/api/forgot-password', { body: { email: STUDENT.email } });
      const mails = async () =>
        (
          await Promise.all(
            ['a', 'b'].map((name) => readdir(join(stage.folder, name, 'mail')).catch(() => [])),
          )
        ).flat();
      await until('the mail', 10, async () => (await mails()).length > 0);
      await sleep(3_000);
      must((await mails()).length === 1, `${(await mails()).length} mails were sent for one request`);

      const running = load(url, READS, 8);
      await sleep(1_500);
      b!.process.kill('SIGTERM');
      await ended(b!);
      await sleep(1_500);
      const statuses = await running.end();
      must(
        [...statuses.keys()].every((status) => ['200', '404'].includes(status)),
        `behind nginx users saw ${told(statuses)}`,
      );
      await admin.end();
      return `signed out everywhere after ${gone.toFixed(2)} s, hidden after ${hidden.toFixed(2)} s, ${allowed} guesses over both, 1 mail; one instance ended under load: ${told(statuses)}`;
    },
  },
  {
    name: 'nginx-limits',
    faults: 'N7',
    does: 'behind nginx with its limits a learner pages through the site, then one address asks far too often',
    needs: needsNginx,
    async run(stage) {
      const site = await stage.site('a');
      const url = await stage.proxy([site], { limits: true });
      const token = await signIn(url, STUDENT);
      const all = (count: number, path: string, more = {}) =>
        Promise.all(Array.from({ length: count }, () => ask(url, path, more)));
      const refused = (answers: Answer[]) => answers.filter(({ status }) => status === 429);

      // A class of thirty opens the same pages at once, with what they load.
      const normal = [
        ...(await all(30, '/courses/1')),
        ...(await all(30, '/courses')),
        ...(await all(60, '/api/my-enrollments', { token })),
        ...(await all(60, '/api/auth/me', { token })),
        ...(await all(15, '/courses?search=python')),
      ];
      must(
        refused(normal).length === 0,
        `${refused(normal).length} of ${normal.length} were refused in normal use`,
      );
      await sleep(4_000);

      const calls = await all(600, '/api/categories');
      const said = refused(calls);
      must(said.length > 0 && said.length < 400, `${said.length} of 600 calls at once were refused`);
      for (const { headers, body } of said) {
        const shape = Object.keys(body).sort().join();
        must(
          shape === 'code,message,requestId' && body.code === 'too_many_requests',
          `a refused call was told ${JSON.stringify(body)}`,
        );
        must(
          headers.get('content-type') === 'application/json' && headers.get('retry-after') === '2',
          'a refused call was not told in JSON when to ask again',
        );
      }
      const searches = refused(await all(60, '/courses?search=python'));
      must(searches.length > 0, '60 searches at once were all answered');
      must(
        searches.every(({ headers }) => headers.get('content-type')?.startsWith('text/html') === true),
        'a refused page is no page',
      );
      must(refused(await all(20, '/courses')).length === 0, 'who searched too often may not read either');
      const after = await until(
        'the end of the refusals',
        10,
        async () => refused(await all(4, '/courses?search=a')).length === 0,
      );
      return `${normal.length} requests of normal use passed; of 600 calls at once ${said.length} were refused in JSON, of 60 searches ${searches.length}; searching again after ${after.toFixed(1)} s`;
    },
  },
  {
    name: 'end-under-load',
    faults: 'F4',
    does: 'SIGTERM with 16 connections asking, then a start, SIGKILL with 16 connections asking, and a start again',
    async run(stage) {
      const first = await stage.site('a');
      let running = load(first.url, READS, 16);
      await sleep(2_000);
      const began = performance.now();
      first.process.kill('SIGTERM');
      const code = await ended(first);
      const drained = (performance.now() - began) / 1000;
      const statuses = await running.end();
      const cut = [...statuses.keys()].filter((status) => !['200', 'ECONNREFUSED'].includes(status));
      must(code === 0 && cut.length === 0, `SIGTERM: exit ${code}, users saw ${told(statuses)}`);

      const second = await stage.site('a');
      running = load(second.url, READS, 16);
      await sleep(1_000);
      second.process.kill('SIGKILL');
      await ended(second);
      await running.end();
      const third = await stage.site('a');
      must((await ask(third.url, '/courses')).status === 200, 'the catalogue does not show after SIGKILL');
      return `SIGTERM: ended in ${drained.toFixed(1)} s, ${told(statuses)}; ready again after ${(second.readyAfter / 1000).toFixed(1)} s, after SIGKILL ${(third.readyAfter / 1000).toFixed(1)} s`;
    },
  },
  {
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
  },
  {
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
        const upload = async (size: number) => {
          const form = new FormData();
          form.set('file', new File([new Uint8Array(size).fill(97)], 'notes.txt', { type: 'text/plain' }));
          const answer = await fetch(`${site.url}/api/admin/files`, {
            method: 'POST',
            body: form,
            headers: { authorization: `Bearer ${token}` },
          });
          return { status: answer.status, body: await answer.text() };
        };
        const full = await upload(6_000_000);
        must([503, 507].includes(full.status), `a full disk was answered ${full.status}: ${full.body}`);
        const left = readdirSync(small, { recursive: true })
          .map(String)
          .filter((name) => /files\/.+\/.+/.test(name));
        must(left.length === 0, `half a file was left: ${left.join(', ')}`);
        const fits = await upload(100_000);
        must(fits.status < 300, `after it was freed: ${fits.status} ${fits.body}`);
        must((await ask(site.url, '/readyz')).status === 200, 'the site is not ready');
        site.process.kill('SIGKILL');
        await ended(site);
        return `full: ${full.status}, nothing left behind; a file that fits: ${fits.status}`;
      } finally {
        spawnSync('umount', ['-l', small]);
      }
    },
  },
  {
    name: 'clock-skew',
    faults: 'F10',
    does: 'the site’s clock runs ten minutes ahead and behind; a signed event comes, a signed-in learner goes on',
    needs: needsFaketime,
    async run(stage) {
      const straight = await stage.site('a');
      const token = await signIn(straight.url, STUDENT);
      const secret = environmentOf(straight, 'STRIPE_WEBHOOK_SECRET');
      const send = (url: string) => {
        const payload = JSON.stringify({
          id: `evt_drill_${Date.now()}`,
          object: 'event',
          type: 'customer.created',
          created: Math.floor(Date.now() / 1000),
          livemode: false,
          data: { object: { id: 'cus_drill', object: 'customer' } },
        });
        const header = Stripe.webhooks.generateTestHeaderString({ payload, secret });
        return fetch(`${url}/api/stripe/webhook`, {
          method: 'POST',
          body: payload,
          headers: { 'stripe-signature': header },
        });
      };
      must((await send(straight.url)).status === 200, 'a straight clock refuses an event');
      const seen: string[] = [];
      for (const skew of ['+10m', '-10m']) {
        const library = FAKETIME.find((path) => existsSync(path))!;
        const site = await stage.site(`skewed${skew}`, {
          LD_PRELOAD: library,
          FAKETIME: skew,
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          DONT_FAKE_MONOTONIC: '1',
        });
        const refused = await send(site.url);
        must(refused.status === 400, `a clock of ${skew} answered an event with ${refused.status}`);
        const me = await ask(site.url, '/api/auth/me', { token });
        must(me.status === 200, `a clock of ${skew} lost the sign-in: ${me.status}`);
        seen.push(`${skew}: event ${refused.status}, learner ${me.status}`);
        site.process.kill('SIGKILL');
        await ended(site);
      }
      must((await send(straight.url)).status === 200, 'the event is refused after the clock is straight');
      return `${seen.join('; ')}; the event is taken by a straight clock`;
    },
  },
  {
    name: 'slow-senders',
    faults: 'N7',
    does: '400 connections send their headers a byte at a time',
    async run(stage) {
      const site = await stage.site('a');
      const port = Number(new URL(site.url).port);
      let closed = 0;
      const sockets: Socket[] = Array.from({ length: 400 }, () => {
        const socket = openSocket(port, '127.0.0.1');
        socket.on('error', () => {});
        socket.on('close', () => {
          closed += 1;
        });
        socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
        return socket;
      });
      const drip = setInterval(() => {
        for (const socket of sockets) if (!socket.destroyed) socket.write('a');
      }, 500);
      const running = load(site.url, READS, 4);
      const after = await until('the end of the slow connections', 20, async () => closed === 400);
      clearInterval(drip);
      const statuses = await running.end();
      must(
        [...statuses.keys()].every((status) => status === '200'),
        `others saw ${told(statuses)}`,
      );
      return `all 400 were closed after ${after.toFixed(0)} s; meanwhile ${told(statuses)}, slowest ${running.slowestMs()} ms`;
    },
  },
  {
    name: 'pooler',
    faults: 'F2',
    does: 'PgBouncer stands between: in session mode the site works and hears changes; in the other modes it does not start',
    needs: () =>
      spawnSync('pgbouncer', ['--version']).error
        ? 'needs PgBouncer (apt-get install pgbouncer)'
        : needsRoot(),
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
  },
  {
    name: 'mail-server-down',
    faults: 'F11',
    does: 'the mail server refuses connections while mails are written, then comes back',
    async run(stage) {
      const port = await freePort();
      const site = await stage.site('a', {
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        MAIL_FROM: 'Academy <hello@example.com>',
      });
      const began = await ask(site.url, '/api/forgot-password', { body: { email: STUDENT.email } });
      must(began.status === 200, `the request was answered ${began.status}`);
      const admin = postgres(stage.databaseUrl, { max: 1 });
      await until('a failed try', 15, async () => {
        const [mail] = await admin`select attempts from mail_outbox where status = 'queued'`;
        return (mail?.attempts ?? 0) > 0;
      });
      const received: string[] = [];
      const server = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS', 'AUTH'],
        onData(stream, _session, done) {
          stream.on('data', () => {});
          stream.on('end', () => {
            received.push('mail');
            done();
          });
        },
      });
      await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
      const after = await until('the mail', 120, async () => received.length > 0);
      await sleep(2_000);
      must(received.length === 1, `${received.length} mails came`);
      await admin.end();
      await new Promise<void>((done) => server.close(() => done()));
      return `the request was answered in ${Math.round(began.ms)} ms; the mail came ${after.toFixed(0)} s after the server was back, once`;
    },
  },
  {
    name: 'mail-transfer-agent',
    faults: 'F11',
    does: 'mails go to Exim with STARTTLS and a password; first its certificate is not trusted, then it says 451, then it takes them',
    needs: () =>
      spawnSync('exim4', ['-bV']).error ? 'needs Exim (apt-get install exim4-daemon-light)' : needsRoot(),
    async run(stage) {
      const agent = await stage.mailAgent('p@ss/word');
      const settings = {
        SMTP_URL: `smtp://academy:${encodeURIComponent('p@ss/word')}@localhost:${agent.port}`,
        MAIL_FROM: 'Academy <hello@example.com>',
      };
      const admin = postgres(stage.databaseUrl, { max: 1 });
      const failure = async (text: string) =>
        (await admin`select 1 from mail_outbox where status = 'queued' and last_error like ${`%${text}%`}`)
          .length > 0;
      const write = (url: string, email: string) => ask(url, '/api/forgot-password', { body: { email } });

      const wary = await stage.site('wary', { ...settings, NODE_EXTRA_CA_CERTS: '' });
      await write(wary.url, STUDENT.email);
      await until('the refusal of a certificate that nobody trusts', 20, () => failure('self-signed'));
      wary.process.kill('SIGTERM');
      await ended(wary);

      agent.putOff(true);
      const site = await stage.site('a', { ...settings, NODE_EXTRA_CA_CERTS: agent.certificate });
      await write(site.url, ADMIN.email);
      await until('a 451', 60, () => failure('451'));
      must(agent.taken().length === 0, 'a mail was taken before it could be');
      agent.putOff(false);
      const after = await until('both mails', 300, async () => agent.taken().length >= 2);
      await sleep(2_000);
      const taken = agent.taken();
      must(
        taken.length === 2 &&
          taken.every((line) => line.includes('P=esmtpsa') && line.includes('A=plain:academy')),
        `Exim took: ${taken.join(' | ')}`,
      );
      await admin.end();
      return `nothing sent over an untrusted certificate, 451 waited out; ${after.toFixed(0)} s later both mails were taken once, encrypted and signed in`;
    },
  },
  {
    name: 'large-shop',
    faults: 'F14',
    does: 'a shop of 100,000 orders: lists, reports, exports and the books of all time are asked for',
    async run(stage) {
      const site = await stage.site('a');
      const admin = postgres(stage.databaseUrl, { max: 1, onnotice: () => {} });
      await makeManyRows(admin, 100_000);
      await admin.end();
      const login = await fetch(`${site.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(ADMIN),
      });
      const cookie = login.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
      const before = memoryOf(site);
      for (const path of [
        '/admin/orders',
        '/admin/users',
        '/admin/analytics/courses.csv',
        '/admin/courses/1/export.zip',
        '/admin/books',
        '/admin/books?days=all',
      ]) {
        const answer = await fetch(site.url + path, { headers: { cookie }, redirect: 'manual' });
        const { byteLength } = await answer.arrayBuffer();
        must(answer.status === 200, `${path} was answered ${answer.status}`);
        must(byteLength < 1_000_000, `${path} is ${byteLength} bytes long`);
      }
      must(isAlive(site) && (await ask(site.url, '/readyz')).status === 200, 'the site is not ready');
      const after = memoryOf(site);
      must(after - before < 150, `the site grew from ${before} to ${after} MB`);
      return `all were answered; the site’s memory went from ${before} to ${after} MB`;
    },
  },
  {
    name: 'soak',
    faults: 'F14',
    does: '50 mixed requests a second, signed in and not, for --minutes',
    long: true,
    async run(stage, { minutes }) {
      const site = await stage.site('a');
      const token = await signIn(site.url, STUDENT);
      const memory = () => memoryOf(site);
      const files = () => readdirSync(`/proc/${site.process.pid}/fd`).length;
      const signedIn = ['/api/my-enrollments', '/api/auth/me', '/api/cart', '/api/progress'];
      const statuses = new Map<string, number>();
      let warm: { memory: number; files: number } | null = null;
      const began = performance.now();
      for (let turn = 0; performance.now() - began < minutes * 60_000; turn += 1) {
        const isSignedIn = turn % 3 === 0;
        const path = isSignedIn ? signedIn[turn % signedIn.length]! : READS[turn % READS.length]!;
        void ask(site.url, path, isSignedIn ? { token } : {}).then(
          ({ status }) => statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1),
          (error: Error) => statuses.set(error.name, (statuses.get(error.name) ?? 0) + 1),
        );
        await sleep(Math.max(0, began + (turn + 1) * 20 - performance.now()));
        if (!warm && performance.now() - began > minutes * 6_000) warm = { memory: memory(), files: files() };
      }
      await sleep(2_000);
      const end = { memory: memory(), files: files() };
      const growth = (end.memory / warm!.memory - 1) * 100;
      must(
        [...statuses.keys()].every((status) => status === '200'),
        `users saw ${told(statuses)}`,
      );
      must(growth < 10, `memory grew by ${growth.toFixed(1)} %`);
      must(end.files <= warm!.files + 20, `open files grew from ${warm!.files} to ${end.files}`);
      return `${minutes} min, ${told(statuses)}; memory ${warm!.memory.toFixed(0)} → ${end.memory.toFixed(0)} MB (${growth.toFixed(1)} %), open files ${warm!.files} → ${end.files}`;
    },
  },
];

/** What the environment of a running instance says. */
function environmentOf(site: RunningSite, name: string): string {
  const entries = readFileSync(`/proc/${site.process.pid}/environ`, 'utf8').split('\0');
  return entries.find((entry) => entry.startsWith(`${name}=`))!.slice(name.length + 1);
}
