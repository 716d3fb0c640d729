import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Each is a process that loads the site's code: on a busy machine that takes long.
vi.setConfig({ testTimeout: 120_000 });

const root = resolve(import.meta.dirname, '../../..');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'academy-answers-'));
  await writeFile(join(folder, 'file'), 'no folder');
  await mkdir(join(folder, 'empty'));
  await writeFile(join(folder, 'list.yaml'), 'scenario: nowhere/nothing\n- broken');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the script of a command; gives how it ended and the lines that it said. */
function answer(args: string[], settings: Record<string, string>) {
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'warn', DATA_DIR: join(folder, 'none'), ...settings };
  return new Promise<{ code: unknown; said: string }>((done) => {
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      done({ code: error ? error.code : 0, said: `${stdout}${stderr}`.trim() }),
    );
  });
}

const NO_DATABASE = { DATABASE_URL: 'postgres://nobody:word@127.0.0.1:9/none' };
const HERE = (path: string) => path.replace('HERE', folder);
type Case = [command: string, what: string, args: string, settings?: Record<string, string>];

const WRONG: Case[] = [
  ['admin', 'an unknown word', 'nonsense'],
  ['admin', 'no database', 'list', NO_DATABASE],
  ['course', 'no arguments', ''],
  ['course', 'a file that is not there', 'check /nowhere'],
  ['course', 'an empty folder', 'check HERE/empty'],
  ['course', 'no database', 'export 1', NO_DATABASE],
  ['scenario', 'no arguments', ''],
  ['scenario', 'a list that is not there', 'phrasings /nowhere'],
  ['scenario', 'a list that is none', 'phrasings HERE/list.yaml'],
  ['scenario', 'strangers that are not there', 'strangers /nowhere'],
  ['scenario', 'a folder for a list', 'strangers HERE/empty'],
  ['content', 'an unknown word', 'nonsense'],
  ['releases', 'an unknown word', 'nonsense'],
  ['releases', 'an unknown release', 'use nothing'],
  ['releases', 'a build folder that is a file', 'use previous', { BUILD_DIR: 'package.json' }],
  ['judge', 'a port that is none', '', { JUDGE_PORT: 'x' }],
  ['judge', 'a host that is none', '', { JUDGE_HOST: 'nowhere.invalid' }],
  ['start', 'a data folder that is a file', '--built', { DATA_DIR: 'HERE/file' }],
  ['start', 'nothing built', '--built', { BUILD_DIR: 'dist-never-built' }],
  ['db:migrate', 'an unknown option', '--nonsense'],
  ['db:migrate', 'no database', '', NO_DATABASE],
  ['db:migrate', 'a data folder that is a file', '', { DATA_DIR: 'HERE/file' }],
  ['db:seed', 'an unknown option', '--nonsense'],
  ['db:seed', 'no database', '', NO_DATABASE],
  ['backup', 'no database', '', NO_DATABASE],
  ['restore', 'no file', ''],
  ['restore', 'a file that is not there', '/nowhere'],
  ['rehearse', 'a file that is not there', '/nowhere'],
];

describe('a command answers a mistake with a line and what to do, never with a stack trace', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  it.each(WRONG)('npm run %s: %s', async (command, _what, args, settings = {}) => {
    const words = [
      ...String(scripts[command])
        .replace(/^(exec )?node /, '')
        .split(' '),
    ];
    const own = args === '' ? [] : args.split(' ').map(HERE);
    const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, HERE(value)]));
    const { code, said } = await answer([...words, ...own], env);
    expect([1, 2]).toContain(code);
    expect(said).not.toMatch(/^\s+at |node:internal|^\w*Error:|\[cause\]/m);
    expect(said.length).toBeGreaterThan(15);
    if ('DATABASE_URL' in settings) expect(said).toContain('DATABASE_URL');
    // A mistake makes no database.
    expect(existsSync(join(folder, 'none/postgres'))).toBe(false);
  });
});

it('an error that no command knows is one line, and has its stack where LOG_LEVEL is debug', async () => {
  const program = `
    const { tellFailure } = await import('${join(root, 'scripts/with-database.ts')}');
    tellFailure(new Error('Failed query: select 1', { cause: new TypeError('x is no function\\n  of mine') }));`;
  const tell = (LOG_LEVEL: string) => answer(['--input-type=module', '-e', program], { LOG_LEVEL });
  expect((await tell('info')).said).toBe('It failed: x is no function. LOG_LEVEL=debug shows where.');
  expect((await tell('debug')).said).toMatch(/Failed query: select 1\n\s+at [\s\S]*x is no function/);
});
