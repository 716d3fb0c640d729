import { describe, expect, it } from 'vitest';
import { limitedAddress, watchForProxy } from './client-address.ts';

describe('what limits count', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('is for %s %s', (address, counted) => {
    expect(limitedAddress(address)).toBe(counted);
  });
});

it('an address that all requests come from in the name of others is a proxy that is not trusted', () => {
  const found: string[] = [];
  const watch = watchForProxy((address) => found.push(address));
  const request = { client: '10.0.0.7', peer: '::ffff:10.0.0.7', forwardedFor: '203.0.113.9' };
  for (let count = 0; count < 90; count += 1) watch(request);
  for (let count = 0; count < 10; count += 1) watch({ ...request, forwardedFor: undefined });
  expect(found).toEqual(['10.0.0.7']);
  // A trusted one, a visitor's own proxy among others, and no header at all.
  for (let count = 0; count < 100; count += 1) watch({ ...request, client: '203.0.113.9' });
  for (let count = 0; count < 100; count += 1)
    watch({ ...request, client: `10.0.0.${count}`, peer: `10.0.0.${count}` });
  for (let count = 0; count < 100; count += 1) watch({ ...request, forwardedFor: undefined });
  expect(found).toHaveLength(1);
});
