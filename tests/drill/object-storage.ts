import { type ChildProcess, execFileSync, execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, DeleteObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import postgres from 'postgres';
import { hashPassword } from '#db/passwords.ts';
import { freePort, type RunningSite } from '../support/site.ts';
import { ADMIN, ask, type Drill, ended, must, STUDENT, signIn, until } from './drill.ts';

const KEYS = { accessKeyId: 'academy:site', secretAccessKey: 'drill-secret' };
const SERVERS = ['account', 'container', 'object'] as const;
const STRANGER = { email: 'stranger@example.com', password: 'learn-drill' };

/** OpenStack Swift, which speaks S3: one node with one copy of everything, on this machine alone. */
interface Swift {
  endpoint: string;
  start(): Promise<void>;
  /** Sends all its processes a signal; SIGSTOP leaves a server that takes connections and never answers. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
}

async function prepareSwift(folder: string): Promise<Swift> {
  await mkdir(join(folder, 'devices/one'), { recursive: true });
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  const general = (port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
`;
  await write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = drill\n');
  const ports = new Map<string, number>();
  for (const server of SERVERS) {
    const port = await freePort();
    ports.set(server, port);
    await write(
      `${server}.conf`,
      `${general(port)}[pipeline:main]
pipeline = ${server}-server
[app:${server}-server]
use = egg:swift#${server}
`,
    );
    const ring = (...args: string[]) =>
      execFileSync('swift-ring-builder', [join(folder, `${server}.builder`), ...args], { stdio: 'ignore' });
    ring('create', '4', '1', '1');
    ring('add', `r1z1-127.0.0.1:${port}/one`, '1');
    ring('rebalance');
  }
  const port = await freePort();
  ports.set('proxy', port);
  const endpoint = `http://127.0.0.1:${port}`;
  await write(
    'proxy.conf',
    `${general(port)}[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
error_suppression_limit = 1000
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${await freePort()}
[filter:s3api]
use = egg:swift#s3api
allow_multipart_uploads = false
[filter:tempauth]
use = egg:swift#tempauth
user_${KEYS.accessKeyId.replace(':', '_')} = ${KEYS.secretAccessKey} .admin
`,
  );
  let running: ChildProcess[] = [];
  return {
    endpoint,
    async start() {
      running = [...ports.keys()].map((server) =>
        spawn(`swift-${server}-server`, [join(folder, `${server}.conf`)], { stdio: 'ignore' }),
      );
      for (const [server, at] of ports) {
        const answers = async () => (await fetch(`http://127.0.0.1:${at}/healthcheck`)).status > 0;
        await until(`the start of Swift’s ${server} server`, 30, answers);
      }
    },
    signal(name) {
      for (const child of running) child.kill(name);
    },
  };
}

/** The cookies of somebody signed in: files are asked for by browsers. */
async function cookieOf(site: RunningSite, who: typeof STUDENT): Promise<string> {
  const answer = await fetch(`${site.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(who),
  });
  must(answer.status === 200, `the sign-in of ${who.email} was answered ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

async function upload(site: RunningSite, token: string, path: string, name: string, bytes: Uint8Array) {
  const form = new FormData();
  form.set('file', new File([bytes as BlobPart], name));
  const answer = await fetch(site.url + path, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

async function get(site: RunningSite, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await fetch(site.url + path, { method, headers, signal: AbortSignal.timeout(30_000) });
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

/** Runs `npm run backup` or `npm run restore`; gives what it said and how it ended. */
function archive(env: Record<string, string>, ...args: string[]): Promise<{ code: number; said: string }> {
  return promisify(execFile)(process.execPath, ['scripts/backup.ts', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, NODE_ENV: 'production', ...env },
  }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  );
}

type Files = { video: { path: string; bytes: Buffer }; picture: { path: string; bytes: Buffer } };

/** Uploads a video and a thumbnail, and puts the video into a lesson that only the student has bought. */
async function uploadFiles(site: RunningSite, admin: postgres.Sql): Promise<Files> {
  const token = await signIn(site.url, ADMIN);
  const bytes = Buffer.concat([
    Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1'),
    randomBytes(6_000_000),
  ]);
  const video = await upload(site, token, '/api/admin/files', 'lesson.mp4', bytes);
  must(video.status === 201, `the video: ${video.status} ${JSON.stringify(video.body)}`);
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(50_000)]);
  const picture = await upload(site, token, '/api/admin/thumbnails', 'cover.jpg', jpeg);
  must(picture.status === 201, `the thumbnail: ${picture.status} ${JSON.stringify(picture.body)}`);
  const changed = await admin`update lessons set file_url = ${video.body.fileUrl!} where id = (
    select l.id from lessons l join enrollments e on e.course_id = l.course_id
    join users u on u.id = e.user_id where u.email = ${STUDENT.email} and not l.is_preview limit 1) returning id`;
  must(changed.length === 1, 'the student owns no lesson');
  await admin`insert into users (username, email, password_hash, role)
    values ('stranger', ${STRANGER.email}, ${await hashPassword(STRANGER.password)}, 'student')`;
  return {
    video: { path: video.body.fileUrl!, bytes },
    picture: { path: picture.body.thumbnail!, bytes: jpeg },
  };
}

/** Reads the files as everybody may, and sees that nobody else can. */
async function readFiles(site: RunningSite, { video, picture }: Files): Promise<void> {
  const cookie = await cookieOf(site, STUDENT);
  const whole = await get(site, video.path, { cookie });
  must(whole.status === 200 && whole.bytes.equals(video.bytes), `the learner’s video: ${whole.status}`);
  for (const [range, start, end] of [
    ['bytes=0-1', 0, 2],
    ['bytes=3000000-3999999', 3_000_000, 4_000_000],
    ['bytes=-500', -500, undefined],
  ] as const) {
    const part = await get(site, video.path, { cookie, range });
    must(
      part.status === 206 && part.bytes.equals(video.bytes.subarray(start, end)),
      `${range} was answered ${part.status}`,
    );
  }
  const beyond = await get(site, video.path, { cookie, range: `bytes=${video.bytes.length}-` });
  must(beyond.status === 416, `a range beyond the end was answered ${beyond.status}`);
  const head = await get(site, video.path, { cookie }, 'HEAD');
  must(
    head.status === 200 && head.headers.get('content-length') === String(video.bytes.length),
    `HEAD was answered ${head.status}`,
  );
  const stranger = await cookieOf(site, STRANGER);
  for (const headers of [{ cookie: stranger }, { cookie: stranger, range: 'bytes=0-9' }, {}] as Record<
    string,
    string
  >[]) {
    const refused = await get(site, video.path, headers);
    must(refused.status === 404, `a stranger’s request for the video was answered ${refused.status}`);
  }
  const shown = await get(site, picture.path);
  must(shown.status === 200 && shown.bytes.equals(picture.bytes), `the thumbnail: ${shown.status}`);
}

/** What the site is like while the object store is out of reach: pages as ever, pictures 404, other files 503. */
async function lookWithoutStore(site: RunningSite, { video, picture }: Files): Promise<void> {
  const cookie = await cookieOf(site, STUDENT);
  const shown = await get(site, picture.path);
  must(shown.status === 404, `a picture was answered ${shown.status} without the store`);
  const played = await get(site, video.path, { cookie });
  must(
    played.status === 503 && played.headers.get('retry-after') === '5',
    `a video was answered ${played.status} without the store`,
  );
  const refused = await upload(
    site,
    await signIn(site.url, ADMIN),
    '/api/admin/files',
    'n.txt',
    randomBytes(9).fill(65),
  );
  must(
    refused.status === 503 && refused.body.message!.startsWith('Files cannot be reached'),
    `an upload was answered ${refused.status}`,
  );
  must((await ask(site.url, '/courses')).status === 200, 'the catalogue does not show without the store');
  const ready = await ask(site.url, '/readyz');
  const { files } = ready.body.checks as Record<string, string>;
  must(ready.status === 200 && files!.startsWith('degraded'), `/readyz: ${ready.status}, files ${files}`);
}

/** A site whose uploads and course files lie in Swift. */
export const objectStorage: Drill = {
  name: 'object-storage',
  faults: 'F9, U1',
  does: 'files lie in OpenStack Swift by its S3 interface: uploads, ranges and access; wrong settings; Swift stops answering and is gone; a file is lost there; backup and restore into another bucket',
  needs: () =>
    ['swift-proxy-server', 'swift-account-server', 'swift-container-server', 'swift-object-server'].some(
      (program) => spawnSync(program, ['--help']).error,
    )
      ? 'needs Swift (apt-get install swift-proxy swift-account swift-container swift-object)'
      : null,
  async run(stage) {
    const swift = await prepareSwift(join(stage.folder, 'swift'));
    const admin = postgres(stage.databaseUrl, { max: 1, onnotice: () => {} });
    const client = new S3Client({
      region: 'us-east-1',
      endpoint: swift.endpoint,
      forcePathStyle: true,
      credentials: KEYS,
    });
    try {
      await swift.start();
      for (const Bucket of ['academy', 'restored']) await client.send(new CreateBucketCommand({ Bucket }));
      const settings = {
        S3_BUCKET: 'academy',
        S3_ENDPOINT: swift.endpoint,
        S3_REGION: 'us-east-1',
        S3_ACCESS_KEY_ID: KEYS.accessKeyId,
        S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
      };
      for (const [name, value] of [
        ['S3_SECRET_ACCESS_KEY', 'other'],
        ['S3_ACCESS_KEY_ID', 'academy:nobody'],
        ['S3_BUCKET', 'nothing'],
        ['S3_REGION', 'eu-central-1'],
      ] as const) {
        const said = await stage.site(`wrong-${name}`, { ...settings, [name]: value }).then(
          (site) => `it started at ${site.url}`,
          (error: Error) => error.message,
        );
        must(
          new RegExp(`Configuration: [^:]*\\b${name}\\b.*: the object store`).test(said),
          `with a wrong ${name}: ${said}`,
        );
      }

      const site = await stage.site('a', settings);
      const files = await uploadFiles(site, admin);
      await readFiles(site, files);

      swift.signal('SIGSTOP');
      await lookWithoutStore(site, files);
      swift.signal('SIGCONT');
      const woken = await until('files after Swift answers again', 20, async () => {
        await readFiles(site, files);
        return true;
      });
      swift.signal('SIGKILL');
      await lookWithoutStore(site, files);
      const second = await stage.site('b', settings);
      await lookWithoutStore(second, files);
      await swift.start();
      const back = await until('files after Swift is back', 20, async () => {
        await readFiles(second, files);
        return true;
      });
      for (const one of [site, second]) {
        one.process.kill('SIGTERM');
        await ended(one);
      }

      const out = join(stage.folder, 'backup.tar.gz');
      const env = { DATABASE_URL: stage.databaseUrl, DATA_DIR: join(stage.folder, 'tools'), ...settings };
      const written = await archive(env, 'write', out);
      must(written.code === 0, `the backup: ${written.said}`);
      const restored = await archive({ ...env, S3_BUCKET: 'restored' }, 'restore', out, '--replace');
      must(restored.code === 0, `the restore: ${restored.said}`);
      const again = await stage.site('c', { ...settings, S3_BUCKET: 'restored' });
      await readFiles(again, files);

      const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: 'restored' }));
      const lost = Contents!.find(({ Size }) => Size === files.picture.bytes.length)!;
      await client.send(new DeleteObjectCommand({ Bucket: 'restored', Key: lost.Key! }));
      const missing = await get(again, files.picture.path);
      must(missing.status === 404, `a picture that Swift lost was answered ${missing.status}`);
      const refused = await archive(
        { ...env, S3_BUCKET: 'restored' },
        'write',
        join(stage.folder, 'second.tar.gz'),
      );
      must(
        refused.code === 1 && /is missing or incomplete: nothing was written\.\n$/.test(refused.said),
        `a backup without a file: ${refused.code} ${refused.said}`,
      );
      return `four wrong settings named at the start; files read again ${woken.toFixed(1)} s after Swift answered again and ${back.toFixed(1)} s after it was back; ${/with .* files/.exec(restored.said)?.[0]} restored into another bucket; a lost file is named by the backup`;
    } finally {
      await admin.end();
      client.destroy();
      swift.signal('SIGCONT');
      swift.signal('SIGKILL');
    }
  },
};
