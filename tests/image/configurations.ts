import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { nginxConfiguration, nginxVersion } from '../support/nginx.ts';
import { temporaryFolder } from '../support/site.ts';
import { PROJECT } from './image.ts';

/** Ten times what `systemd-analyze security` may find a service exposed by. */
const MOST_EXPOSED = 50;
const UNITS = ['academy.service', 'academy@.service', 'academy-judge.service'];

function said(program: string, parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, parameters, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${program} ${parameters.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return `${stdout}${stderr}`.trim();
}

const isMissing = (program: string, parameter: string) => spawnSync(program, [parameter]).error !== undefined;

function checkUnits(): void {
  if (isMissing('systemd-analyze', '--version')) {
    console.log('- units: skipped, systemd-analyze is not installed (apt-get install systemd)');
    return;
  }
  for (const unit of UNITS) {
    const path = join(PROJECT, 'deploy', unit);
    const found = said('systemd-analyze', ['verify', path]);
    if (found) throw new Error(`systemd-analyze verify ${unit}: ${found}`);
    const exposure = said('systemd-analyze', [
      'security',
      '--offline=yes',
      `--threshold=${MOST_EXPOSED}`,
      path,
    ]);
    console.log(`✓ ${unit}: ${exposure.split('\n').at(-1)!.replace(/^→ /, '')}`);
  }
}

async function checkNginx(): Promise<void> {
  if (isMissing('nginx', '-v')) {
    console.log('- nginx: skipped, nginx is not installed (apt-get install nginx)');
    return;
  }
  const folder = await temporaryFolder('academy-nginx-');
  mkdirSync(join(folder, 'tls'));
  const files = ['-keyout', join(folder, 'tls/privkey.pem'), '-out', join(folder, 'tls/fullchain.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=a',
      ...files,
    ],
    { stdio: 'ignore' },
  );
  try {
    for (const name of ['nginx.conf', 'nginx-tls.conf']) {
      const local = (text: string) => text.replace(/site-[ab]:4321/g, '127.0.0.1:4321');
      said('nginx', ['-t', '-c', nginxConfiguration(folder, name, local)]);
    }
    console.log(`✓ nginx: ${nginxVersion()} takes both configurations`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Asks systemd about the units and nginx about its files; throws where one of them does not like what it sees. */
export async function checkConfigurations(): Promise<void> {
  checkUnits();
  await checkNginx();
}
