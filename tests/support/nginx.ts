import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');

/** What nginx says of itself, such as `nginx version: nginx/1.28.0`. */
export function nginxVersion(): string {
  return spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr.trim();
}

/** `listen … http2` became a line of its own with 1.25.1. */
const knowsHttp2Line = () => {
  const [, major = 0, minor = 0, patch = 0] = /(\d+)\.(\d+)\.(\d+)/.exec(nginxVersion())!.map(Number);
  return major * 1e6 + minor * 1e3 + patch >= 1_025_001;
};

/**
 * Writes nginx's files as they are, at other places: the files of `/etc/nginx` into `folder`.
 *
 * @returns the path of a whole configuration around `name`
 */
export function nginxConfiguration(folder: string, name: string, change: (text: string) => string): string {
  mkdirSync(folder, { recursive: true });
  const http2 = knowsHttp2Line();
  for (const [file, as] of [
    [name, name],
    ['nginx-upstream.conf', 'academy-upstream.conf'],
    ['nginx-locations.conf', 'academy-locations.conf'],
  ] as const) {
    const text = change(readFileSync(join(DEPLOY, file), 'utf8')).replaceAll('/etc/nginx/', `${folder}/`);
    const older = text.replace('listen 443 ssl;', 'listen 443 ssl http2;').replace(/^ *http2 on;$/m, '');
    writeFileSync(join(folder, as), http2 ? text : older);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const whole = join(folder, 'whole.conf');
  writeFileSync(
    whole,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  include ${folder}/${name};
}
`,
  );
  return whole;
}
