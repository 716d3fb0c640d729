import { readFileSync } from 'node:fs';
import { cp, lutimes, lstat, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import ignore from '@balena/dockerignore';
import { type Copy, DockerfileParser, type Healthcheck, type JSONInstruction } from 'dockerfile-ast';

/** One instruction: its word in capitals, its arguments, and the text of it as it stands. */
export interface Step {
  keyword: string;
  words: string[];
  /** Options such as `--from=build`, by name. */
  flags: Record<string, string>;
  text: string;
}

/** What stands between two FROM lines. */
export interface Stage {
  name: string | null;
  steps: Step[];
}

/** Reads a Dockerfile into its stages, in the order in which they are built. */
export function readDockerfile(path: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(readFileSync(path, 'utf8')).getInstructions()) {
    const keyword = instruction.getKeyword();
    const words = instruction.getArguments().map((argument) => argument.getValue());
    if (keyword === 'FROM') {
      stages.push({ name: words[1]?.toUpperCase() === 'AS' ? words[2]! : null, steps: [] });
      continue;
    }
    const flags = 'getFlags' in instruction ? (instruction as Copy | Healthcheck).getFlags() : [];
    const json = 'getJSONStrings' in instruction ? (instruction as JSONInstruction).getJSONStrings() : [];
    stages.at(-1)!.steps.push({
      keyword,
      words: json.length > 0 ? json.map((argument) => argument.getJSONValue()) : words,
      flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
      text: (instruction.getArgumentsContent() ?? '').replaceAll('\\\n', ' '),
    });
  }
  return stages;
}

/** The files of a folder that a build sees, by its `.dockerignore`; paths from the folder. */
export async function contextFiles(folder: string): Promise<string[]> {
  const rules = ignore().add(readFileSync(join(folder, '.dockerignore'), 'utf8'));
  const files: string[] = [];
  const walk = async (inner: string) => {
    for (const entry of await readdir(join(folder, inner), { withFileTypes: true })) {
      const path = join(inner, entry.name);
      // An exception may lie in a folder that is left out; of those that are large and hold none, none is looked into.
      if (entry.isDirectory() && !/^(node_modules|\.git|\.data.*|dist.*)$/.test(path)) await walk(path);
      else if (!entry.isDirectory() && !rules.ignores(path)) files.push(path);
    }
  };
  await walk('');
  return files;
}

/** Copies as COPY does: whole seconds are what a layer keeps of a file's time. */
export async function copyInto(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  await wholeSeconds(to);
}

async function wholeSeconds(path: string): Promise<void> {
  const { mtimeMs } = await lstat(path);
  const entries = (await lstat(path)).isDirectory() ? await readdir(path) : [];
  for (const name of entries) await wholeSeconds(join(path, name));
  const seconds = Math.floor(mtimeMs / 1000);
  await lutimes(path, seconds, seconds);
}

/** The path of a file of the context below a source of COPY, or null where it is not of it. */
export function below(file: string, source: string): string | null {
  if (source === '.' || source === './') return file;
  const wanted = source.replace(/^\.\//, '').replace(/\/$/, '');
  if (file === wanted) return '';
  const inner = relative(wanted, file);
  return inner.startsWith('..') ? null : inner;
}
