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
