import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN, ask, type Drill, ended, must, until } from './drill.ts';

const SIZE = 300_000_000;
const PART = 8 * 1_048_576;
const UPLOADS = '/api/admin/video-uploads';
const TUS = { 'tus-resumable': '1.0.0' };

/** A video that plays, made large by a box that players skip; its filler differs from place to place. */
function largeVideo(): Buffer {
  const video = readFileSync(
    join(import.meta.dirname, '../../db/seed/courses/sql-and-postgresql/files/joins.mp4'),
  );
  const all = Buffer.alloc(SIZE);
  video.copy(all);
  all.writeUInt32BE(SIZE - video.length, video.length);
  all.write('free', video.length + 4, 'latin1');
  for (let at = video.length + 8; at + 4 <= SIZE; at += 4)
    all.writeUInt32BE(Math.imul(at, 2654435761) >>> 0, at);
  return all;
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Sends half of a part and leaves the connection open, so that the server ends in the middle of it. */
async function sendHalf(url: string, path: string, token: string, offset: number, part: Buffer) {
  const sending = request(url + path, {
    method: 'PATCH',
    headers: {
      ...TUS,
      authorization: `Bearer ${token}`,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      'content-length': String(part.length),
    },
  });
  sending.on('error', () => {});
  sending.write(part.subarray(0, part.length >> 1));
  await sleep(500);
}

export const videoKilled: Drill = {
  name: 'video-killed',
  faults: 'F4, U1',
  does: 'a video of 300 MB is sent part by part; the server is killed within a part at a third and at 99 %, started again, and asked how far it is',
  async run(stage) {
    const video = largeVideo();
    let site = await stage.site('a');
    const login = await ask(site.url, '/api/auth/login', { body: ADMIN });
    must(login.status === 200, `the sign-in was answered ${login.status}`);
    const token = login.body.token!;
    const cookie = login.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const made = await ask(site.url, UPLOADS, {
      method: 'POST',
      token,
      headers: {
        ...TUS,
        'upload-length': String(SIZE),
        'upload-metadata': `filename ${btoa('joins.mp4')},courseId ${btoa('1')}`,
      },
    });
    must(made.status === 201, `the upload began with ${made.status} ${JSON.stringify(made.body)}`);
    const path = new URL(made.headers.get('location')!, `${site.url}${UPLOADS}/`).pathname;

    /** How far the server says that it is. */
    const offsetNow = async () => {
      const { status, headers } = await ask(site.url, path, { method: 'HEAD', token, headers: TUS });
      must(status === 200, `asked how far it is, it said ${status}`);
      return Number(headers.get('upload-offset'));
    };
    const kills = [Math.floor(SIZE / 3), Math.floor(SIZE * 0.99)];
    const kept: string[] = [];
    let offset = 0;
    while (offset < SIZE) {
      const part = video.subarray(offset, offset + PART);
      if (kills[0] !== undefined && offset + part.length > kills[0]) {
        kills.shift();
        await sendHalf(site.url, path, token, offset, part);
        site.process.kill('SIGKILL');
        await ended(site);
        site = await stage.site('a');
        const found = await offsetNow();
        must(
          found >= offset && found <= offset + part.length,
          `${offset} had been confirmed, it knows ${found}`,
        );
        kept.push(`killed at ${(offset / 1e6).toFixed(1)} MB, went on from ${(found / 1e6).toFixed(1)} MB`);
        offset = found;
        continue;
      }
      const answer = await fetch(site.url + path, {
        method: 'PATCH',
        headers: {
          ...TUS,
          authorization: `Bearer ${token}`,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(offset),
        },
        body: new Uint8Array(part),
      });
      must(
        answer.status === 204,
        `a part at ${offset} was answered ${answer.status}: ${await answer.text()}`,
      );
      offset = Number(answer.headers.get('upload-offset'));
    }

    const id = path.split('/').at(-1)!;
    let served = '';
    const checked = await until('an address for the video', 120, async () => {
      const { body } = await ask(site.url, `/api/admin/videos/${id}`, { token });
      served = typeof body.path === 'string' ? body.path : '';
      return served !== '';
    });
    const pieces: Buffer[] = [];
    for (let from = 0; from < SIZE; from += PART) {
      const answer = await fetch(site.url + served, {
        headers: { cookie, range: `bytes=${from}-${Math.min(from + PART, SIZE) - 1}` },
      });
      must(answer.status === 206, `bytes from ${from} were answered ${answer.status}`);
      must(
        answer.headers.get('content-range')?.endsWith(`/${SIZE}`) === true,
        `its length is said to be ${answer.headers.get('content-range')}`,
      );
      pieces.push(Buffer.from(await answer.arrayBuffer()));
    }
    const all = Buffer.concat(pieces);
    must(all.length === SIZE, `${all.length} bytes came back`);
    must(sha256(all) === sha256(video), 'other bytes came back than were sent');
    return `${kept.join('; ')}; an address ${checked.toFixed(1)} s after the last byte; ${pieces.length} ranges gave all ${SIZE} bytes with the same SHA-256`;
  },
};
