import { describe, expect, it } from 'vitest';
import { doubtOf, withdrawalEnd } from './withdrawals.ts';

const endOf = (contract: string) => withdrawalEnd(new Date(contract)).toISOString();

describe('the end of the 14 days', () => {
  it('is the end of the 14th day after that of the contract, in the last place of the Union', () => {
    // A Tuesday; 14 days later is a Tuesday.
    expect(endOf('2026-11-03T09:00:00Z')).toBe('2026-11-18T04:00:00.000Z');
  });

  it('counts the day of the contract where it begins first', () => {
    expect(endOf('2026-11-03T19:59:59Z')).toBe('2026-11-18T04:00:00.000Z');
    expect(endOf('2026-11-03T20:00:00Z')).toBe('2026-11-19T04:00:00.000Z');
  });

  it('waits for Monday where it would be a Saturday or a Sunday', () => {
    expect(endOf('2026-11-06T09:00:00Z')).toBe('2026-11-21T04:00:00.000Z');
    expect(endOf('2026-11-07T09:00:00Z')).toBe('2026-11-24T04:00:00.000Z');
    expect(endOf('2026-11-08T09:00:00Z')).toBe('2026-11-24T04:00:00.000Z');
    expect(endOf('2026-11-09T09:00:00Z')).toBe('2026-11-24T04:00:00.000Z');
  });

  it('is over the year and a leap day', () => {
    expect(endOf('2027-12-22T09:00:00Z')).toBe('2028-01-06T04:00:00.000Z');
    expect(endOf('2028-02-15T09:00:00Z')).toBe('2028-03-01T04:00:00.000Z');
  });
});

describe('a doubt', () => {
  const contractAt = new Date('2026-11-03T09:00:00Z');
  const at = (now: string, more = {}) =>
    doubtOf({
      contractAt,
      now: new Date(now),
      isDisputed: false,
      isPartlyRefunded: false,
      isBegun: false,
      ...more,
    });

  it('begins with the moment after the last day', () => {
    expect(at('2026-11-18T03:59:59.999Z')).toBeNull();
    expect(at('2026-11-18T04:00:00Z')).toBe('late');
  });

  it('is a dispute or a part that went back, however early', () => {
    expect(at('2026-11-04T00:00:00Z', { isDisputed: true })).toBe('disputed');
    expect(at('2026-11-04T00:00:00Z', { isPartlyRefunded: true })).toBe('partly_refunded');
  });

  it('is a course that was begun by whoever agreed to lose the right by it', () => {
    expect(at('2026-11-04T00:00:00Z', { isBegun: true })).toBe('begun');
    expect(at('2026-11-18T04:00:00Z', { isBegun: true })).toBe('late');
  });
});
