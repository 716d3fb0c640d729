import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { below, contextFiles, copyInto, type Stage, type Step } from './dockerfile.ts';
import { finished, type Room } from './room.ts';

export const PROJECT = resolve(import.meta.dirname, '../..');

export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** `$NAME` and `${NAME}` as the builder replaces them. */
const expanded = (text: string, values: Record<string, string>) =>
  text.replace(/\$\{?(\w+)\}?/g, (_, name: string) => values[name] ?? '');

/** A stage as it came out: its files, and what programs in it are started with. */
export interface Built {
  room: Room;
  env: Record<string, string>;
  user: string;
  folder: string;
  command: string[];
  health: string[];
}

/** Does the steps of a stage; `others` are the stages before it, by name. */
export async function buildStage(stage: Stage, room: Room, others: Map<string, Room>): Promise<Built> {
  const built: Built = { room, env: {}, user: 'root', folder: '/', command: [], health: [] };
  // A declared argument is known to the steps after it, and is not part of what comes out.
  const declared: Record<string, string> = {};
  const values = () => ({ ...declared, ...built.env });
  const inside = (path: string) => resolve('/', built.folder, expanded(path, values()));
  const verbs: Record<string, (step: Step) => void | Promise<void>> = {
    arg: ({ words }) => {
      const [name = '', fallback = ''] = words[0]!.split('=');
      declared[name] = fallback;
    },
    env: ({ words }) => {
      const before = values();
      for (const word of words) {
        const at = word.indexOf('=');
        built.env[word.slice(0, at)] = expanded(word.slice(at + 1), before);
      }
    },
    workdir: ({ words }) => {
      built.folder = inside(words[0]!);
      mkdirSync(join(room.root, built.folder), { recursive: true });
    },
    user: ({ words }) => {
      built.user = words[0]!;
    },
    cmd: ({ words }) => {
      built.command = words;
    },
    healthcheck: ({ text }) => {
      built.health = JSON.parse(text.slice(text.indexOf('CMD') + 3));
    },
    expose: () => {},
    copy: async ({ words, flags }) => {
      const target = inside(words.at(-1)!);
      for (const source of words.slice(0, -1)) {
        if (flags.from) await copyInto(join(others.get(flags.from)!.root, source), room.root + target);
        else await copyContext(source, words.at(-1)!.endsWith('/') || words.length > 2, room.root + target);
      }
    },
    run: async ({ text }) => {
      const child = room.start(['sh', '-c', text], {
        user: built.user,
        folder: built.folder,
        env: values(),
      });
      await finished(child, `RUN ${text}`);
    },
  };
  for (const step of stage.steps) {
    const verb = verbs[step.keyword.toLowerCase()];
    must(verb !== undefined, `the Dockerfile has ${step.keyword}, which this test cannot do yet`);
    console.log(`  ${step.keyword} ${step.text.slice(0, 100)}`);
    await verb!(step);
  }
  return built;
}

async function copyContext(source: string, intoFolder: boolean, target: string): Promise<void> {
  let count = 0;
  for (const file of await contextFiles(PROJECT)) {
    const inner = below(file, source);
    if (inner === null) continue;
    count += 1;
    await copyInto(join(PROJECT, file), join(target, inner || (intoFolder ? file : '')));
  }
  must(count > 0, `COPY ${source}: nothing of it is in the context`);
}

/** Throws where something is inside that must not be; gives what was found. */
export function lookThrough(root: string): string {
  for (const name of ['.git', '.env', '.data', 'tests', 'docs', 'deploy/site.env'])
    must(!existsSync(join(root, name)), `${name} is in the image`);
  const { packages } = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const ofDevelopers = Object.entries(packages).filter(
    ([path, { dev }]) => dev && existsSync(join(root, path)),
  );
  must(
    ofDevelopers.length === 0,
    `packages of developers are in the image: ${ofDevelopers.map(([path]) => path).join(', ')}`,
  );
  const megabytes = execFileSync('du', ['-sm', root], { encoding: 'utf8' }).split('\t')[0];
  return `${megabytes} MB, no package of developers, nothing of .git, .env, .data`;
}
