import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, READABLE } from './artifacts.ts';

export interface SecondLayers {
  prefix(dataLimitMb: number): string[];
  on: string[];
  off: MissingLayer[];
}

export interface MissingLayer {
  name: string;
  means: string;
}

const ALLOW_NAMESPACES =
  'allow user namespaces (as root: sysctl -w user.max_user_namespaces=15000; in a container, a seccomp profile that allows unshare)';

const IS_ROOT = process.getuid?.() === 0;

const WALLS = {
  limits: {
    name: 'kernel limits (prlimit)',
    means:
      'memory is watched from outside alone, and one that broke out could write files: install util-linux, or limit the judge’s memory and file system from outside',
  },
  privileges: {
    name: 'no new privileges and death with the parent (setpriv)',
    means:
      'a judge process that loses its parent ends by itself only: install util-linux, or start the judge without new privileges',
  },
  user: {
    name: IS_ROOT ? 'a user of its own (setpriv)' : 'a user namespace of its own (unshare)',
    means: `one that broke out has the rights of the judge's user: ${ALLOW_NAMESPACES}, or start as root from a folder that every user may read, or give the judge a user of its own (npm run judge)`,
  },
  network: {
    name: 'no network (unshare)',
    means: `one that broke out of its isolate could reach the network: ${ALLOW_NAMESPACES}, or give the judge a network without a way out`,
  },
  processes: {
    name: 'no signal to another process (unshare)',
    means: `one that broke out could end the judge's own process: ${ALLOW_NAMESPACES}, or run the judge alone in a container (npm run judge)`,
  },
  list: {
    name: 'no sight of another process (own /proc)',
    means:
      'one that broke out could read which processes there are: allow mounting /proc in a namespace, or hide it (in a unit, ProtectProc=invisible), or run the judge alone in a container (npm run judge)',
  },
  memory: {
    name: 'no shared memory or host name (unshare)',
    means: `one that broke out could use other programs' shared memory: ${ALLOW_NAMESPACES}, or run the judge alone in a container (npm run judge)`,
  },
} satisfies Record<string, MissingLayer>;

type Wall = keyof typeof WALLS;
const NAMES = Object.keys(WALLS) as Wall[];

const NAMESPACES: Partial<Record<Wall, string[]>> = {
  network: ['--net'],
  processes: ['--pid', '--fork', '--kill-child'],
  list: ['--mount-proc'],
  memory: ['--ipc', '--uts'],
};

/** Reserved by Debian, handed out by no systemd. */
const OWN_ID = 65_530;
const NOBODY_ID = 65_534;

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

function find(program: string, folders: readonly string[]): string {
  // What is found nowhere is asked for by a name that cannot be started.
  return (
    folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? `/missing/${program}`
  );
}

/** Root drops its user last; others begin with a user namespace. */
type Way = 'root' | 'user namespace';

type Programs = Record<'prlimit' | 'setpriv' | 'unshare', string>;

function commandOf(
  walls: ReadonlySet<Wall>,
  way: Way,
  { prlimit, setpriv, unshare }: Programs,
  dataLimitMb: number,
): string[] {
  const namespaces = NAMES.flatMap((wall) => (walls.has(wall) && NAMESPACES[wall]) || []);
  const isNamed = way === 'user namespace' && (walls.has('user') || namespaces.length > 0);
  const nobody = walls.has('user') ? NOBODY_ID : 0;
  const dying = walls.has('privileges') ? ['--pdeathsig', 'KILL'] : [];
  const leaving =
    walls.has('user') && IS_ROOT ? [`--reuid=${OWN_ID}`, `--regid=${OWN_ID}`, '--clear-groups'] : [];
  // The signal is asked for twice: for unshare, which waits for the child, and for the child.
  const first = [...(way === 'root' ? [] : leaving), ...(walls.has('processes') ? dying : [])];
  const last = [
    ...(way === 'root' ? leaving : []),
    ...(walls.has('privileges') ? ['--no-new-privs', ...dying] : []),
  ];
  const limits = ['--core=0', '--fsize=0', '--nofile=256', `--data=${dataLimitMb * 1_048_576}`];
  return [
    ...(walls.has('limits') ? [prlimit, ...limits, '--'] : []),
    ...(first.length > 0 ? [setpriv, ...first, '--'] : []),
    ...(isNamed || namespaces.length > 0
      ? [
          unshare,
          ...(isNamed ? ['--user', `--map-user=${nobody}`, `--map-group=${nobody}`] : []),
          ...namespaces,
          '--',
        ]
      : []),
    ...(last.length > 0 ? [setpriv, ...last, '--'] : []),
  ];
}

/** Folders may be their owner's alone. */
function works(command: string[]): Promise<boolean> {
  const files = [...READABLE, join(PROJECT, 'node_modules/isolated-vm/package.json')];
  const look = 'for (const path of process.argv.slice(1)) require("fs").accessSync(path, 4)';
  const [program = '', ...parameters] = [...command, process.execPath, '--eval', look, ...files];
  return new Promise((done) => {
    execFile(program, parameters, { timeout: 5_000, env: {}, cwd: PROJECT }, (error) => done(!error));
  });
}

let probed: Promise<SecondLayers> | null = null;

export function probeLayers(): Promise<SecondLayers> {
  probed ??= probe();
  return probed;
}

export async function probe(folders: readonly string[] = FOLDERS): Promise<SecondLayers> {
  const programs = {
    prlimit: find('prlimit', folders),
    setpriv: find('setpriv', folders),
    unshare: find('unshare', folders),
  };
  const tried = (walls: Wall[], way: Way) => works(commandOf(new Set(walls), way, programs, 2_048));
  const isRootsWay =
    IS_ROOT && ((await tried(['user', 'network'], 'root')) || !(await tried(['network'], 'user namespace')));
  const way: Way = isRootsWay ? 'root' : 'user namespace';
  // Without the file the process behind unshare is not found, whose memory is watched.
  const possible = NAMES.filter((wall) => wall !== 'processes' || existsSync('/proc/thread-self/children'));
  let walls: Wall[] = [];
  if (possible.length === NAMES.length && (await tried(possible, way))) walls = possible;
  else {
    for (const wall of possible) if (await tried([...walls, wall], way)) walls.push(wall);
  }
  // Hidden from outside, as units hide it, which also forbids mounting one of its own.
  const isHidden = !walls.includes('list') && existsSync('/proc/self') && !existsSync('/proc/1');
  return {
    prefix: (dataLimitMb) => commandOf(new Set(walls), way, programs, dataLimitMb),
    on: [
      "Node's permission model",
      ...walls.map((wall) => WALLS[wall].name),
      ...(isHidden ? ["no sight of other users' processes (hidden /proc)"] : []),
    ],
    off: NAMES.filter((wall) => !walls.includes(wall) && !(wall === 'list' && isHidden)).map(
      (wall) => WALLS[wall],
    ),
  };
}
