import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nginxConfiguration } from './support/nginx.ts';
import { freePort } from './support/site.ts';

const HSTS = 'max-age=31536000';

/** A machine without nginx has nothing to ask: the drills name what is missing there. */
describe.skipIf(spawnSync('nginx', ['-v']).error)('nginx with TLS, as it is shipped', () => {
  let folder: string;
  let nginx: ChildProcess;
  let site: Server;
  let port: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'academy-nginx-'));
    mkdirSync(join(folder, 'tls'));
    const files = ['-keyout', join(folder, 'tls/privkey.pem'), '-out', join(folder, 'tls/fullchain.pem')];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    execFileSync('openssl', [...made, '-subj', '/CN=academy.example.com', ...files], { stdio: 'ignore' });
    site = createServer((_, response) => {
      response.setHeader('Strict-Transport-Security', HSTS);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.end('the site');
    });
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    const { port: sitePort } = site.address() as AddressInfo;
    port = await freePort();
    const plain = await freePort();
    const configuration = nginxConfiguration(folder, 'nginx-tls.conf', (text) =>
      text
        .replaceAll(/site-[ab]:4321/g, `127.0.0.1:${sitePort}`)
        .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
        .replaceAll('listen 80', `listen 127.0.0.1:${plain}`),
    );
    nginx = spawn('nginx', ['-c', configuration], { stdio: 'ignore' });
    const isUp = () =>
      new Promise<boolean>((done) => {
        const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false));
        socket.on('connect', () => socket.destroy());
      });
    for (let attempt = 0; attempt < 100 && !(await isUp()); attempt += 1) await sleep(50);
  });

  afterAll(async () => {
    nginx.kill('SIGTERM');
    site.close();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string, host = 'academy.example.com') =>
    new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; raw: string[] }>(
      (done, fail) => {
        const asked = request(
          { host: '127.0.0.1', port, path, servername: host, headers: { host }, rejectUnauthorized: false },
          (answer) => {
            answer.resume();
            done({ status: answer.statusCode!, headers: answer.headers, raw: answer.rawHeaders });
          },
        );
        asked.on('error', fail).end();
      },
    );

  it.each([
    ['of its own', '/metrics', 404],
    ['of the site', '/', 200],
  ])('an answer %s has HSTS and nosniff once, and no version', async (_whose, path, status) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.server]).toEqual([status, 'nginx']);
    const values = (name: string) =>
      answer.raw.filter((_, index) => answer.raw[index - 1]?.toLowerCase() === name && index % 2 === 1);
    expect(values('strict-transport-security')).toEqual([HSTS]);
    expect(values('x-content-type-options')).toEqual(['nosniff']);
  });

  it.each(['/courses?search=a', '/api/courses?search=a'])(
    'the refusal of too many requests for %s has them too',
    async (path) => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => get(path)));
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.headers).toMatchObject({
        'strict-transport-security': HSTS,
        'x-content-type-options': 'nosniff',
        'retry-after': '2',
      });
    },
  );

  it('a name that is not the site’s gets 421', async () => {
    expect((await get('/', 'other.example.com')).status).toBe(421);
  });
});
