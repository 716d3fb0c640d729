import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { judge as judgeAnywhere, judgeHealth, startJudge, stopJudge } from '#src/judge/client.ts';
import { InvalidSubmission, JudgeUnavailable, type Submission, type Verdict } from '#src/judge/protocol.ts';
import { createJudgeServer } from '#src/judge/server.ts';
import { Supervisor } from '#src/judge/supervisor.ts';
import { expectTrueVerdicts } from './controls.ts';

const made: Supervisor[] = [];
function supervisor(children = 2): Supervisor {
  const one = new Supervisor({ children: { web: children } });
  made.push(one);
  return one;
}
afterEach(async () => {
  await Promise.all(made.splice(0).map((one) => one.stop()));
});

const program = (code: string, owner?: string): Submission => ({
  language: 'javascript',
  code,
  tests: [],
  ...(owner ? { owner } : {}),
});
/** Busy for a while, then done. */
const BUSY = 'const from = Date.now(); while (Date.now() - from < 400) {} console.log("done");';

const refusal = (error: unknown) => {
  expect(error).toBeInstanceOf(JudgeUnavailable);
  return (error as JudgeUnavailable).reason;
};

describe('a process that dies during a run', () => {
  test('costs the learner nothing: the run is tried once more', async () => {
    const judge = supervisor(1);
    await judge.judge(program('1'));
    const running = judge.judge(program(BUSY));
    const [pid] = judge.processIds('web');
    setTimeout(() => process.kill(pid!, 'SIGKILL'), 150);
    expect(await running).toMatchObject({ kind: 'pass', output: 'done\n' });
    const { counters, ok } = await judge.health();
    expect(counters).toMatchObject({ deaths: 1, retries: 1, unavailable: 0 });
    expect(ok).toBe(true);
    await expectTrueVerdicts(judge, 'javascript');
  });

  test('twice gives no verdict, and later runs get theirs', async () => {
    const judge = supervisor(1);
    await judge.judge(program('1'));
    const running = judge.judge(program('for (;;) {}'), { testMs: 8_000, totalMs: 8_000 });
    const failed = running.catch(refusal);
    for (let kills = 0; kills < 2; kills += 1) {
      const [pid] = await vi.waitFor(() => {
        const busy = judge.processIds('web', 'busy');
        expect(busy).toHaveLength(1);
        return busy;
      }, 5_000);
      process.kill(pid!, 'SIGKILL');
      await vi.waitFor(() => expect(judge.processIds('web')).not.toContain(pid));
    }
    expect(await failed).toBe('failed');
    await expectTrueVerdicts(judge, 'javascript');
  });
});

test('processes that do not start give a refusal, and the judge recovers', async () => {
  const judge = supervisor(1);
  const path = process.execPath;
  // What every child is started with; the pool is built before.
  await judge.judge(program('1'));
  for (const pid of judge.processIds('web')) process.kill(pid, 'SIGKILL');
  process.execPath = '/bin/false';
  try {
    await vi.waitFor(() => expect(judge.processIds('web')).toEqual([]));
    expect(await judge.judge(program('1')).catch(refusal)).toBe('failed');
    expect((await judge.health()).ok).toBe(false);
    expect(await judge.judge(program('1')).catch((error) => error.retryAfterSeconds)).toBeGreaterThan(0);
  } finally {
    process.execPath = path;
  }
  await vi.waitFor(async () => expect((await judge.judge(program('1'))).kind).toBe('pass'), 60_000);
  expect((await judge.health()).ok).toBe(true);
});

describe('fairness', () => {
  test('one of an owner runs, two wait, and more are refused', async () => {
    const judge = supervisor(2);
    const results = await Promise.all(
      Array.from({ length: 200 }, () => judge.judge(program(BUSY, 'one')).then(({ kind }) => kind, refusal)),
    );
    expect(results.filter((result) => result === 'pass')).toHaveLength(3);
    expect(results.filter((result) => result === 'own_runs')).toHaveLength(197);
    expect((await judge.judge(program('1', 'one'))).kind).toBe('pass');
  });

  test('an owner whose programs never end holds up nobody else', async () => {
    const judge = supervisor(2);
    await judge.judge(program('1'));
    const bombs = [1, 2, 3].map(() => judge.judge(program('for (;;) {}', 'slow'), { testMs: 700 }));
    const order: string[] = [];
    void Promise.all(bombs).then(() => order.push('bombs'));
    const others = Array.from({ length: 20 }, (_, n) => judge.judge(program('1', `user ${n}`)));
    await Promise.all(others).then(() => order.push('others'));
    await Promise.all(bombs);
    expect(order[0]).toBe('others');
  });

  test('two hundred of fifty owners at once get a verdict or a refusal, and none is lost', async () => {
    const judge = supervisor(2);
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        judge.judge(program(`console.log(${n})`, `user ${n % 50}`)).then((verdict: Verdict) => {
          expect(verdict.output).toBe(`${n}\n`);
          return 'verdict';
        }, refusal),
      ),
    );
    expect(results.filter((result) => result === 'verdict')).toHaveLength(150);
    expect(results.filter((result) => result === 'own_runs')).toHaveLength(50);
  });

  describe('towards visitors', () => {
    const visitors = (code: string, owner: string): Submission => ({
      ...program(code, owner),
      isVisitor: true,
    });
    const ENDLESS = 'for (;;) {}';

    test('one of their programs runs at a time, and a learner has the other process', async () => {
      const judge = supervisor(2);
      await judge.judge(program('1'));
      await vi.waitFor(async () => expect((await judge.health()).pools.web).toMatchObject({ idle: 2 }));
      const ended = ['a', 'b', 'c'].map((owner) => judge.judge(visitors(ENDLESS, owner), { testMs: 500 }));
      await vi.waitFor(async () => {
        expect((await judge.health()).pools.web).toMatchObject({ busy: 1, idle: 1, queued: 2 });
      });
      const order: string[] = [];
      void Promise.race(ended).then(() => order.push('visitor'));
      await judge.judge(program('1', 'learner')).then(() => order.push('learner'));
      expect(order).toEqual(['learner']);
      expect((await Promise.all(ended)).map(({ kind }) => kind)).toEqual(Array(3).fill('time_limit'));
    });

    test('a learner who comes later starts before visitors who wait', async () => {
      const judge = supervisor(1);
      const order: string[] = [];
      const noting = (who: string, submission: Submission) =>
        judge.judge(submission).then(() => order.push(who));
      await Promise.all([
        noting('first visitor', visitors('1', 'a')),
        noting('second visitor', visitors('1', 'b')),
        noting('learner', program('1', 'learner')),
      ]);
      expect(order).toEqual(['learner', 'first visitor', 'second visitor']);
    });

    test('few of them wait, so that more are refused while learners are not, and one address has three places', async () => {
      const judge = supervisor(1);
      const kindOf = (submission: Submission) => judge.judge(submission).then(({ kind }) => kind, refusal);
      const results = await Promise.all(
        ['a', 'a', 'a', 'a', 'b', 'c', 'd', 'e'].map((owner) => kindOf(visitors('1', owner))),
      );
      expect(results).toEqual(['pass', 'pass', 'pass', 'own_runs', 'pass', 'pass', 'pass', 'busy']);
      const crowd = [...'abcdefgh'].map((owner) => kindOf(visitors('1', owner)));
      expect(await kindOf(program('1', 'learner'))).toBe('pass');
      expect((await Promise.all(crowd)).at(-1)).toBe('busy');
    });

    test('where there is one process, their programs have less time in all', async () => {
      const judge = supervisor(1);
      const { error } = await judge.judge(visitors(ENDLESS, 'a'), { testMs: 8_000, totalMs: 8_000 });
      expect(error?.message).toContain('1 second');
    });
  });

  test('beyond the whole queue, everyone is refused', async () => {
    const judge = supervisor(1);
    const results = await Promise.all(
      Array.from({ length: 300 }, () => judge.judge(program('1')).then(({ kind }) => kind, refusal)),
    );
    expect(results.filter((result) => result === 'busy').length).toBeGreaterThanOrEqual(90);
    expect(results.filter((result) => result === 'pass').length).toBeGreaterThanOrEqual(200);
  });
});

test('what is not a submission is refused by name and starts nothing', async () => {
  const judge = supervisor(1);
  const bad = [
    { ...program('1'), language: 'ruby' as never },
    program('x'.repeat(300_000)),
    { ...program('1'), tests: Array.from({ length: 101 }, () => ({ input: '1', expectedOutput: '1' })) },
  ];
  for (const submission of bad) {
    await expect(judge.judge(submission)).rejects.toBeInstanceOf(InvalidSubmission);
  }
  expect(judge.processIds('web')).toEqual([]);
});

test('children see two variables, none of the site’s, and end with the process that made them', async () => {
  const parent = spawn(process.execPath, ['tests/judge/parent.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: 'postgres://secret' },
  });
  const [line] = (await once(parent.stdout!, 'data')) as [Buffer];
  const pids = JSON.parse(line.toString()) as number[];
  expect(pids).toHaveLength(2);
  for (const pid of pids) {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
    expect(variables.map((variable) => variable.split('=')[0]).sort()).toEqual(['LIBC', 'TZ']);
  }
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]), 5_000);
});

test('stopping ends the processes and refuses what runs and waits', async () => {
  const judge = supervisor(1);
  await judge.judge(program('1'));
  const results = [1, 2].map(() => judge.judge(program('for (;;) {}')).catch(refusal));
  const pids = judge.processIds('web');
  await judge.stop();
  expect(await Promise.all(results)).toEqual(['failed', 'failed']);
  expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  expect(await judge.judge(program('1')).catch(refusal)).toBe('failed');
});

describe('over HTTP', () => {
  const supervisors: Supervisor[] = [];
  async function serve(): Promise<{ url: string; close: () => void }> {
    const judge = new Supervisor({ children: { web: 1 } });
    supervisors.push(judge);
    const server = createJudgeServer(judge, () => {});
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      url,
      close: () => {
        server.close();
        server.closeAllConnections();
      },
    };
  }
  afterEach(() => stopJudge());
  afterAll(() => Promise.all(supervisors.map((judge) => judge.stop())));

  test('gives the same verdicts', async () => {
    const server = await serve();
    startJudge({ urls: [server.url] });
    const submission = { ...program('const a = 1;'), tests: [{ input: 'a', expectedOutput: '1' }] };
    expect((await judgeAnywhere(submission)).kind).toBe('pass');
    expect((await judgeAnywhere({ ...submission, isVisitor: true })).kind).toBe('pass');
    expect((await judgeAnywhere({ ...submission, code: 'const a = 2;' })).kind).toBe('wrong_answer');
    await expect(judgeAnywhere({ ...submission, language: 'ruby' as never })).rejects.toBeInstanceOf(
      InvalidSubmission,
    );
    expect(await judgeHealth()).toMatchObject({ ok: true, mode: 'remote' });
    server.close();
    expect(await judgeAnywhere(submission).catch(refusal)).toBe('failed');
    expect(await judgeHealth()).toMatchObject({ ok: false });
  });

  test('gives a program the limits that are asked for, and no more than is allowed', async () => {
    const server = await serve();
    startJudge({ urls: [server.url] });
    const heavy = program('let s = 0; for (let i = 0; i < 200e6; i++) s += i % 7;');
    expect((await judgeAnywhere(heavy, { limits: { testMs: 500 } })).error?.message).toContain('0.5 seconds');
    expect((await judgeAnywhere(heavy, { limits: { testMs: 8_000 } })).kind).toBe('pass');
    // With all the time that there is, since a slow machine may need more than a second to fill the memory.
    const testMs = 10_000;
    const large = program('const a = new Array(12e6).fill(1.5);');
    expect((await judgeAnywhere(large, { limits: { testMs } })).kind).toBe('memory_limit');
    expect((await judgeAnywhere(large, { limits: { testMs, memoryMb: 192 } })).kind).toBe('pass');
    const most = await judgeAnywhere(program('const a = new Array(40e6).fill(1.5);'), {
      limits: { testMs, memoryMb: 100_000 },
    });
    expect(most.error?.message).toContain('192 MB');
    server.close();
  });

  test('asks the next judge where one does not answer', async () => {
    const [dead, live] = [await serve(), await serve()];
    dead.close();
    startJudge({ urls: [dead.url, live.url] });
    for (let n = 0; n < 3; n += 1) expect((await judgeAnywhere(program('1'))).kind).toBe('pass');
    live.close();
  });

  test('tells when it is full', async () => {
    const server = await serve();
    startJudge({ urls: [server.url] });
    const results = await Promise.all(
      Array.from({ length: 5 }, () => judgeAnywhere(program(BUSY, 'one')).then(({ kind }) => kind, refusal)),
    );
    expect(results.sort()).toEqual(['own_runs', 'own_runs', 'pass', 'pass', 'pass']);
    const answer = await fetch(`${server.url}/judge`, { method: 'POST', body: 'no json' });
    expect(answer.status).toBe(400);
    expect((await fetch(`${server.url}/judge`)).status).toBe(405);
    expect((await fetch(`${server.url}/elsewhere`)).status).toBe(404);
    const large = await fetch(`${server.url}/judge`, { method: 'POST', body: 'x'.repeat(9_000_000) }).then(
      ({ status }) => status,
      () => 'cut',
    );
    expect([413, 'cut']).toContain(large);
    server.close();
  });
});
