import { expect, test } from 'vitest';
import { diskState } from './health.ts';

const MB = 1_048_576;
const GB = 1024 * MB;

test.each([
  [50 * GB, 100 * GB, 'ok', 'There is room.', '50.0 GB of 100.0 GB'],
  [11 * GB, 100 * GB, 'ok', 'There is room.', '11.0 GB of 100.0 GB'],
  [10 * GB, 100 * GB, 'warning', 'The disk is nearly full.', '10.0 GB of 100.0 GB'],
  [700 * MB, 100 * GB, 'failing', 'The disk is nearly full.', '700 MB of 100.0 GB'],
  [0, 100 * GB, 'failing', 'The disk is full.', '0 MB of 100.0 GB'],
  [300 * MB, 800 * MB, 'ok', 'There is room.', '300 MB of 800 MB'],
])('with %i of %i bytes free the disk is %s: %s', (free, all, state, summary, value) => {
  expect(diskState(free, all)).toEqual({ state, summary, facts: [{ label: 'Free', value }] });
});
