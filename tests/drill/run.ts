import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite, freePort, temporaryFolder } from '../support/site.ts';
import type { Drill } from './drill.ts';
import { DRILLS } from './drills.ts';
import { startStage } from './stage.ts';

const USAGE = 'Usage: npm run drill -- [--only NAME] [--minutes 30] [--write]';

// Breaks a running site on purpose and looks at what its users see of it. Unlike the tests it needs what an operator's
// machine has: nginx, and for two of the drills the rights of root. What cannot run here says so and counts as skipped.
function readOptions() {
  try {
    return parseArgs({
      options: { only: { type: 'string' }, minutes: { type: 'string' }, write: { type: 'boolean' } },
    }).values;
  } catch {
    console.error(USAGE);
    process.exit(2);
  }
}

const options = readOptions();
const root = resolve(import.meta.dirname, '../..');
const buildDir = process.env.BUILD_DIR ?? 'dist-drill';
const wanted = DRILLS.filter(
  (drill) => (options.only ? drill.name === options.only : !drill.long) || (drill.long && options.minutes),
);
if (wanted.length === 0) {
  console.error(`${USAGE}\nDrills: ${DRILLS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

type Outcome = { drill: Drill; state: 'passed' | 'failed' | 'skipped'; facts: string };

const folder = await temporaryFolder('academy-drill-');
const publicPort = await freePort();
if (!existsSync(join(root, buildDir, 'current.json'))) await buildSite(buildDir);
const outcomes: Outcome[] = [];
for (const drill of wanted) {
  const missing = drill.needs?.() ?? null;
  if (missing) {
    outcomes.push({ drill, state: 'skipped', facts: missing });
    console.log(`- ${drill.name}: skipped, ${missing}`);
    continue;
  }
  const stage = await startStage({
    folder: join(folder, `${drill.name}-${randomBytes(3).toString('hex')}`),
    buildDir,
    publicPort,
  });
  try {
    const facts = await drill.run(stage, { minutes: Number(options.minutes ?? 30) });
    outcomes.push({ drill, state: 'passed', facts });
    console.log(`✓ ${drill.name} (${drill.faults}): ${facts}`);
  } catch (error) {
    outcomes.push({ drill, state: 'failed', facts: (error as Error).message });
    console.error(`✗ ${drill.name} (${drill.faults}): ${(error as Error).stack}\n${stage.output()}`);
  } finally {
    await stage.stop();
  }
}
await rm(folder, { recursive: true, force: true });

if (options.write) {
  const lines = outcomes.map(
    ({ drill, state, facts }) => `| ${drill.name} | ${drill.faults} | ${drill.does} | ${state} | ${facts} |`,
  );
  await writeFile(
    join(import.meta.dirname, 'REPORT.md'),
    `# Drill report

Written by \`npm run drill -- --write\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}.
A drill breaks a running production build on purpose and looks at what its users see of it.

| drill | faults | what is done | outcome | seen |
|---|---|---|---|---|
${lines.join('\n')}
`,
  );
}

const count = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state).length;
console.log(`\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
process.exit(count('failed') > 0 ? 1 : 0);
