import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import S3rver from 's3rver';
import sharp from 'sharp';
import { SMTPServer } from 'smtp-server';
import postgres from 'postgres';
import { freePort } from '../support/site.ts';
import {
  ADMIN,
  ask,
  type Drill,
  ended,
  load,
  must,
  needsNginx,
  READS,
  signIn,
  STUDENT,
  told,
  until,
} from './drill.ts';

/** Pages that the build has written: no part is asked for them. */
const WRITTEN = ['/', '/about', '/services', '/contact'];
const SECONDS = 6;

/** A part of the site in a process or server of its own. */
interface Part {
  start(): Promise<void>;
  stop(): Promise<void>;
}

async function objectStore(folder: string, port: number): Promise<Part> {
  await mkdir(folder);
  let server: S3rver;
  return {
    async start() {
      const configureBuckets = [{ name: 'academy', configs: [] }];
      server = new S3rver({ address: '127.0.0.1', port, silent: true, directory: folder, configureBuckets });
      await server.run();
    },
    stop: () => server.close(),
  };
}

function mailServer(port: number): Part {
  let server: SMTPServer;
  return {
    async start() {
      server = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS', 'AUTH'],
        onData(stream, _session, done) {
          stream.on('end', done).resume();
        },
      });
      await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    },
    stop: () => new Promise((done) => server.close(() => done())),
  };
}

function judgeOf(port: number): Part {
  const start = () =>
    spawn(process.execPath, ['scripts/judge.ts'], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH, JUDGE_PORT: String(port), NODE_ENV: 'production' },
    });
  let judge: ReturnType<typeof start>;
  return {
    async start() {
      judge = start();
      const isUp = async () => (await fetch(`http://127.0.0.1:${port}/health`)).status > 0;
      await until('the start of the judge', 30, isUp);
    },
    async stop() {
      judge.kill('SIGKILL');
      await once(judge, 'exit');
    },
  };
}

async function upload(url: string, token: string, path: string, name: string, bytes: Buffer) {
  const form = new FormData();
  form.set('file', new File([bytes as unknown as BlobPart], name));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(url + path, { method: 'POST', body: form, headers });
  must(answer.status === 201, `the upload of ${name} was answered ${answer.status}`);
  return (await answer.json()) as Record<string, string>;
}

export const partsStopped: Drill = {
  name: 'parts-stopped',
  faults: 'F34',
  does: 'behind nginx as shipped, before two instances: object store, judge, mail server and database are stopped in turn and what needs each is asked for, then each instance restarts, all with visitors reading',
  needs: needsNginx,
  async run(stage) {
    const [s3, smtp, judging, portA, portB] = await Promise.all(Array.from({ length: 5 }, freePort));
    const parts = {
      'object store': await objectStore(join(stage.folder, 's3'), s3!),
      mail: mailServer(smtp!),
      judge: judgeOf(judging!),
    };
    for (const part of Object.values(parts)) await part.start();
    const settings = {
      S3_BUCKET: 'academy',
      S3_ENDPOINT: `http://127.0.0.1:${s3}`,
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      SMTP_URL: `smtp://127.0.0.1:${smtp}`,
      MAIL_FROM: 'Academy <hello@example.com>',
      JUDGE_URL: `http://127.0.0.1:${judging}`,
    };
    const instance = (name: string, port: number) => stage.site(name, { ...settings, PORT: String(port) });
    let sites = [await instance('a', portA!), await instance('b', portB!)];
    const url = await stage.proxy(sites);
    const boss = await signIn(url, ADMIN);
    const picture = await upload(
      url,
      boss,
      '/api/admin/thumbnails',
      'cover.jpg',
      await sharp({ create: { width: 640, height: 360, channels: 3, background: '#369' } })
        .jpeg()
        .toBuffer(),
    );
    const paper = await upload(url, boss, '/api/admin/files', 'paper.pdf', Buffer.from('%PDF-1.7\n'));
    const admin = postgres(stage.databaseUrl, { max: 1 });
    const [coding] = await admin`update lessons set is_preview = true
      where id = (select min(id) from lessons where type = 'interactive_coding' and coding_language = 'python') returning id`;
    await admin`update lessons set file_url = ${paper.fileUrl!} where id = (
      select min(id) from lessons where type = 'text')`;
    await admin.end();
    const cookie = (await ask(url, '/api/auth/login', { body: ADMIN })).headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const seen: string[] = [];

    /** Has visitors read while `meanwhile` goes on; nothing of it may fail. */
    const reading = async (what: string, paths: readonly string[], meanwhile: () => Promise<string>) => {
      const visitors = load(url, paths, 6);
      try {
        const found = await meanwhile();
        await sleep(SECONDS * 1_000);
        seen.push(`${what}: ${found}`);
      } finally {
        const statuses = await visitors.end();
        must(
          [...statuses.keys()].every((status) => status === '200'),
          `${what}: visitors saw ${told(statuses)}`,
        );
        seen.push(`visitors ${told(statuses)}`);
      }
    };
    const several = async (path: string, status: number, options: Parameters<typeof ask>[2] = {}) => {
      for (let turn = 0; turn < 3; turn += 1) {
        const answer = await ask(url, path, options);
        must(answer.status === status, `${path} was answered ${answer.status}, not ${status}`);
        must(status !== 503 || answer.headers.has('retry-after'), `${path} does not say when to ask again`);
      }
    };

    await several(picture.thumbnail!, 200);
    await several(paper.fileUrl!, 200, { headers: { cookie } });
    await parts['object store'].stop();
    await reading('without the object store', READS, async () => {
      await several(picture.thumbnail!, 404);
      await several(paper.fileUrl!, 503, { headers: { cookie } });
      return 'a picture 404, a document 503';
    });
    await parts['object store'].start();
    await several(picture.thumbnail!, 200);

    await parts.judge.stop();
    await reading('without the judge', READS, async () => {
      const body = { code: 'print(1)', language: 'python' };
      await several(`/api/lessons/${coding!.id}/code-preview`, 503, { body });
      return 'a program 503';
    });
    await parts.judge.start();

    await parts.mail.stop();
    await reading('without the mail server', READS, async () => {
      await several('/api/forgot-password', 200, { body: { email: STUDENT.email } });
      return 'a new password is asked for: 200';
    });
    await parts.mail.start();

    stage.door.set('shut');
    stage.door.cutAll();
    await reading('without the database', WRITTEN, async () => {
      await several('/api/courses?search=python', 503);
      return 'the catalogue 503';
    });
    stage.door.set('open');
    await until('the catalogue', 10, async () => (await ask(url, '/courses')).status === 200);

    for (const name of ['a', 'b'] as const) {
      await reading(`instance ${name} restarts`, READS, async () => {
        const at = name === 'a' ? 0 : 1;
        sites[at]!.process.kill('SIGTERM');
        await ended(sites[at]!);
        const again = await instance(name, at === 0 ? portA! : portB!);
        sites = sites.with(at, again);
        return `back after ${(again.readyAfter / 1000).toFixed(1)} s`;
      });
    }
    for (const part of Object.values(parts)) await part.stop();
    return seen.join('; ');
  },
};
