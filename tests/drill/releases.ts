import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningSite } from '../support/site.ts';
import { type Drill, ended, must, told } from './drill.ts';

const root = resolve(import.meta.dirname, '../..');
/** What is not the project's own, or is made from it. */
const LEFT_OUT =
  /^(node_modules|dist.*|\.git|\.data.*|\.env|\.astro|test-results|playwright-report|coverage)$/;

/** A copy of the project that can be changed and built; the packages' files are the same ones, not copies. */
async function copyProject(folder: string, buildDir: string): Promise<void> {
  await mkdir(folder, { mode: 0o711 });
  for (const name of await readdir(root)) {
    if (!LEFT_OUT.test(name)) await cp(join(root, name), join(folder, name), { recursive: true });
  }
  for (const name of ['node_modules', buildDir]) {
    execFileSync('cp', ['-al', join(root, name), join(folder, name)]);
  }
  // What tools keep for themselves must not be shared.
  execFileSync('rm', [
    '-rf',
    ...['.vite', '.astro', '.cache'].map((name) => join(folder, 'node_modules', name)),
  ]);
}

type Program = { child: ChildProcess; output: () => string; ended: Promise<number | null> };

function run(project: string, buildDir: string, args: string[]): Program {
  const child = spawn(process.execPath, args, {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', BUILD_DIR: buildDir },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return { child, output: () => output, ended: new Promise((done) => child.once('close', done)) };
}

const hashedFiles = (release: string) =>
  readdirSync(join(release, 'site/client/_astro'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map(({ parentPath, name }) => `/${relative(join(release, 'site/client'), join(parentPath, name))}`)
    .sort();

const PAGES = ['/', '/courses', '/courses/1', '/about', '/login', '/contact'];

/** Visitors who read pages with all that the pages name, while others come back to tabs that they opened before. */
function browse(at: () => string) {
  const statuses = new Map<string, number>();
  const missing = new Set<string>();
  /** The hashed files of pages that are open somewhere. */
  const tabs: string[] = [];
  let isOver = false;
  const get = async (path: string): Promise<string> => {
    const answer = await fetch(at() + path, { signal: AbortSignal.timeout(15_000) });
    const text = await answer.text();
    statuses.set(`${answer.status}`, (statuses.get(`${answer.status}`) ?? 0) + 1);
    if (answer.status !== 200) missing.add(`${answer.status} ${path}`);
    return text;
  };
  const lane = async (first: number, visit: (turn: number) => Promise<void>) => {
    for (let turn = first; !isOver; turn += 1) {
      await visit(turn).catch((error: Error) => missing.add(`${error.name}: ${error.message}`));
      await sleep(20);
    }
  };
  const read = async (turn: number) => {
    const page = await get(PAGES[turn % PAGES.length]!);
    for (const file of new Set(page.match(/\/_astro\/[\w.@/-]+/g))) await get(file);
  };
  const comeBack = async (turn: number) => {
    if (tabs.length > 0) await get(tabs[turn % tabs.length]!);
  };
  const lanes = [lane(0, read), lane(3, read), lane(0, comeBack), lane(50, comeBack)];
  return {
    tabs,
    statuses,
    missing,
    async end() {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}

/** Whether a site has each of these files. */
async function mustHave(site: RunningSite, files: readonly string[], what: string): Promise<void> {
  for (const file of files) {
    const { status } = await fetch(site.url + file);
    must(status === 200, `${what}: ${file} was answered ${status}`);
  }
}

export const releases: Drill = {
  name: 'releases',
  faults: 'F17',
  does: 'beside a running site with visitors and open tabs: an upgrade is built, a start in the same folder waits for it and comes up on another port, the old site ends, the new release is taken back',
  async run(stage) {
    const project = join(stage.folder, 'project');
    await copyProject(project, stage.buildDir);
    const begin = (args: string[]) => run(project, stage.buildDir, args);
    // Nothing is built where the drills' build is of the sources as they are.
    const first = begin(['scripts/build.ts', '--for-start']);
    must((await first.ended) === 0, `the first build: ${first.output()}`);
    const releaseOf = (site: RunningSite) => {
      const args = ['-o', 'args=', '-p', String(site.process.pid)];
      const [, name] = /([\d-]+-[0-9a-f]{4})\/src/.exec(execFileSync('ps', args, { encoding: 'utf8' }))!;
      return join(project, stage.buildDir, name!);
    };

    const old = await stage.site('shared', {}, project);
    const oldFiles = hashedFiles(releaseOf(old));
    let address = old.url;
    const visitors = browse(() => address);
    visitors.tabs.push(...oldFiles);
    await sleep(2_000);

    // The upgrade changes what every page loads.
    await appendFile(join(project, 'src/styles/app.css'), '\n:root {\n  --drill: 1px;\n}\n');
    const build = begin(['scripts/build.ts']);
    await sleep(3_000);
    const second = begin(['scripts/build.ts', '--for-start']);
    const codes = await Promise.all([build.ended, second.ended]);
    must(codes.join() === '0,0', `the builds ended with ${codes}: ${build.output()} ${second.output()}`);
    must(/^Waiting for process \d+/.test(second.output()), `the second build said: ${second.output()}`);
    must(!second.output().includes('Built the site'), 'the second build built the same again');

    const upgraded = await stage.site('shared', {}, project);
    const newFiles = hashedFiles(releaseOf(upgraded));
    const changed = newFiles.filter((file) => !oldFiles.includes(file));
    must(changed.length > 0, 'the upgrade changed no file');
    // Behind one address both answer for a while.
    await mustHave(old, newFiles, 'the old site for pages of the new one');
    await mustHave(upgraded, oldFiles, 'the new site for tabs of the old one');
    address = upgraded.url;
    visitors.tabs.push(...changed);
    await sleep(500);
    old.process.kill('SIGTERM');
    must((await ended(old)) === 0, 'the old site did not end in good order');
    await sleep(2_000);

    const back = begin(['scripts/choose-release.ts', 'use', 'previous']);
    must((await back.ended) === 0, `the way back: ${back.output()}`);
    const before = await stage.site('shared', {}, project);
    must(
      hashedFiles(releaseOf(before)).join() === oldFiles.join(),
      'the way back did not lead to the release of before',
    );
    await mustHave(before, newFiles, 'the site of before for tabs of the new one');
    address = before.url;
    await sleep(500);
    upgraded.process.kill('SIGTERM');
    must((await ended(upgraded)) === 0, 'the new site did not end in good order');
    await sleep(2_000);
    await visitors.end();
    must(visitors.missing.size === 0, `visitors saw ${[...visitors.missing].slice(0, 10).join('; ')}`);
    return `visitors and tabs ${told(visitors.statuses)}; ${changed.length} of ${newFiles.length} files new; the second build waited; back again in ${(before.readyAfter / 1000).toFixed(1)} s`;
  },
};
