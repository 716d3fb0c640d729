import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { artifactsIn } from '#src/judge/artifact-files.ts';
import { limitsFor } from '#src/judge/pools.ts';
import { realms } from './recording-library.ts';
import type { Observation, Program } from '#src/judge/runner.ts';

export interface RealmPlan {
  runner: 'javascript' | 'typescript' | 'web' | 'python';
  /** One after the other: the first one's lesson has a hidden test. */
  programs: Program[];
  hostile: string;
  /** True in the realm of the second program alone, as an expression. */
  isOfSecond: string;
}

// Evaluates JavaScript in the isolates of a judge child as its languages make them: a program that had broken out of its
// interpreter, or out of its own function, would be there.
const plan = JSON.parse(readFileSync(join(import.meta.dirname, 'plan.json'), 'utf8')) as RealmPlan;

const RUNNERS = {
  javascript: () => import('#src/judge/languages/javascript.ts'),
  typescript: () => import('#src/judge/languages/typescript.ts'),
  web: () => import('#src/judge/languages/web.ts'),
  python: () => import('#src/judge/languages/python.ts'),
};

const { runner } = await RUNNERS[plan.runner]();
await runner.start(artifactsIn(process.argv[4]!, false));
const seen: Observation[] = [];
for (const program of plan.programs) {
  seen.push(...(await runner.run(program, limitsFor(program.language, {}))));
  await runner.refill();
}

const answers: object[] = [];
for (const evaluate of realms) {
  const ask = (code: string) =>
    evaluate.apply(undefined, [code], { result: { promise: true, copy: true }, timeout: 60_000 });
  if ((await ask(plan.isOfSecond)) !== true) continue;
  const answer = (await ask(plan.hostile)) as object;
  await new Promise((done) => setTimeout(done, 50));
  answers.push({ ...answer, fired: await ask('globalThis.$fired === true') });
}
writeSync(3, JSON.stringify({ seen, answers }));
process.kill(process.pid, 'SIGKILL');
