import { describe, expect, it } from 'vitest';
import { billingInput } from './billing.ts';

describe('billing details', () => {
  const GOOD = {
    company: 'Example GmbH',
    address: 'Musterweg 1\n10115 Berlin',
    country: 'DE',
  };

  it('are kept as an invoice prints them', () => {
    expect(billingInput.parse(GOOD)).toEqual({
      ...GOOD,
      purchaseOrder: '',
      costCentre: '',
    });
  });

  it('may have an address of six lines', () => {
    const address = Array.from({ length: 6 }, () => 'x').join('\n');
    expect(billingInput.parse({ ...GOOD, address }).address).toBe(address);
  });

  it.each([
    [{ company: ' ' }, 'company'],
    [{ address: '' }, 'address'],
    [{ address: Array.from({ length: 7 }, () => 'x').join('\n') }, 'address'],
    [{ country: 'ZZ' }, 'country'],
    [{ country: undefined }, 'country'],
    [{ purchaseOrder: 'x'.repeat(61) }, 'purchaseOrder'],
  ])('%j is refused at its field', (change, field) => {
    const read = billingInput.safeParse({ ...GOOD, ...change });
    expect(read.error?.issues.map(({ path }) => path[0])).toContain(field);
  });
});
