import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../support/site.ts';
import { checkConfigurations } from './configurations.ts';
import { readDockerfile } from './dockerfile.ts';
import { type Built, buildStage, lookThrough, PROJECT } from './image.ts';
import { Room } from './room.ts';
import { tryOut } from './try-out.ts';

// Does the image's steps, as the Dockerfile has them, and starts what comes out as the compose file does. It takes no
// container engine, for machines that have none: the base is this machine's own Debian and Node, and each stage has a file
// system of its own over them. Beforehand systemd and nginx say what they think of their files.

/** What a run needs and this machine lacks; null where nothing. */
function missing(): string | null {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version')) return 'needs Debian';
  if (process.getuid?.() !== 0) return 'needs the rights of root';
  if (spawnSync('ip', ['-V']).error) return 'needs ip (apt-get install iproute2)';
  const tried = spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'true']);
  return tried.status === 0 ? null : 'namespaces are not allowed here';
}

async function buildImage(folder: string): Promise<void> {
  const rooms = new Map<string, Room>();
  let last: Built | undefined;
  for (const [at, stage] of readDockerfile(join(PROJECT, 'deploy/Dockerfile')).entries()) {
    const name = stage.name ?? `stage ${at + 1}`;
    console.log(`${name}:`);
    const room = Room.over(join(folder, `stage-${at}`), PROJECT);
    last = await buildStage(stage, room, rooms);
    rooms.set(name, room);
  }
  console.log(`✓ image: ${lookThrough(join(last!.room.root, 'app'))}`);
  writeFileSync(join(folder, 'built.json'), JSON.stringify(last));
}

/** This script again, in a namespace that ends with it: mounts and networks need no tidying up then. */
async function again(namespace: string[], ...parameters: string[]): Promise<void> {
  const child = spawn(
    'setpriv',
    // Ends with this process, however that ends.
    ['--pdeathsig', 'KILL', 'unshare', ...namespace, process.execPath, import.meta.filename, ...parameters],
    { stdio: 'inherit' },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void child.kill('SIGKILL'));
  }
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('exit', done);
  });
  // What went wrong has been said by the one who saw it.
  if (code !== 0) process.exitCode = 1;
}

/** Its first process takes all others with it, services and steps of the image; the shell also takes in who lost its parent. */
const OWN_PROCESSES = [
  ...['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ...['sh', '-c', '"$@"; exit $?', 'sh'],
];

const [step, folder = ''] = process.argv.slice(2);
if (step === 'build') {
  await buildImage(folder);
  await again(['--net'], 'try', folder);
} else if (step === 'try') {
  const built = JSON.parse(readFileSync(join(folder, 'built.json'), 'utf8')) as Built;
  await tryOut({ ...built, room: new Room(built.room.root) }, folder);
} else {
  await checkConfigurations();
  const lacking = missing();
  if (lacking) {
    console.log(`- image: skipped, ${lacking}`);
    process.exit(0);
  }
  const place = await temporaryFolder('academy-image-');
  try {
    await again(OWN_PROCESSES, 'build', place);
  } finally {
    // What was ended by force may take a moment to be gone.
    await rm(place, { recursive: true, force: true, maxRetries: 5 });
  }
}
