import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { artifactsIn } from './artifact-files.ts';
import { endAtOnce, send } from './comparing/answers.ts';
import { type RunFrame, readFrames } from './frames.ts';
import { POOLS } from './pools.ts';
import type { Language } from './protocol.ts';
import type { Pool, Runner } from './runner.ts';

const PARENT_CHECK_MS = 1_000;

async function loadRunner(folder: string, name: string): Promise<Runner> {
  const { runner } = (await import(pathToFileURL(join(folder, `${name}.mjs`)).href)) as { runner: Runner };
  return runner;
}

async function buildAll(pool: Pool, folder: string): Promise<void> {
  const problems: unknown[] = [];
  for (const name of POOLS[pool].runners) {
    try {
      const runner = await loadRunner(folder, name);
      for (const [file, content] of Object.entries((await runner.buildArtifacts?.(folder)) ?? {})) {
        await writeFile(join(folder, file), content);
      }
    } catch (error) {
      // The other languages of the pool still get theirs.
      problems.push(error);
    }
  }
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}

async function serve(pool: Pool, folder: string, cold: boolean): Promise<void> {
  // Standard output goes nowhere; what a library complains about belongs to the supervisor's log.
  for (const method of ['log', 'info', 'debug'] as const) console[method] = console.error;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) endAtOnce();
  }, PARENT_CHECK_MS).unref();
  process.stdin.on('end', endAtOnce).on('error', endAtOnce);

  const artifacts = artifactsIn(folder, cold);
  const runners = new Map<Language, Runner>();
  const failed: Partial<Record<Language, string>> = {};
  for (const name of POOLS[pool].runners) {
    let languages: Language[] = [];
    try {
      const runner = await loadRunner(folder, name);
      languages = runner.languages;
      await runner.start(artifacts);
      for (const language of languages) runners.set(language, runner);
    } catch (error) {
      console.error(error);
      for (const language of languages) failed[language] = String(error).slice(0, 500);
    }
  }

  let refilling: Promise<void> = Promise.resolve();
  const run = async ({ id, program, limits }: RunFrame) => {
    const runner = runners.get(program.language);
    try {
      if (!runner) throw new Error(failed[program.language] ?? `no runner for ${program.language}`);
      const observations = await runner.run(program, limits);
      send({ type: 'done', id, observations });
    } catch (error) {
      // By its name: each language's bundle has a class of its own.
      if (error instanceof Error && error.name === 'TooBusy') send({ type: 'starved', id });
      else {
        console.error(error);
        send({ type: 'failed', id, message: String(error).slice(0, 500) });
      }
    }
    if (runner) {
      refilling = refilling
        .then(() => new Promise((done) => setImmediate(done)))
        .then(() => runner.refill())
        .catch((error: unknown) => console.error(error));
    }
  };
  process.stdin.on(
    'data',
    readFrames((frame) => void run(frame as RunFrame), endAtOnce),
  );
  send({ type: 'ready', languages: [...runners.keys()], failed });
}

/** `build <pool> <folder>` writes the artifacts; `serve <pool> <folder>` runs submissions. */
const [mode, pool, folder = ''] = process.argv.slice(2);
if (mode === 'build') await buildAll(pool as Pool, folder);
else await serve(pool as Pool, folder, mode === 'serve-cold');
