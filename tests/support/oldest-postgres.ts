import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, temporaryFolder } from './site.ts';

/** Where Debian's packages put the oldest PostgreSQL that the site works with. */
const PROGRAMS = '/usr/lib/postgresql/15/bin';

/** Whether this machine has it. */
export const hasOldestPostgres = existsSync(join(PROGRAMS, 'initdb'));

/** Starts an empty server of it. */
export async function startOldestPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await temporaryFolder('academy-oldest-');
  // PostgreSQL does not run as root.
  const account = process.getuid?.() === 0 ? idsOf('postgres') : null;
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(PROGRAMS, program), ['-D', data, ...args], {
      cwd: folder,
      stdio: 'ignore',
      ...account,
    });
  run('initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C');
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c full_page_writes=off`;
  run('pg_ctl', '-l', join(folder, 'log'), '-o', settings, '-w', 'start');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      run('pg_ctl', '-m', 'immediate', 'stop');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function idsOf(name: string): { uid: number; gid: number } {
  const ask = (what: string) => Number(spawnSync('id', [what, name], { encoding: 'utf8' }).stdout);
  return { uid: ask('-u'), gid: ask('-g') };
}
