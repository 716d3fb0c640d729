import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');

/** What nginx says of itself, such as `nginx version: nginx/1.28.0`. */
export function nginxVersion(): string {
  return spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr.trim();
}

/**
 * Writes nginx's files as they are, at other places: the files of `/etc/nginx` into `folder`.
 *
 * @returns the path of a whole configuration around `name`
 */
export function nginxConfiguration(folder: string, name: string, change: (text: string) => string): string {
  mkdirSync(folder, { recursive: true });
  for (const [file, as] of [
    [name, name],
    ['nginx-upstream.conf', 'academy-upstream.conf'],
    ['nginx-locations.conf', 'academy-locations.conf'],
  ] as const) {
    const text = change(readFileSync(join(DEPLOY, file), 'utf8')).replaceAll('/etc/nginx/', `${folder}/`);
    writeFileSync(join(folder, as), text);
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
