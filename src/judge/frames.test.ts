import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFrames } from './frames.ts';

function reader() {
  const frames: unknown[] = [];
  const faults: string[] = [];
  const read = readFrames(
    (frame) => frames.push(frame),
    () => faults.push('fault'),
  );
  return { frames, faults, read };
}

test('frames arrive whole, however their bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 9 }), (values, size) => {
      const { frames, faults, read } = reader();
      const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
      for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
      expect(frames).toEqual(JSON.parse(JSON.stringify(values)));
      expect(faults).toEqual([]);
    }),
  );
});

test('nothing is read after a line that is no JSON', () => {
  const { frames, faults, read } = reader();
  read(Buffer.from('1\nnonsense\n2\n'));
  read(Buffer.from('3\n'));
  expect(frames).toEqual([1]);
  expect(faults).toEqual(['fault']);
});

test('a line without end is not kept', () => {
  const { frames, faults, read } = reader();
  const piece = Buffer.alloc(8 * 1_048_576, 'x');
  for (let n = 0; n < 8; n += 1) read(piece);
  expect(frames).toEqual([]);
  expect(faults).toEqual(['fault']);
});
