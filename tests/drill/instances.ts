import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import Stripe from 'stripe';
import {
  ADMIN,
  ask,
  type Drill,
  ended,
  environmentOf,
  FAKETIME,
  load,
  must,
  needsFaketime,
  needsNginx,
  READS,
  signIn,
  STUDENT,
  told,
  until,
} from './drill.ts';

export const twoInstances: Drill = {
  name: 'two-instances',
  faults: 'F5, F6',
  does: 'two instances start together on an empty database behind nginx; sign-in, sign-out, limits, changing and hiding a course and mail are tried across both; one is ended under load',
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
    const finds = async (search: string) => {
      const answer = await fetch(`${at[1]}/api/courses?search=${encodeURIComponent(search)}`);
      return ((await answer.json()) as { id: number }[]).some(({ id }) => id === 1);
    };
    must(!(await finds('beekeeping')), 'the course is found by a word that it does not have');
    await ask(at[0], '/api/courses/1', {
      token: boss,
      method: 'PUT',
      body: { ...course, title: `${course.title} and Beekeeping` },
    });
    const renamed = await until('the search for the new title', 1, () => finds('beekeeping'));
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
        await Promise.all(['a', 'b'].map((name) => readdir(join(stage.folder, name, 'mail')).catch(() => [])))
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
    return `signed out everywhere after ${gone.toFixed(2)} s, found by a new title after ${renamed.toFixed(2)} s, hidden after ${hidden.toFixed(2)} s, ${allowed} guesses over both, 1 mail; one instance ended under load: ${told(statuses)}`;
  },
};

export const endUnderLoad: Drill = {
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
};

export const clockSkew: Drill = {
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
};
