import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Flags that keep a headless browser quiet on a closed network; root cannot use Chromium's own sandbox. */
export const BROWSER_FLAGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) =>
    existsSync(path),
  );
}

function isDebian(): boolean {
  return (
    existsSync('/etc/os-release') &&
    /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
  );
}

function run(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0;
}

/**
 * The path of a Chromium: `CHROMIUM_PATH`, one on the system, Playwright's own, else one that is installed now, from
 * Debian's packages where we may and by Playwright otherwise.
 */
export function findBrowser(): string {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const present = onPath() ?? ownBrowser();
  if (present) return present;
  if (process.getuid?.() === 0 && isDebian()) {
    run('apt-get', ['update', '-qq']);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium']);
  }
  if (!onPath()) run('npx', ['playwright', 'install', 'chromium']);
  const installed = onPath() ?? ownBrowser();
  if (!installed) throw new Error('No Chromium was found or could be installed: set CHROMIUM_PATH to one.');
  return installed;
}

function ownBrowser(): string | undefined {
  const path = chromium.executablePath();
  return path && existsSync(path) ? path : undefined;
}
