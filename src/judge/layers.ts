import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Walls around a judge child besides the isolate, as this host allows them. */
export interface SecondLayers {
  /** The command in front of a child's own, for a limit of private memory in MB. */
  prefix(dataLimitMb: number): string[];
  on: string[];
  off: MissingLayer[];
}

/** A wall that this host does not allow. */
export interface MissingLayer {
  name: string;
  /** What a program could do that broke out of its isolate, and what an operator does about it. */
  means: string;
}

interface Candidate extends MissingLayer {
  program: string;
  options: (dataLimitMb: number) => string[];
}

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

function find(program: string, folders: readonly string[]): string | null {
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}

function works(command: string[]): Promise<boolean> {
  const [program = '', ...parameters] = command;
  return new Promise((done) => {
    execFile(program, [...parameters, process.execPath, '--version'], { timeout: 5_000, env: {} }, (error) =>
      done(!error),
    );
  });
}

let probed: Promise<SecondLayers> | null = null;

/** Tries out once which second layers this host has: no network, kernel limits, death with the parent. */
export function probeLayers(): Promise<SecondLayers> {
  probed ??= probe();
  return probed;
}

/** Tries the second layers out, with the programs that are in `folders`. */
export async function probe(folders: readonly string[] = FOLDERS): Promise<SecondLayers> {
  const on = ["Node's permission model"];
  const off: MissingLayer[] = [];
  // In this order: entering a namespace would clear the signal that setpriv asks for.
  const candidates: Candidate[] = [
    {
      name: 'no network (unshare)',
      means:
        'one that broke out of its isolate could reach the network: allow user namespaces (as root: sysctl -w user.max_user_namespaces=15000; in a container, a seccomp profile that allows unshare), or give the judge a network without a way out',
      program: 'unshare',
      options: () => ['-rn'],
    },
    {
      name: 'kernel limits (prlimit)',
      means:
        'memory is watched from outside alone, and one that broke out could write files: install util-linux, or limit the judge’s memory and file system from outside',
      program: 'prlimit',
      options: (dataLimitMb) => [
        '--core=0',
        '--fsize=0',
        '--nofile=256',
        `--data=${dataLimitMb * 1_048_576}`,
      ],
    },
    {
      name: 'no new privileges and death with the parent (setpriv)',
      means:
        'a judge process that loses its parent ends by itself only: install util-linux, or start the judge without new privileges',
      program: 'setpriv',
      options: () => ['--no-new-privs', '--pdeathsig', 'KILL'],
    },
  ];
  const accepted: ((dataLimitMb: number) => string[])[] = [];
  for (const { name, means, program, options } of candidates) {
    const path = find(program, folders);
    const command = (dataLimitMb: number) => [path ?? '', ...options(dataLimitMb), '--'];
    const before = accepted.flatMap((make) => make(2_048));
    if (path && (await works([...before, ...command(2_048)]))) {
      accepted.push(command);
      on.push(name);
    } else off.push({ name, means });
  }
  return { prefix: (dataLimitMb) => accepted.flatMap((make) => make(dataLimitMb)), on, off };
}
