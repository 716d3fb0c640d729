import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The environment of programs inside: nothing of this process's but what leads to the package registry. */
const FROM_OUTSIDE = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];

/**
 * A file system of its own over this machine's, as an image is over its base: what is written stays in it, and the
 * project's folder is not to be seen. Has to be made in a mount namespace that ends with its process.
 */
export class Room {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Makes one in `folder`, in which the folder `hidden` is empty. */
  static over(folder: string, hidden: string): Room {
    const room = new Room(join(folder, 'root'));
    for (const name of ['root', 'upper', 'work']) mkdirSync(join(folder, name), { recursive: true });
    const mount = (...parameters: string[]) => execFileSync('mount', parameters, { stdio: 'inherit' });
    const layers = `lowerdir=/,upperdir=${folder}/upper,workdir=${folder}/work`;
    mount('-t', 'overlay', 'overlay', '-o', layers, room.root);
    mount('-t', 'tmpfs', 'none', join(room.root, hidden));
    mount('-t', 'tmpfs', 'none', join(room.root, 'tmp'));
    mount('--rbind', '/dev', join(room.root, 'dev'));
    mount('-t', 'proc', 'proc', join(room.root, 'proc'));
    return room;
  }

  /** Lets nothing be written any more but to /tmp and to `folders`, which are kept in `volume`. */
  seal(folders: string[], volume: string): void {
    for (const path of folders) {
      const kept = join(volume, path);
      mkdirSync(join(kept, '..'), { recursive: true });
      // As a new named volume takes what the image has there, with its owner.
      execFileSync('cp', ['-a', join(this.root, path), kept]);
      execFileSync('mount', ['--bind', kept, join(this.root, path)]);
    }
    execFileSync('mount', ['-o', 'remount,ro', this.root]);
  }

  /** Starts a program inside, without any right; with `asFirst` as the first process of a process namespace. */
  start(
    command: string[],
    options: { user: string; folder: string; env: Record<string, string>; asFirst?: boolean },
  ): ChildProcess {
    const inherited = Object.fromEntries(
      FROM_OUTSIDE.flatMap((name) => (process.env[name] ? [[name, process.env[name]!]] : [])),
    );
    const env = {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...inherited,
      ...options.env,
    };
    const rights =
      options.user === 'root' ? [] : ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
    const program = [
      ...(options.asFirst
        ? ['unshare', '--pid', '--fork', '--kill-child', `--mount-proc=${this.root}/proc`]
        : []),
      ...[
        'chroot',
        this.root,
        'setpriv',
        `--reuid=${options.user}`,
        `--regid=${options.user}`,
        '--init-groups',
        ...rights,
      ],
      ...['env', '--chdir', options.folder, '-i'],
      ...Object.entries({ HOME: homeOf(this.root, options.user), ...env }).map(
        ([name, value]) => `${name}=${value}`,
      ),
      ...command,
    ];
    return spawn(program[0]!, program.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

function homeOf(root: string, user: string): string {
  const line = execFileSync('chroot', [root, 'getent', 'passwd', user], { encoding: 'utf8' });
  return line.split(':')[5]!;
}

/** Runs to its end; throws with what was said where it ended otherwise than well. */
export async function finished(child: ChildProcess, what: string): Promise<string> {
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
    });
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new Error(`${what} ended with ${code}:\n${output}`);
  return output;
}
