import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Walls around a judge child besides the isolate, as this host allows them. */
export interface SecondLayers {
  /** The command in front of a child's own, for a limit of private memory in MB. */
  prefix(dataLimitMb: number): string[];
  on: string[];
  off: string[];
}

interface Candidate {
  name: string;
  program: string;
  options: (dataLimitMb: number) => string[];
}

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

function find(program: string): string | null {
  return FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
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

async function probe(): Promise<SecondLayers> {
  const on = ["Node's permission model"];
  const off: string[] = [];
  // In this order: entering a namespace would clear the signal that setpriv asks for.
  const candidates: Candidate[] = [
    { name: 'no network (unshare)', program: 'unshare', options: () => ['-rn'] },
    {
      name: 'kernel limits (prlimit)',
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
      program: 'setpriv',
      options: () => ['--no-new-privs', '--pdeathsig', 'KILL'],
    },
  ];
  const accepted: ((dataLimitMb: number) => string[])[] = [];
  for (const { name, program, options } of candidates) {
    const path = find(program);
    const command = (dataLimitMb: number) => [path ?? '', ...options(dataLimitMb), '--'];
    const before = accepted.flatMap((make) => make(2_048));
    if (path && (await works([...before, ...command(2_048)]))) {
      accepted.push(command);
      on.push(name);
    } else off.push(name);
  }
  return { prefix: (dataLimitMb) => accepted.flatMap((make) => make(dataLimitMb)), on, off };
}
