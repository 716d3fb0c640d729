import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readContainer, VideoError } from './video-container.server.ts';

const HEAD = Buffer.alloc(32);
HEAD.writeUInt32BE(16, 0);
HEAD.write('ftypisom', 4);
// Tables of nearly two gigabytes.
HEAD.writeUInt32BE(1_900_000_000, 16);
HEAD.write('moov', 20);
HEAD.writeUInt32BE(1_800_000_000, 24);
HEAD.write('stsz', 28);

it('says what kept the bytes away, and not that there is no video', async () => {
  const lost = new Error('The store is out of reach');
  const read = () => Promise.reject(lost);
  await expect(readContainer({ size: 1000, read })).rejects.toBe(lost);
  const broken = () =>
    new Readable({
      read() {
        this.destroy(lost);
      },
    });
  await expect(readContainer({ size: 1000, read: broken })).rejects.toBe(lost);
});

it('holds no more of a hostile file than a piece', async () => {
  let largest = 0;
  const read = ({ start, end }: { start: number; end: number }) => {
    const length = end + 1 - start;
    largest = Math.max(largest, length);
    const bytes = Buffer.alloc(length);
    if (start < HEAD.length) HEAD.copy(bytes, 0, start);
    return Readable.from([bytes]);
  };
  await expect(readContainer({ size: 1_900_000_100, read })).rejects.toThrow(VideoError);
  expect(largest).toBeLessThanOrEqual(64 * 1_048_576);
});
