import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { markMissed } from './aims.ts';

/** Runs in the order in which they stand in the file, each with what it measures. */
export const RUNS = {
  site: 'The site: start, pages, memory',
  pages: 'Pages made anew',
  catalogue: 'The catalogue as it grows',
  'owned-search': 'Search in what one owns',
  money: 'The money path',
  scenario: 'Scenarios',
  admin: 'Pages of administrators',
  'publish-check': 'The publish check',
  judge: 'The judge',
  groups: 'Groups of mistakes',
  people: 'People who learn and look around',
  organisations: 'An organisation of ten thousand people',
  vitals: 'A phone at slow 4G',
  lighthouse: 'Lighthouse on a phone',
} as const;
export type RunName = keyof typeof RUNS;

const FILE = join(import.meta.dirname, 'RESULTS.md');
const HEAD = `# Results of the bench

Written by \`npm run bench\`: each run puts its table here in place of its last one. Ratios compare with a reference that is
measured in the same run; they mean the same on another machine, plain figures do not. Nothing asserts them; what misses
its aim is marked MISSED, going by the next higher percentile where the one of the aim was not taken. What visitors share
is measured twice: from the visitors’ cache, and made anew for each request. Pages of those who are signed in are always
made anew.
`;

/**
 * Prints the table of a run with the machine that it was measured on, and writes both into RESULTS.md. A run that was
 * shortened by BENCH_SECONDS is printed only.
 *
 * @param rows of Markdown, with their heading
 */
export async function report(run: RunName, rows: string): Promise<void> {
  const table = markMissed(rows.trim());
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`;
  const day = new Date().toISOString().slice(0, 10);
  console.log(`\n${day}: ${machine}\n\n${table}`);
  if (process.env.BENCH_SECONDS) return;
  const sections = sectionsOf(await readFile(FILE, 'utf8').catch(() => ''));
  sections.set(run, `## ${RUNS[run]}\n\n\`${commandOf(run)}\`, ${day}: ${machine}.\n\n${table}\n`);
  const names = Object.keys(RUNS) as RunName[];
  const written = names.flatMap((name) => sections.get(name) ?? []);
  await writeFile(FILE, [HEAD, ...written].join('\n'));
  console.log(`\nWritten to ${FILE}`);
}

const commandOf = (run: RunName) => (run === 'site' ? 'npm run bench' : `npm run bench -- ${run}`);

function sectionsOf(text: string): Map<RunName, string> {
  const found = new Map<RunName, string>();
  for (const part of text.split(/^(?=## )/m)) {
    const title = /^## (.+)$/m.exec(part)?.[1];
    const run = (Object.keys(RUNS) as RunName[]).find((name) => RUNS[name] === title);
    if (run) found.set(run, `${part.trim()}\n`);
  }
  return found;
}
