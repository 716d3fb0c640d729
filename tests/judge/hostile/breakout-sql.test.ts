import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { build } from 'esbuild';
import ivm from 'isolated-vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataFolder } from '#src/judge/languages/sql/data-folder.ts';
import { PatientJudge, expectTrueVerdicts } from '../controls.ts';
import { loading, sideModule } from './side-module.ts';

/** What code that runs beside the engine must not find. */
const REACHED = `globalThis.reached = JSON.stringify([
  ['process', typeof process], ['require', typeof require], ['fetch', typeof fetch],
  ['Buffer', typeof Buffer], ['XMLHttpRequest', typeof XMLHttpRequest], ['WebSocket', typeof WebSocket],
  ['importScripts', typeof importScripts], ['Worker', typeof Worker], ['Deno', typeof Deno],
].filter(([, type]) => type !== 'undefined'));`;

const PACKAGE = 'node_modules/@electric-sql/pglite/dist';

describe('an engine whose superuser a program has become', () => {
  let context: ivm.Context;
  let run: (statement: string) => Promise<string>;
  const isolate = new ivm.Isolate({ memoryLimit: 384 });
  afterAll(() => isolate.dispose());

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: ['tests/judge/hostile/open-engine.ts'],
      bundle: true,
      write: false,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      external: [...builtinModules, 'node:*'],
      define: { 'import.meta.url': '"file:///isolate"' },
      format: 'iife',
    });
    context = await isolate.createContext();
    await context.eval(outputFiles[0]!.text);
    const entries = await context.global.get('entries', { reference: true });
    const entry = (name: string) => entries.getSync(name, { reference: true });
    const copy = (bytes: Uint8Array) => new ivm.ExternalCopy(new Uint8Array(bytes).buffer).copyInto();
    const engine = new WebAssembly.Module(readFileSync(`${PACKAGE}/pglite.wasm`));
    await entry('boot').apply(undefined, [
      new ivm.ExternalCopy(engine).copyInto(),
      copy(readFileSync(`${PACKAGE}/pglite.data`)),
      copy(await makeDataFolder()),
    ] as never[]);
    expect(await entry('trouble').apply()).toBe('');
    run = async (statement) => String(await entry('run').apply(undefined, [statement]));
    call = (name) => entry(name).apply();
    closeLoader = async () => {
      await entry('closeLoader').apply();
    };
  }, 60_000);
  let closeLoader: () => Promise<void>;
  let call: (name: string) => Promise<unknown>;

  test('runs the text of a library that it loads, and that text finds no Node API', async () => {
    const failures = [];
    for (const statement of loading(sideModule(REACHED), '/tmp/one.so')) failures.push(await run(statement));
    expect(failures.slice(0, 2)).toEqual(['', '']);
    expect(await context.eval('globalThis.reached')).toBe('[]');
  });

  test('loads no library once a program comes', async () => {
    await closeLoader();
    const [make, write, load] = loading(sideModule('globalThis.late = 1;'), '/tmp/two.so');
    expect([await run(make!), await run(write!)]).toEqual(['', '']);
    expect(await run(load!)).toContain('could not load library');
    expect(await context.eval('typeof globalThis.late')).toBe('undefined');
  });

  test('runs the next program as ever after a stop that left half a message to it', async () => {
    expect(await call('leaveHalfAMessage')).toBe(true);
    expect(await run('SELECT 1')).not.toBe('');
    expect(await call('leaveHalfAMessage')).toBe(true);
    expect(await call('answersAgain')).toBe(true);
    expect(await run('SELECT 1')).toBe('');
  });

  test('reads no file of the machine', async () => {
    for (const path of ['/etc/hostname', '/proc/self/environ', `${process.cwd()}/package.json`])
      expect(await run(`SELECT pg_read_file('${path}')`)).toContain('No such file');
  });
});

describe('a learner’s program', () => {
  const judge = new PatientJudge({ children: { sql: 1 } });
  afterAll(() => judge.stop());
  const module = sideModule(REACHED);

  const become = [
    'RESET ROLE',
    'RESET SESSION AUTHORIZATION',
    "SET SESSION AUTHORIZATION 'postgres'",
    'SET ROLE postgres',
  ];

  test.each([
    ['becomes nobody else', `${become.join('; ')}`, /permission denied|cannot set/],
    [
      'makes no file',
      `RESET ROLE; ${loading(module, '/tmp/x.so').join('; ')}`,
      /permission denied for function lo_export/,
    ],
    ['loads no library', "LOAD '/tmp/x.so'", /access to library "\/tmp\/x.so" is not allowed/],
    ['loads none of the installed ones', "LOAD '$libdir/plpgsql'", /not allowed/],
    ['loads none of a plug-in', "LOAD '$libdir/plugins/x'", /could not|No such/],
    [
      'makes no function in C',
      "CREATE FUNCTION f() RETURNS int LANGUAGE c AS '/tmp/x.so', 'f'",
      /permission denied for language c/,
    ],
    [
      'makes no internal function',
      "CREATE FUNCTION f() RETURNS int LANGUAGE internal AS 'x'",
      /permission denied for language internal/,
    ],
    [
      'makes no language',
      'CREATE LANGUAGE x HANDLER plpgsql_call_handler',
      /permission denied|must be superuser/,
    ],
    ['changes no role', 'ALTER ROLE learner SUPERUSER', /permission denied/],
    ['changes no system table', 'UPDATE pg_authid SET rolsuper = true', /permission denied/],
    [
      'sets no library to be loaded',
      "SET session_preload_libraries = '/tmp/x.so'",
      /cannot be set|permission denied/,
    ],
    ['sets no search for libraries', "SET dynamic_library_path = '/tmp'", /permission denied/],
  ])('%s', async (_, code, message) => {
    const verdict = await judge.judge({
      language: 'sql',
      code,
      tests: [{ input: 'result', expectedOutput: 'x' }],
    });
    expect(verdict.kind).toBe('runtime_error');
    expect(verdict.error!.message).toMatch(message);
  });

  test('finds everything in its place afterwards', async () => {
    await expectTrueVerdicts(judge, 'sql');
    expect((await judge.health()).counters).toMatchObject({ deaths: 0, killedForMemory: 0 });
  });
});
