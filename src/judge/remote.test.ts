import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Submission, Verdict } from './protocol.ts';
import { RemoteJudges } from './remote.ts';

const VERDICT: Verdict = {
  kind: 'pass',
  output: '',
  outputTruncated: false,
  error: null,
  hint: null,
  tests: [],
  durationMs: 1,
};
const program = (code: string): Submission => ({ language: 'javascript', code, tests: [] });

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** A judge that breaks on the program `poison`, is busy for `busy`, has enough of one owner's for `own`, and judges others. */
async function startJudge(): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { submission } = JSON.parse(Buffer.concat(chunks).toString()) as { submission: Submission };
    seen.push(submission.code);
    if (submission.code === 'poison') request.socket.destroy();
    else if (submission.code === 'busy') {
      response.writeHead(503).end(JSON.stringify({ reason: 'busy', message: 'Full.' }));
    } else if (submission.code === 'own') {
      response.writeHead(429).end(JSON.stringify({ reason: 'own_runs', message: 'Wait.' }));
    } else {
      await new Promise((done) => setTimeout(done, 20));
      response.end(JSON.stringify(VERDICT));
    }
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

describe('judges that run on their own', () => {
  it('a program that breaks its judge breaks one more at most, and takes none from the others', async () => {
    const all = await Promise.all([startJudge(), startJudge(), startJudge()]);
    const judges = new RemoteJudges(all.map(({ url }) => url));
    await expect(judges.judge(program('poison'))).rejects.toThrow('No judge answers');
    expect(all.flatMap(({ seen }) => seen)).toEqual(['poison', 'poison']);
    await Promise.all(['a', 'b', 'c'].map((code) => judges.judge(program(code))));
    expect(all.map(({ seen }) => seen.filter((code) => code !== 'poison').length)).toEqual([1, 1, 1]);
  });

  it('one that cannot be reached is passed over, also by the next program', async () => {
    const [gone, second, third] = await Promise.all([startJudge(), startJudge(), startJudge()]);
    const judges = new RemoteJudges([gone.url, second.url, third.url]);
    await new Promise((done) => servers[0]!.close(done));
    await Promise.all(['a', 'b', 'c', 'd'].map((code) => judges.judge(program(code))));
    expect([...second.seen, ...third.seen].sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([200, 404])('a hint is asked for at a path of its own, and may be none (%i)', async (status) => {
    const server = createServer((request, response) => {
      request.resume();
      response.statusCode = request.url === '/hint' ? status : 500;
      response.end(status === 200 ? 'null' : '{}');
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await new RemoteJudges([url]).proveHint(program('a'))).toBeNull();
  });

  it('a busy one sends on to all others before the learner hears of it', async () => {
    const all = await Promise.all([startJudge(), startJudge(), startJudge()]);
    const judges = new RemoteJudges(all.map(({ url }) => url));
    await expect(judges.judge(program('busy'))).rejects.toMatchObject({ reason: 'busy' });
    expect(all.map(({ seen }) => seen)).toEqual([['busy'], ['busy'], ['busy']]);
  });

  it('one that has enough of an owner’s runs is the only one asked', async () => {
    const all = await Promise.all([startJudge(), startJudge()]);
    const judges = new RemoteJudges(all.map(({ url }) => url));
    await expect(judges.judge(program('own'))).rejects.toMatchObject({ reason: 'own_runs' });
    expect(all.flatMap(({ seen }) => seen)).toEqual(['own']);
  });

  it('one that hangs is given up 5 s after the program’s own time, and another is asked; one that only takes long is not', async () => {
    const sound = await startJudge();
    const hanging = createServer(() => {});
    // Its queue is long: it says that it lives, and answers after the program's time and 5 s.
    const slow = createServer((request, response) => {
      if (request.url === '/health') response.end('{}');
      else setTimeout(() => response.end(JSON.stringify({ ...VERDICT, output: 'late' })), 6_500);
    });
    servers.push(hanging, slow);
    const urlOf = async (server: Server) => {
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    const judges = new RemoteJudges([await urlOf(hanging), sound.url]);
    const patient = new RemoteJudges([await urlOf(slow), sound.url]);
    const began = performance.now();
    const [, late] = await Promise.all([
      judges.judge(program('first'), { totalMs: 300 }).then(async () => {
        const ms = performance.now() - began;
        expect(ms).toBeGreaterThan(5_000);
        expect(ms).toBeLessThan(6_300);
        // The next ones are not sent to it.
        await Promise.all(['second', 'third'].map((code) => judges.judge(program(code))));
        expect(performance.now() - began - ms).toBeLessThan(1_000);
      }),
      patient.judge(program('waits'), { totalMs: 300 }),
    ]);
    expect(late.output).toBe('late');
    expect(sound.seen.sort()).toEqual(['first', 'second', 'third']);
    await Promise.all([judges.stop(), patient.stop()]);
  });
});
