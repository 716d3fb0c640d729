import { spawnSync } from 'node:child_process';
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
  const tried = spawnSync('unshare', ['--mount', '--net', 'true']);
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

/** This script again, in namespaces that end with it: mounts and networks need no tidying up then. */
function again(namespace: string, ...parameters: string[]): void {
  const { status } = spawnSync(
    'unshare',
    [namespace, process.execPath, import.meta.filename, ...parameters],
    {
      stdio: 'inherit',
    },
  );
  // What went wrong has been said by the one who saw it.
  if (status !== 0) process.exitCode = 1;
}

const [step, folder = ''] = process.argv.slice(2);
if (step === 'build') {
  await buildImage(folder);
  again('--net', 'try', folder);
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
    again('--mount', 'build', place);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
