import { makeManyRows } from '../support/many-rows.ts';
import { readdirSync } from 'node:fs';
import { connect as openSocket, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import {
  ADMIN,
  type Answer,
  ask,
  type Drill,
  isAlive,
  load,
  memoryOf,
  must,
  needsNginx,
  READS,
  signIn,
  STUDENT,
  told,
  until,
} from './drill.ts';

export const nginxLimits: Drill = {
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
    // Asking on would keep the limit used up: five searches a second empty it in four.
    await sleep(5_000);
    must(refused(await all(4, '/courses?search=a')).length === 0, 'searches are still refused after 5 s');
    return `${normal.length} requests of normal use passed; of 600 calls at once ${said.length} were refused in JSON, of 60 searches ${searches.length}; searching again after 5 s`;
  },
};

export const slowSenders: Drill = {
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
};

export const largeShop: Drill = {
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
      '/api/admin/reconciliation',
      '/api/admin/reconciliation?days=all',
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
};

export const soak: Drill = {
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
};
