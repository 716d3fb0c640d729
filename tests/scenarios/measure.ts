import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z, ZodError } from 'zod';
import { Engine } from '#src/features/scenario/engine.ts';
import {
  judgeStrangers,
  measurePhrasings,
  type PhrasingResult,
  phrasingList,
  strangerList,
} from './phrasings.ts';
import { scenarioDefinition } from '#src/features/scenario/scenario.ts';
import { wordNet } from '#src/features/scenario/words/wordnet.server.ts';

// npm run scenario -- phrasings [FILE…] | strangers [FILE…]
const USAGE = 'Usage: npm run scenario -- phrasings [FILE…]\n       npm run scenario -- strangers [FILE…]';
const PHRASINGS = 'tests/scenarios';
const STRANGERS = 'tests/scenarios/strangers';
const COURSES = 'db/seed/courses';

class UnreadableList extends Error {}

const [command, ...files] = process.argv.slice(2);
try {
  if (command === 'phrasings') await phrasings(files.length > 0 ? files : await listsIn(PHRASINGS));
  else if (command === 'strangers') await strangers(files.length > 0 ? files : await listsIn(STRANGERS));
  else {
    console.error(USAGE);
    process.exitCode = 2;
  }
} catch (error) {
  if (!(error instanceof UnreadableList)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function listsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(folder, name));
}

async function readList<T>(path: string, schema: { parse: (value: unknown) => T }): Promise<T> {
  try {
    return schema.parse(parse(await readFile(path, 'utf8')));
  } catch (error) {
    const reason = error instanceof ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new UnreadableList(`${path} cannot be read as a list: ${reason.split('\n')[0]}`);
  }
}

async function engineOf(scenario: string): Promise<Engine> {
  const [course, name] = scenario.split('/');
  const file = join(COURSES, course!, 'scenarios', `${name}.yaml`);
  return new Engine(scenarioDefinition.parse(parse(await readFile(file, 'utf8'))), wordNet);
}

async function strangers(paths: string[]): Promise<void> {
  const rows: string[] = [];
  for (const path of paths) {
    const list = await readList(path, strangerList);
    const judged = judgeStrangers(await engineOf(list.scenario), list.texts);
    console.log(`\n## ${list.scenario}`);
    for (const { text, meant, kind, found, reply, verdict } of judged) {
      const mark = verdict === 'right' ? ' ' : verdict === 'missed' ? '?' : '!';
      console.log(
        `${mark} ${kind.padEnd(8)} ${text}\n    meant: ${meant}\n    ${found}: ${reply.slice(0, 120)}`,
      );
    }
    const share = (of: typeof judged) =>
      `${of.filter(({ verdict }) => verdict === 'right').length}/${of.length}`;
    const off = judged.filter(({ kind }) => kind === 'off');
    const wrong = judged.filter(({ verdict }) => verdict === 'misread').length;
    rows.push(
      `| ${list.scenario} | ${share(judged.filter(({ kind }) => kind !== 'off'))} | ${wrong} | ${share(off)} |`,
    );
    if (wrong > 0) process.exitCode = 1;
  }
  console.log('\n| scenario | understood or asked back | misread | off-topic refused |\n|---|---|---|---|');
  console.log(rows.join('\n'));
}

async function phrasings(paths: string[]): Promise<void> {
  const rows: string[] = [];
  for (const path of paths) {
    const list = await readList(path, phrasingList);
    const [, name] = list.scenario.split('/');
    const engine = await engineOf(list.scenario);
    const listed = measurePhrasings(engine, list.learners, list.none);
    const heldOut = measurePhrasings(engine, list.heldOut, list.heldOutNone);
    for (const { text, expected, found } of [...listed.missed, ...heldOut.missed]) {
      console.log(`${name}: "${text}" means ${expected ?? 'nothing'}, was taken for ${found ?? 'nothing'}`);
    }
    rows.push(`| ${name} | ${share(listed)} | ${share(heldOut)} |`);
    if (listed.wrong.length > 0) process.exitCode = 1;
  }
  console.log('| scenario | listed: understood | held out: understood |\n|---|---|---|');
  console.log(rows.join('\n'));
}

function share({ understood, total, wrong }: PhrasingResult): string {
  return `${understood}/${total} (${Math.round((100 * understood) / total)} %), ${wrong.length} wrong`;
}
