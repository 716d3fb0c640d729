import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { probe } from './layers.ts';

it('tells what a host lacks, and what that means, and judges without it', async () => {
  const { on, off, prefix } = await probe(['/nowhere']);
  expect(on).toEqual(["Node's permission model"]);
  expect(off.map(({ name }) => name)).toEqual([
    'kernel limits (prlimit)',
    'no new privileges and death with the parent (setpriv)',
    expect.stringMatching(/^a user/),
    'no network (unshare)',
    'no signal to another process (unshare)',
    'no sight of another process (own /proc)',
    'no shared memory or host name (unshare)',
  ]);
  for (const { means } of off) expect(means).toMatch(/: (allow|install)/);
  expect(prefix(100)).toEqual([]);
});

it.runIf(existsSync('/usr/bin/prlimit'))(
  'takes each wall that a host gives, where others are missing',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walls-'));
    await symlink('/usr/bin/prlimit', join(folder, 'prlimit'));
    const { on, off, prefix } = await probe([folder]);
    await rm(folder, { recursive: true });
    expect(on).toContain('kernel limits (prlimit)');
    expect(off.map(({ name }) => name)).toContain('no network (unshare)');
    expect(prefix(100)).toEqual([
      join(folder, 'prlimit'),
      '--core=0',
      '--fsize=0',
      '--nofile=256',
      '--data=104857600',
      '--',
    ]);
  },
);
