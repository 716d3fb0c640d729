import { describe, expect, it } from 'vitest';
import { PoolExhausted, Turns } from './turns.ts';

describe('turns', () => {
  it('are given in the order they were asked for, never more than there are', async () => {
    const turns = new Turns(2, 1_000);
    const order: number[] = [];
    let most = 0;
    const work = async (name: number) => {
      await turns.take();
      order.push(name);
      most = Math.max(most, turns.inUse);
      await new Promise((done) => setTimeout(done, 1));
      turns.release();
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map(work));
    expect(order).toEqual([1, 2, 3, 4, 5, 6]);
    expect(most).toBe(2);
    expect(turns).toMatchObject({ inUse: 0, waiting: 0 });
  });

  it('are refused to who waits too long, and who gave up takes none later', async () => {
    const turns = new Turns(1, 5);
    await turns.take();
    await expect(turns.take()).rejects.toThrow(PoolExhausted);
    expect(turns.waiting).toBe(0);
    turns.release();
    expect(turns.inUse).toBe(0);
    expect(turns.tryTake()).toBe(true);
    expect(turns.tryTake()).toBe(false);
  });
});
