import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/** The engine without a browser's own windows, which take as much of the machine as the pages do. */
const SHELL = 'chromium-headless-shell';
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

function onPath(names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
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
 * The path of a Chromium: `CHROMIUM_PATH`, the headless shell, which is installed from Debian's packages where we may,
 * any other on the system, Playwright's own, else that one installed now.
 */
export function findBrowser(): string {
  const given = process.env.CHROMIUM_PATH ?? onPath([SHELL]);
  if (given) return given;
  if (process.getuid?.() === 0 && isDebian()) {
    run('apt-get', ['update', '-qq']);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', SHELL]);
  }
  const present = onPath([SHELL, ...SYSTEM_NAMES]) ?? ownBrowser();
  if (present) return present;
  run('npx', ['playwright', 'install', 'chromium']);
  const installed = ownBrowser();
  if (!installed) throw new Error('No Chromium was found or could be installed: set CHROMIUM_PATH to one.');
  return installed;
}

function ownBrowser(): string | undefined {
  const path = chromium.executablePath();
  return path && existsSync(path) ? path : undefined;
}
