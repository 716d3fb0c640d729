import { describe, expect, it } from 'vitest';
import { seatPrice } from './seat-price.ts';

const STEPS = [
  { fromSeats: 50, percentOff: 20 },
  { fromSeats: 10, percentOff: 10 },
];

describe('the price of seats', () => {
  it('is the course’s price for each below the first step', () => {
    expect(seatPrice(4900, 9, STEPS)).toEqual({ unitCents: 4900, totalCents: 44_100, percentOff: 0 });
  });

  it('falls for all seats once a step is reached, and by the highest one', () => {
    expect(seatPrice(4900, 10, STEPS)).toEqual({ unitCents: 4410, totalCents: 44_100, percentOff: 10 });
    expect(seatPrice(4900, 50, STEPS)).toEqual({ unitCents: 3920, totalCents: 196_000, percentOff: 20 });
  });

  it('rounds the price of one seat, so that a line is its seats times that', () => {
    const { unitCents, totalCents } = seatPrice(1999, 11, STEPS);
    expect(unitCents).toBe(1799);
    expect(totalCents).toBe(11 * 1799);
  });

  it('is nothing for a free course', () => {
    expect(seatPrice(0, 50, STEPS).totalCents).toBe(0);
  });
});
