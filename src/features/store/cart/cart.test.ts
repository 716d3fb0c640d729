import { describe, expect, it } from 'vitest';
import { amountOf, amountToCents, cartTotals, removeFromCart } from './cart.ts';

const line = (courseId: number, price: string, originalPrice: string | null = null) => ({
  courseId,
  unavailable: null,
  course: { price, originalPrice },
});

describe('cart totals', () => {
  it('sum the prices; the discount counts lines with an original price only', () => {
    const totals = cartTotals([line(1, '49.00', '99.00'), line(2, '19.99'), line(3, '0.00', '10.00')]);
    expect(totals).toEqual({ subtotalCents: 6899, discountCents: 6000, taxCents: 0, totalCents: 6899 });
    expect(amountOf(totals)).toBe(68.99);
  });

  it('take no saving from an original price below the price', () => {
    expect(cartTotals([line(1, '49.00', '40.00'), line(2, '10.00', '20.00')]).discountCents).toBe(1000);
  });

  it('leave out what cannot be bought', () => {
    expect(cartTotals([{ ...line(1, '49.00'), unavailable: 'hidden' }]).totalCents).toBe(0);
  });
});

describe('removing from a cart', () => {
  it('takes out one course and leaves an untouched cart as it is', () => {
    const cart = [line(1, '1.00'), line(2, '2.00')];
    expect(removeFromCart(cart, 1)).toEqual([cart[1]]);
    expect(removeFromCart(cart, 9)).toBe(cart);
  });
});

describe('the amount of a page (P15)', () => {
  it.each([
    [49, 4900],
    [49.99 + 19.99, 6998],
    ['49', 4900],
    ['49.5', 4950],
    [0, 0],
    [0.1 + 0.2, 30],
  ])('%j is %j cents', (amount, cents) => {
    expect(amountToCents(amount)).toBe(cents);
  });

  it.each([
    [-1],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [1e308],
    [10.999],
    ['1e3'],
    ['-5'],
    ['10.999'],
    [''],
  ])('%j is none', (amount) => {
    expect(amountToCents(amount)).toBeNull();
  });
});
